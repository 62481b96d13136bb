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

        var isText: Bool { if case .text = self { true } else { false } }
    }

    private struct State {
        var questions: [Question] = []
        var failure: TalariaError?
        var rateLimit: RateLimitState?
        var cleanUp: (@Sendable () async throws -> Void)?
    }

    private let state = Mutex(State())
    private let script: @Sendable (Question) async throws -> [BookMetadata]
    private let ledger: EgressLedger?
    /// Text that it reports for every picture.
    private let lines: [RemoteLine]?

    init(
        ledger: EgressLedger? = nil,
        lines: [RemoteLine]? = nil,
        _ script: @escaping @Sendable (Question) async throws -> [BookMetadata]
    ) {
        (self.ledger, self.lines, self.script) = (ledger, lines, script)
    }

    var questions: [Question] { state.withLock { $0.questions } }

    /// Error of all requests while it is set, instead of the script.
    var failure: TalariaError? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    var rateLimit: RateLimitState? {
        get { state.withLock { $0.rateLimit } }
        set { state.withLock { $0.rateLimit = newValue } }
    }

    /// Result of deleting a picture; nil when it stores nothing.
    var cleanUp: (@Sendable () async throws -> Void)? {
        get { state.withLock { $0.cleanUp } }
        set { state.withLock { $0.cleanUp = newValue } }
    }

    func enrich(_ request: EnrichRequest) async throws -> BookMetadata {
        let books = try await answer(.text(request.rawText), bytes: request.rawText.utf8.count)
        return books.first ?? BookMetadata(title: "", enrichmentStatus: .notFound)
    }

    func books(on photo: Photo, id: UUID) async throws -> PhotoAnswer {
        PhotoAnswer(books: try await answer(.picture(id), bytes: photo.jpeg.count), lines: lines, cleanUp: cleanUp)
    }

    private func answer(_ question: Question, bytes: Int) async throws -> [BookMetadata] {
        ledger?.note(
            Transfer(
                endpoint: question.isText ? .enrich : .upload,
                host: "h",
                contentClass: question.isText ? .text : .image,
                bytesUp: bytes,
                bytesDown: 1,
                at: Date(timeIntervalSince1970: 0)
            )
        )
        state.withLock { $0.questions.append(question) }
        if let failure { throw failure }
        return try await script(question)
    }
}

/// Milestones by name, in order.
final class Diary: Sendable {
    private let names = Mutex<[String]>([])

    var entries: [String] { names.withLock { $0 } }

    @Sendable func note(_ milestone: Milestone) {
        // The case's name, without its value.
        let name = "\(milestone)".prefix { $0 != "(" }
        names.withLock { $0.append(String(name)) }
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
        remoteLines: [RemoteLine]? = nil,
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
