import BookCatalogue
import Foundation
import Imaging
import ScanningPolicies
import Synchronization
import TestSupport
import TextRecognition

@testable import ScanningPipeline
@testable import Talaria

/// A reader that reads the same lines from every picture, or the next ones of a script, and counts.
final class ScriptedReader: SpineTextReader {
    private let texts: [[String]]
    private let calls = Mutex(0)

    /// Scripted texts; the last one is repeated.
    init(_ texts: [[String]]) { self.texts = texts }

    var count: Int { calls.withLock { $0 } }

    func read(_ image: RasterImage) throws -> SpineReading {
        let call = calls.withLock { calls in
            defer { calls += 1 }
            return calls
        }
        let lines = texts[min(call, texts.count - 1)]
        let corner = Point(x: 0, y: 0)
        let quad = Quad(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner)
        return SpineReading(
            lines: lines.map { RecognizedLine(text: $0, confidence: 0.9, quad: quad) },
            orientation: lines.isEmpty ? nil : .clockwise,
            timings: StageTimings()
        )
    }
}

/// Scripted back end, which records its requests.
final class ScriptedBackEnd: BackEnd {
    enum Question: Equatable {
        case text(String)
        case picture(UUID)
    }

    private let script: @Sendable (Question) async throws -> [BookMetadata]
    private let asked = Mutex<[Question]>([])
    private let limit = Mutex<RateLimitState?>(nil)
    private let ledger: EgressLedger?
    /// Text that it reports for every picture.
    private let lines: [ReadLine]?
    private let cleaning = Mutex<(@Sendable () async throws -> Void)?>(nil)

    init(
        ledger: EgressLedger? = nil,
        lines: [ReadLine]? = nil,
        _ script: @escaping @Sendable (Question) async throws -> [BookMetadata]
    ) {
        self.script = script
        self.ledger = ledger
        self.lines = lines
    }

    var questions: [Question] { asked.withLock { $0 } }

    /// Result of deleting a picture; nil when it stores nothing.
    var cleanUp: (@Sendable () async throws -> Void)? {
        get { cleaning.withLock { $0 } }
        set { cleaning.withLock { $0 = newValue } }
    }

    var rateLimit: RateLimitState? {
        get { limit.withLock { $0 } }
        set { limit.withLock { $0 = newValue } }
    }

    func enrich(_ request: EnrichRequest) async throws -> BookMetadata {
        note(.enrich, .text, bytes: request.rawText.utf8.count)
        let books = try await answer(.text(request.rawText))
        return books.first ?? BookMetadata(title: "", enrichmentStatus: .notFound)
    }

    func books(on photo: Photo, id: UUID) async throws -> PhotoAnswer {
        note(.upload, .image, bytes: photo.jpeg.count)
        return PhotoAnswer(books: try await answer(.picture(id)), lines: lines, cleanUp: cleanUp)
    }

    private func answer(_ question: Question) async throws -> [BookMetadata] {
        asked.withLock { $0.append(question) }
        return try await script(question)
    }

    private func note(_ endpoint: Transfer.Endpoint, _ content: Transfer.ContentClass, bytes: Int) {
        let date = Date(timeIntervalSince1970: 0)
        ledger?.note(
            Transfer(endpoint: endpoint, host: "h", contentClass: content, bytesUp: bytes, bytesDown: 1, at: date)
        )
    }
}

/// Milestones by name, in order.
final class Diary: Sendable {
    private let names = Mutex<[String]>([])

    var entries: [String] { names.withLock { $0 } }

    func note(_ milestone: Milestone) {
        let name =
            switch milestone {
            case .text: "text"
            case .draft: "draft"
            case .matched: "matched"
            case .enriched: "enriched"
            case .queued: "queued"
            }
        names.withLock { $0.append(name) }
    }
}

let unreachable = TalariaError.unreachable(host: "h", reason: "no route")
/// The back end's own refusal, which another attempt does not change.
let refusal = TalariaError.refused(operation: "POST", ProblemDetails(status: 400, code: .invalidRequest))
/// Answers of a third party between a client and the back end; none is about a scan.
let foreignAnswers: [TalariaError] = [
    .malformed(operation: "POST", reason: "the answer was HTML, not Talaria's; a captive portal?"),
    .refused(operation: "POST", ProblemDetails(status: 302)), .refused(operation: "POST", ProblemDetails(status: 403)),
    .refused(operation: "POST", ProblemDetails(status: 404, code: .notFound, isRetryable: false)),
    .refused(operation: "POST", ProblemDetails(status: 401, code: .unauthorized, isRetryable: false)),
    .untrusted(host: "h", reason: "expired"), .wrongPin(host: "h", found: "x"),
    .responseTooLarge(operation: "POST", limit: 1), .eventTooLarge(limit: 1),
    .foreignAddress("http://other", expected: "http://h"), .badConfiguration("keys are pinned"),
]
let dune = BookMetadata(
    title: "Dune",
    authors: ["Frank Herbert"],
    isbn: "9780441172719",
    coverURL: "https://covers.example/dune.jpg",
    confidence: 0.97,
    enrichmentStatus: .success
)

/// A session with everything scripted, and a library in memory.
struct Stage {
    var store: LibraryStore
    var ledger: EgressLedger
    var backEnd: ScriptedBackEnd
    var reader: ScriptedReader
    var session: ScanSession

    init(
        _ variant: ScanStrategy,
        lines: [String] = ["DUNE", "FRANK HERBERT"],
        texts: [[String]]? = nil,
        local: (title: String, confidence: Double)? = ("Dune", 0.95),
        settings: ScanSession.Settings = ScanSession.Settings(),
        store: LibraryStore? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        remoteLines: [ReadLine]? = nil,
        _ script: @escaping @Sendable (ScriptedBackEnd.Question) async throws -> [BookMetadata] = { _ in [dune] }
    ) throws {
        self.store = try store ?? .inMemory()
        ledger = EgressLedger()
        backEnd = ScriptedBackEnd(ledger: ledger, lines: remoteLines, script)
        reader = ScriptedReader(texts ?? [lines])
        session = try ScanSession(
            strategy: variant,
            reader: LocalReader(reader),
            matcher: { _ in
                guard let local else { return MatchResult(candidates: [], answer: nil) }
                let match = BookMatch(
                    book: BookRecord(title: local.title, authors: ["Frank Herbert"]),
                    confidence: local.confidence
                )
                return MatchResult(candidates: [match], answer: match)
            },
            backEnd: backEnd,
            store: self.store,
            ledger: ledger,
            deviceID: UUID(),
            settings: settings,
            clock: clock,
            now: { Date(timeIntervalSince1970: 1_000) }
        )
    }
}

extension QueuedScan {
    var isText: Bool { if case .text = payload { true } else { false } }
}
