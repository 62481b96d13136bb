import Basics
import BookCatalogue
import CommandSupport
import Foundation
import Harness
import ScanningPipeline
import ScanningPolicies
import Systems
import Talaria
import TextRecognition

/// Result of a picture, or of one of the spines on it.
struct ScanReport: Encodable {
    var path: String
    /// Nil if the picture could not be read.
    var scan: PhotoScan?
    var milliseconds: Double?
    var remark: String?
    var error: String?

    func encode(to encoder: any Encoder) throws {
        let (answer, stream) = (scan?.answer, scan?.stream)
        let fields: KeyValuePairs<String, (any Encodable)?> = [
            "path": path, "status": scan?.status, "lines": scan == nil ? nil : lines, "title": answer?.book.title,
            "authors": answer?.book.authors, "isbn": answer?.book.isbn?.digits, "confidence": answer?.confidence,
            "needsReview": answer == nil ? nil : scan?.needsReview, "tiers": scan?.path, "milliseconds": milliseconds,
            "bytesOut": scan?.egress.bytesOut, "problem": scan?.problem, "reconnects": stream?.reconnects,
            "malformedEvents": stream?.malformedEvents, "remark": remark, "error": error,
        ]
        try Members(fields: fields).encode(to: encoder)
    }

    private var lines: [String] {
        guard let scan else { return [] }
        return scan.lines.isEmpty ? scan.remoteLines?.map(\.text) ?? [] : scan.lines.map(\.text)
    }

    /// Whether the back end itself has refused the scan.
    var isRefused: Bool { scan?.problem != nil && scan?.status != .queued }

    var text: String {
        guard let scan else { return Console.coloured("✗", .red) + " \(error ?? "")" }
        let head = [
            path, outcome(of: scan), scan.answer.map { NumberText.percent($0.confidence) },
            scan.answer != nil && scan.needsReview ? "to be reviewed" : nil,
            scan.path.isEmpty ? nil : scan.path.map(\.rawValue).joined(separator: "+"),
            milliseconds.map(NumberText.milliseconds),
        ]
        let (breaks, skipped) = (scan.stream?.reconnects ?? 0, scan.stream?.malformedEvents ?? 0)
        return rows(
            head.compactMap(\.self).joined(separator: "  "),
            lines.isEmpty ? nil : "  read: " + lines.joined(separator: " / "),
            scan.problem.map { "  \(isRefused ? "given up" : "stays queued"): \(PlainLine.of($0))" },
            counted(breaks, "time").map { "  the answer's stream was interrupted \($0)" },
            counted(skipped, "unreadable event").map { "  skipped: \($0)" },
            remark.map { "  \($0)" }
        )
    }

    private func outcome(of scan: PhotoScan) -> String {
        if let book = scan.answer?.book {
            return book.title + (book.authors.isEmpty ? "" : " — " + book.authors.joined(separator: ", "))
        }
        switch scan.status {
        case .unread where scan.problem != nil: return "refused"
        case .unread: return scan.path == [.upload] ? "no known book" : "no text"
        case .queued: return "waiting for the back end"
        case .book, .draft: return "not in the catalogue"
        }
    }
}

/// Returns the lines that there are, in one text.
private func rows(_ lines: String?...) -> String { lines.compactMap(\.self).joined(separator: "\n") }

/// Returns a number of things; nil for none.
private func counted(_ count: Int, _ noun: String) -> String? { count > 0 ? NumberText.count(count, noun) : nil }

extension EgressLedger.Totals {
    fileprivate var bytesOut: [String: Int] {
        Dictionary(uniqueKeysWithValues: bytesUp.filter { $0.value > 0 }.map { ($0.key.rawValue, $0.value) })
    }
}

/// End of a scan of pictures or of frames: its figures, and the state of queue and network.
struct ScanSummary {
    let json: Members
    let text: String

    init(_ figures: Members, _ text: String, _ setup: ScanSetup, _ store: LibraryStore) throws {
        let (badge, waiting) = (setup.ledger.badge, try store.waitingScans().count)
        let sent = setup.ledger.totals().bytesOut
        json = Members(
            content: figures,
            fields: [
                "variant": setup.plan.strategy, "reader": setup.plan.firstReader, "waiting": waiting, "bytesOut": sent,
                "badge": badge, "catalogue": setup.catalogue?.information.name,
            ]
        )
        let parts = sent.sorted { $0.key < $1.key }.map { "\($0.value) bytes of \($0.key)" }
        self.text = rows(
            text,
            counted(waiting, "scan").map { "\($0) in the queue; 'spinebench scan --drain' sends them" },
            badge ?? "sent from this machine: \(parts.joined(separator: ", "))",
            setup.catalogue?.source
        )
    }
}

extension BookCatalogue {
    /// Says which catalogue names the books, and how another one does.
    var source: String {
        "Catalogue: \(information.name), \(NumberText.count(count, "book")); another one: --catalogue FILE, of "
            + "'spinebench catalogue build LIST --out FILE'"
    }
}

/// Counts of scanned pictures.
struct ScanCounts {
    /// Number of scans by their status, one of a picture or of each spine on it; nil for pictures that could not be read.
    private var scans: [PhotoScan.Status?: Int] = [:]
    private var pictures = 0
    /// Number of these scans and of earlier waiting ones that were given up, because the back end refused them.
    var refused = 0
    var drained = 0
    /// Number of pictures whose jobs the back end was asked to delete, and has not; it does so by itself, only later.
    var notCleanedUp = 0

    private subscript(status: PhotoScan.Status?) -> Int { scans[status] ?? 0 }

    /// Whether a picture has no result.
    var isMissed: Bool { self[nil] + self[.unread] + refused > 0 }

    /// Adds the scans of a picture.
    mutating func add(_ reports: [ScanReport]) {
        pictures += 1
        for report in reports {
            scans[report.scan?.status, default: 0] += 1
            if report.isRefused { refused += 1 }
        }
    }

    /// `probing`: time of detecting the available parts, at the start.
    func json(probing: Duration) -> Members {
        Members(fields: [
            "books": self[.book], "drafts": self[.draft], "queued": self[.queued], "unread": self[.unread],
            "failed": self[nil], "refused": refused, "drained": drained, "notCleanedUp": notCleanedUp,
            "probeMilliseconds": probing.milliseconds,
        ])
    }

    var text: String {
        let parts = [
            NumberText.count(self[.book], "book"), NumberText.count(self[.draft], "draft"),
            self[.unread] > 0 ? "\(self[.unread]) without text or book" : nil, "\(self[.queued]) queued",
            "\(self[nil]) failed",
        ]
        let count = scans.values.reduce(0, +)
        let spines = count == pictures ? "" : ", \(NumberText.count(count, "spine"))"
        let total = NumberText.count(pictures, "picture") + spines
        return rows(
            "\(total): \(parts.compactMap(\.self).joined(separator: ", "))",
            counted(drained, "queued scan").map { "\($0) answered" },
            counted(notCleanedUp, "picture").map { "the back end has not yet deleted \($0)" },
            counted(refused, "scan").map { "\($0) failed; 'spinebench library list' shows the reasons" }
        )
    }
}

extension LiveFigures {
    /// Returns text for a terminal; `pace`: frames a second and their pace; `alerts`: number of those raised.
    func text(pace: String, alerts: Int) -> String {
        let skipped = skipped.map { "\($0.outcome.text) \($0.count)" }
        let outcomes = FrameOutcome.allCases.filter(\.isRead).map {
            "\($0.text.dropFirst("read, ".count)) \(frames[$0] ?? 0)"
        }
        let rate = booksPerMinute.map { " (\(NumberText.fixed($0, 1)) a minute)" } ?? ""
        let first = secondsToFirstBook.map { ", the first after \(NumberText.fixed($0, 1)) s" } ?? ""
        return rows(
            "\(NumberText.count(seen, "frame")) in \(NumberText.fixed(seconds, 1)) s at \(pace): \(read) read, "
                + "\(seen - read) not",
            skipped.isEmpty ? nil : "  not read: " + skipped.joined(separator: ", "),
            read > 0 ? "  read: " + outcomes.joined(separator: ", ") : nil,
            NumberText.count(books, "book") + rate + first + "; \(NumberText.count(drafts, "draft")), \(queued) queued",
            spinesRead.map {
                "\(NumberText.count($0, "spine")) read on frames of shelves, \(spinesKnown ?? 0) of them known"
            },
            counted(pauses, "time").map { "the camera paused \($0), as it was not used" },
            counted(alerts, "alert").map { "\($0) of exceeded reading costs" }
        )
    }
}
