import CommandSupport
import Basics
import BookCatalogue
import Foundation
import Harness
import ScanningPipeline
import ScanningPolicies
import Systems
import Talaria
import TextRecognition

extension EgressLedger.Totals {
    var bytesOut: [String: Int] {
        Dictionary(uniqueKeysWithValues: bytesUp.filter { $0.value > 0 }.map { ($0.key.rawValue, $0.value) })
    }
}

struct ScanReport: Encodable {
    var path: String
    /// Status: book, draft, queued or unread; nil if the picture could not be read.
    var status: PhotoScan.Status?
    var lines: [String]?
    var title: String?
    var authors: [String]?
    var isbn: String?
    var confidence: Double?
    var needsReview: Bool?
    var tiers: [String]?
    var milliseconds: Double?
    var bytesOut: [String: Int]?
    var problem: String?
    /// Number of reconnects of the stream with the back end's answer; nil without one.
    var reconnects: Int?
    /// Events of that stream that could not be read, and were passed over.
    var malformedEvents: Int?
    var remark: String?
    var error: String?
}

extension ScanReport {
    init(path: String, scan: PhotoScan, milliseconds: Double) {
        self.path = path
        status = scan.status
        lines = scan.lines.isEmpty ? scan.remoteLines?.map(\.text) ?? [] : scan.lines.map(\.text)
        title = scan.answer?.book.title
        authors = scan.answer?.book.authors
        isbn = scan.answer?.book.isbn?.digits
        confidence = scan.answer?.confidence
        needsReview = scan.answer == nil ? nil : scan.needsReview
        tiers = scan.path.map(\.rawValue)
        self.milliseconds = milliseconds
        bytesOut = scan.egress.bytesOut
        problem = scan.problem
        reconnects = scan.stream?.reconnects
        malformedEvents = scan.stream?.malformedEvents
    }

    var text: String {
        if let error { return Console.coloured("✗", .red) + " \(error)" }
        var head = [path, outcome]
        if let confidence { head.append(NumberText.percent(confidence)) }
        if needsReview == true { head.append("to be reviewed") }
        if let tiers, !tiers.isEmpty { head.append(tiers.joined(separator: "+")) }
        if let milliseconds { head.append(NumberText.milliseconds(milliseconds)) }
        var rows = [head.joined(separator: "  ")]
        if let lines, !lines.isEmpty { rows.append("  read: " + lines.joined(separator: " / ")) }
        if let problem { rows.append("  \(isRefused ? "given up" : "stays queued"): \(PlainLine.of(problem))") }
        if let reconnects, reconnects > 0 {
            rows.append("  the answer's stream was interrupted \(NumberText.count(reconnects, "time"))")
        }
        if let malformedEvents, malformedEvents > 0 {
            rows.append("  skipped: \(NumberText.count(malformedEvents, "unreadable event"))")
        }
        if let remark { rows.append("  \(remark)") }
        return rows.joined(separator: "\n")
    }

    static func ending(waiting: Int, bytesOut: [String: Int], badge: String?) -> [String] {
        let sent = bytesOut.sorted { $0.key < $1.key }.map { "\($0.value) bytes of \($0.key)" }
        return
            (waiting > 0
            ? ["\(NumberText.count(waiting, "scan")) in the queue; 'spinebench scan --drain' sends them"] : [])
            + [badge ?? "sent from this machine: \(sent.joined(separator: ", "))"]
    }

    /// Whether the back end itself has refused the scan.
    var isRefused: Bool { problem != nil && status != .queued }

    private var outcome: String {
        if let title {
            return title + (authors.flatMap { $0.isEmpty ? nil : " — " + $0.joined(separator: ", ") } ?? "")
        }
        switch status {
        case .unread where problem != nil: return "refused"
        case .unread where tiers == ["upload"]: return "no known book"
        case .unread: return "no text"
        case .queued: return "waiting for the back end"
        default: return "not in the catalogue"
        }
    }
}

struct ScanSummary: Encodable {
    var variant: ScanStrategy
    var reader: FirstReader
    var books = 0
    var drafts = 0
    var queued = 0
    var unread = 0
    var failed = 0
    /// Number of these scans and of earlier waiting ones that were given up, because the back end refused them.
    var refused = 0
    var drained = 0
    var waiting = 0
    var bytesOut: [String: Int] = [:]
    /// Number of pictures whose jobs the back end was asked to delete, and has not; it does so by itself, only later.
    var notCleanedUp = 0
    /// Time of detecting the available parts, at the start.
    var probeMilliseconds: Double
    /// Nil when something has left the device.
    var badge: String?

    init(_ plan: ScanPlan, probing: Duration) {
        (variant, reader) = (plan.strategy, plan.firstReader)
        probeMilliseconds = probing.milliseconds
    }

    mutating func add(_ report: ScanReport) {
        switch report.status {
        case .book: books += 1
        case .draft: drafts += 1
        case .queued: queued += 1
        case .unread: unread += 1
        case nil: failed += 1
        }
        if report.isRefused { refused += 1 }
    }

    var text: String {
        let total = books + drafts + queued + unread + failed
        var parts = [
            NumberText.count(books, "book"), NumberText.count(drafts, "draft"), "\(queued) queued", "\(failed) failed",
        ]
        if unread > 0 { parts.insert("\(unread) without text or book", at: 2) }
        var rows = ["\(NumberText.count(total, "picture")): \(parts.joined(separator: ", "))"]
        if drained > 0 { rows.append("\(NumberText.count(drained, "queued scan")) answered") }
        if notCleanedUp > 0 {
            rows.append("the back end has not yet deleted \(NumberText.count(notCleanedUp, "picture"))")
        }
        if refused > 0 {
            rows.append("\(NumberText.count(refused, "scan")) failed; 'spinebench library list' shows the reasons")
        }
        rows += ScanReport.ending(waiting: waiting, bytesOut: bytesOut, badge: badge)
        return rows.joined(separator: "\n")
    }
}

struct LiveReport: Encodable {
    var figures: LiveFigures
    var about: About

    struct About: Encodable {
        var variant: ScanStrategy
        var reader: FirstReader
        var source: String
        var framesPerSecond: Int
        var pace: String
        var seen: Int
        var read: Int
        var booksPerMinute: Double?
        /// Alerts that were raised: a reading that costs more than it may (S3-26).
        var alerts: Int
        var waiting = 0
        var bytesOut: [String: Int] = [:]
        /// Badge of local processing; nil if something was sent from the device.
        var badge: String?
    }

    func encode(to encoder: any Encoder) throws {
        try figures.encode(to: encoder)
        try about.encode(to: encoder)
    }

    /// Returns a line for a person who waits: "12 s: 360 frames, 41 read, 3 books".
    static func progress(_ figures: LiveFigures) -> String {
        "\(NumberText.fixed(figures.seconds, 0)) s: \(NumberText.count(figures.seen, "frame")), \(figures.read) read, "
            + NumberText.count(figures.books, "book")
    }

    var text: String {
        var rows = [
            "\(NumberText.count(about.seen, "frame")) in \(NumberText.fixed(figures.seconds, 1)) s at "
                + "\(about.framesPerSecond) per second (pace \(about.pace)): \(about.read) read, \(about.seen - about.read) not"
        ]
        let skipped = figures.skipped.map { "\($0.outcome.text) \($0.count)" }
        if !skipped.isEmpty { rows.append("  not read: " + skipped.joined(separator: ", ")) }
        let outcomes = FrameOutcome.allCases.filter(\.isRead).map {
            "\($0.text.dropFirst("read, ".count)) \(figures.frames[$0] ?? 0)"
        }
        if about.read > 0 { rows.append("  read: " + outcomes.joined(separator: ", ")) }
        var found = NumberText.count(figures.books, "book")
        if let pace = about.booksPerMinute { found += " (\(NumberText.fixed(pace, 1)) a minute)" }
        if let first = figures.secondsToFirstBook { found += ", the first after \(NumberText.fixed(first, 1)) s" }
        rows.append("\(found); \(NumberText.count(figures.drafts, "draft")), \(figures.queued) queued")
        if let read = figures.spinesRead, let known = figures.spinesKnown {
            rows.append("\(NumberText.count(read, "spine")) read on frames of shelves, \(known) of them known")
        }
        if figures.pauses > 0 {
            rows.append("the camera paused \(NumberText.count(figures.pauses, "time")), as it was not used")
        }
        if about.alerts > 0 {
            rows.append("\(NumberText.count(about.alerts, "alert")) of exceeded reading costs")
        }
        rows += ScanReport.ending(waiting: about.waiting, bytesOut: about.bytesOut, badge: about.badge)
        return rows.joined(separator: "\n")
    }
}
