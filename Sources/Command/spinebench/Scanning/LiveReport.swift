import DeviceSimulation
import Documents
import Evaluation
import Judging
import ScanningPipeline
import ScanningPolicies

/// The end of `scan --frames`: what became of all frames, and what was found.
struct LiveReport: Encodable {
    var strategy: ScanStrategy
    var firstReader: FirstReader
    /// What the frames were.
    var source: String
    var framesPerSecond: Int
    /// real or max.
    var pace: String
    var seen: Int
    var read: Int
    /// By their reasons.
    var frames: [String: Int]
    var seconds: Double
    var books: Int
    var booksPerMinute: Double?
    var secondsToFirstBook: Double?
    var drafts: Int
    var queued: Int
    var pauses: Int
    /// Alerts that were raised: a reading that costs more than it may (S3-26).
    var alerts: Int
    /// All that wait now.
    var waiting = 0
    var bytesOut: [String: Int] = [:]
    /// nil when something has left the device.
    var badge: String?
    /// What the session simulator has for the same frames; modelled.
    var simulated: [RecordedSession.Comparison]?

    private var figures: LiveFigures

    /// As the last line of `scan --json` spells them.
    private enum CodingKeys: String, CodingKey {
        case strategy = "variant"
        case firstReader = "strategy"
        case source, framesPerSecond, pace, seen, read, frames, seconds, books, booksPerMinute
        case secondsToFirstBook, drafts, queued, pauses, alerts, waiting, bytesOut, badge, simulated
    }

    init(
        _ figures: LiveFigures,
        strategy: ScanStrategy,
        firstReader: FirstReader,
        source: String,
        rate: Int,
        pace: String,
        alerts: Int
    ) {
        self.figures = figures
        self.strategy = strategy
        self.firstReader = firstReader
        self.source = source
        self.pace = pace
        self.alerts = alerts
        framesPerSecond = rate
        (seen, read) = (figures.seen, figures.read)
        frames = Dictionary(uniqueKeysWithValues: figures.frames.map { ($0.key.rawValue, $0.value) })
        seconds = figures.seconds
        (books, drafts, queued) = (figures.books, figures.drafts, figures.queued)
        (booksPerMinute, secondsToFirstBook) = (figures.booksPerMinute, figures.secondsToFirstBook)
        pauses = figures.pauses
    }

    /// A line for a person who waits: "12 s: 360 frames, 41 read, 3 books".
    static func progress(_ figures: LiveFigures) -> String {
        "\(NumberText.fixed(figures.seconds, 0)) s: \(NumberText.count(figures.seen, "frame")), \(figures.read) read, "
            + NumberText.count(figures.books, "book")
    }

    var text: String {
        var rows = [
            "\(NumberText.count(seen, "frame")) in \(NumberText.fixed(seconds, 1)) s at \(framesPerSecond) a second "
                + "(pace \(pace)): \(read) read, \(seen - read) not"
        ]
        let skipped = figures.skipped.map { "\($0.fate.text) \($0.count)" }
        if !skipped.isEmpty { rows.append("  not read: " + skipped.joined(separator: ", ")) }
        let fates = FrameFate.allCases.filter(\.isRead).map {
            "\($0.text.dropFirst("read, ".count)) \(figures.frames[$0] ?? 0)"
        }
        if read > 0 { rows.append("  read: " + fates.joined(separator: ", ")) }
        var found = NumberText.count(books, "book")
        if let booksPerMinute { found += " (\(NumberText.fixed(booksPerMinute, 1)) a minute)" }
        if let secondsToFirstBook { found += ", the first after \(NumberText.fixed(secondsToFirstBook, 1)) s" }
        rows.append("\(found); \(NumberText.count(drafts, "draft")), \(queued) queued")
        if pauses > 0 { rows.append("the camera paused \(NumberText.count(pauses, "time")), as nobody used it") }
        if alerts > 0 { rows.append("\(NumberText.count(alerts, "alert")) that reading costs more than it may") }
        if waiting > 0 {
            rows.append("\(NumberText.count(waiting, "scan")) in the queue; 'spinebench scan --drain' sends them")
        }
        let sent = bytesOut.sorted { $0.key < $1.key }.map { "\($0.value) bytes of \($0.key)" }
        rows.append(badge ?? "left this machine: \(sent.joined(separator: ", "))")
        if let simulated {
            rows.append("The session simulator (modelled), for frames like these:")
            for row in simulated {
                let difference = row.difference(of: seen)
                rows.append(
                    "  \(row.name): \(row.recorded) recorded, \(NumberText.fixed(row.simulated, 0)) simulated "
                        + "[\(row.least), \(row.most)], \(difference < 0 ? "" : "+")\(NumberText.percent(difference)) of all frames"
                )
            }
        }
        return rows.joined(separator: "\n")
    }
}
