import BookCatalogue
import Evaluation
import Foundation
import Harness
import Imaging
import ScanningPolicies
import SpineDatasets
import Synchronization
import TestSupport
import Testing
import TextRecognition

@testable import ScanningPipeline
@testable import Systems
@testable import Talaria

/// Messages of a scan to the harness.
@Suite(.inTurns) struct ScanSystemTests {
    private static let dune = BookMetadata(
        title: "Dune",
        authors: ["Frank Herbert"],
        confidence: 0.97,
        enrichmentStatus: .success
    )

    /// Back end that gives every picture the same answer, and counts its requests.
    private final class BackEndDouble: BackEnd {
        let calls = Mutex<[String]>([])
        private let answer: @Sendable (Int) throws -> PhotoAnswer
        private let ledger: EgressLedger

        init(_ ledger: EgressLedger, _ answer: @escaping @Sendable (Int) throws -> PhotoAnswer) {
            self.ledger = ledger
            self.answer = answer
        }

        var rateLimit: RateLimitState? { nil }

        func enrich(_ request: EnrichRequest) -> BookMetadata { ScanSystemTests.dune }

        func books(on photo: Photo, id: UUID) throws -> PhotoAnswer {
            let number = calls.withLock { calls in
                calls.append("books")
                return calls.count
            }
            var answer = try answer(number)
            answer.cleanUp = { [self] in
                calls.withLock { $0.append("cleanup") }
                ledger.note(
                    Transfer(endpoint: .cleanup, host: "h", contentClass: .id, bytesUp: 77, bytesDown: 1, at: Date())
                )
            }
            return answer
        }
    }

    private struct Blind: SpineTextReader {
        func read(_ image: RasterImage) -> SpineReading {
            SpineReading(lines: [], orientation: nil, timings: StageTimings())
        }
    }

    private func system(
        _ answer: @escaping @Sendable (Int) throws -> PhotoAnswer
    ) throws -> (system: ScanSystem, backEnd: BackEndDouble) {
        let (ledger, store) = (EgressLedger(), try LibraryStore.inMemory())
        let backEnd = BackEndDouble(ledger, answer)
        let session = try ScanSession(
            strategy: .talariaOnly,
            reader: nil,
            matcher: nil,
            backEnd: backEnd,
            store: store,
            ledger: ledger,
            deviceID: UUID()
        )
        return (ScanSystem(session: session, store: store, ledger: ledger, network: nil), backEnd)
    }

    /// Reads on a separate thread, as a worker does: it waits there for tasks that need the pool's.
    private static func read(
        _ system: ScanSystem,
        concluded: Bool = false
    ) async throws -> Prediction {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        var prediction = try system.process(tinyPNG, name: "a.png")
                        if concluded { try system.conclude(&prediction) }
                        return prediction
                    }
                )
            }
        }
    }

    private func read(_ answer: PhotoAnswer) async throws -> Prediction {
        try await Self.read(system { _ in answer }.system)
    }

    /// What was read is what the back end says it read; a title of the catalogue is not.
    @Test(
        arguments: [
            // Eight letters are wrong; the catalogue finds the book.
            (
                [dune], [RemoteLine(text: "DUIVF", confidence: 0.4), RemoteLine(text: "HFRBFRT", confidence: 0.6)],
                "Dune"
            ),
            ([BookMetadata(title: "", enrichmentStatus: .notFound)], [RemoteLine(text: "DUNE")], nil),
            ([dune], nil, "Dune"),
        ] as [([BookMetadata], [RemoteLine]?, String?)]
    )
    func whatTheBackEndRead(books: [BookMetadata], lines: [RemoteLine]?, title: String?) async throws {
        let prediction = try await read(PhotoAnswer(books: books, lines: lines))
        #expect(prediction.lines.map(\.text) == (lines ?? []).map(\.text) && prediction.answer?.title == title)
        #expect(prediction.lines.map(\.confidence) == (lines ?? []).map(\.confidence))
        let problem = lines == nil ? "the back end does not report the text that it read" : nil
        #expect(prediction.linesProblem == problem)
        let sample = Sample.made("a", title: "Dune", author: "Frank Herbert")
        #expect(SampleScore(prediction.text, against: sample).title.isRead == (prediction.text == "DUNE"))
    }

    @Test func aScanThatFailedHasReadNothing() async throws {
        let (system, _) = try system { _ in throw TalariaError.unreachable(host: "h", reason: "no route") }
        let prediction = try await Self.read(system)
        #expect(prediction.lines.isEmpty && prediction.linesProblem == nil && prediction.isQueued == true)
    }

    @Test func cornersAreInThePicturesPixels() async throws {
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map { NormalizedPoint(x: $0.0, y: $0.1) }
        let prediction = try await read(PhotoAnswer(books: [], lines: [RemoteLine(text: "D", corners: corners)]))
        // The picture is two pixels wide and high.
        let quad = try #require(prediction.lines.first?.quad)
        #expect(quad.topLeft == Point(x: 0, y: 0) && quad.bottomRight == Point(x: 2, y: 2))
    }

    @Test func stagesSayWhetherTheyComputeOrWait() async throws {
        let stages = try await read(PhotoAnswer(books: [Self.dune])).stages
        #expect(stages.entries.map(\.stage) == [.preparation, .upload])
        #expect(stages.sum(.network) == stages[Stage.upload])
        #expect(stages.sum(.compute) == stages[Stage.preparation])
    }

    @Test func whatComesAfterAnAnswerIsNoPartOfIt() async throws {
        let (system, backEnd) = try system { number in
            if number == 1 { throw TalariaError.unreachable(host: "h", reason: "no route") }
            return PhotoAnswer(books: [Self.dune])
        }
        let first = try await Self.read(system)
        #expect(first.isQueued == true)
        // The first one waits while the second is scanned; it is sent when that is over.
        let unconcluded = try await Self.read(system)
        #expect(unconcluded.drained == nil && backEnd.calls.withLock { $0.count { $0 == "books" } } == 2)
        let third = try await Self.read(system, concluded: true)
        #expect(third.drained == 1 && third.waiting == 0)
        let calls = backEnd.calls.withLock { $0 }
        #expect(calls.count { $0 == "books" } == 4 && calls.count { $0 == "cleanup" } == 3)
        // Its own cleanup, and not those of the others.
        #expect(third.traffic?.up == ["id": 77])
    }

    @Test func whatGoesWrongWithAStreamIsTold() async throws {
        let counts = StreamCounts(reconnects: 2, malformedEvents: 3)
        let prediction = try await read(PhotoAnswer(books: [Self.dune], stream: counts))
        #expect((prediction.reconnects, prediction.malformedEvents) == (2, 3))
    }

    @Test func aSystemThatSendsNothingDoesNotSayItCountedThat() async throws {
        let (ledger, store) = (EgressLedger(), try LibraryStore.inMemory())
        let session = try ScanSession(
            strategy: .onDeviceOnly,
            reader: LocalReader(Blind()),
            matcher: nil,
            backEnd: nil,
            store: store,
            ledger: ledger,
            deviceID: UUID()
        )
        let system = ScanSystem(session: session, store: store, ledger: ledger, network: nil)
        let prediction = try await Self.read(system, concluded: true)
        #expect(prediction.traffic == nil)
    }
}
