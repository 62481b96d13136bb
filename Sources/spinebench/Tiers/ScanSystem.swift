import BenchmarkHarness
import BookCatalogue
import Foundation
import LibraryStore
import ScanningPipeline
import ScanningPolicies
import SpineReaders
import Synchronization
import Talaria
import TextRecognition

/// The scanning pipeline as the harness measures it: a session, its library, and its way to the back end.
final class ScanSystem: SystemUnderTest {
    private let session: ScanSession
    private let network: FlakyNetwork?
    private let store: LibraryStore
    /// Scans that are going on, and the most that ever were.
    private let load = Mutex((now: 0, most: 0))

    /// - Parameters:
    ///   - session: what scans.
    ///   - store: its library.
    ///   - network: its way to the back end; nil when it needs none.
    init(session: ScanSession, store: LibraryStore, network: FlakyNetwork?) {
        self.session = session
        self.store = store
        self.network = network
    }

    func process(_ bytes: [UInt8], name: String) throws -> Prediction { try process(bytes, name: name) { _ in } }

    func process(
        _ bytes: [UInt8],
        name: String,
        reached: @escaping @Sendable (BenchmarkHarness.Milestone) -> Void
    ) throws -> Prediction {
        load.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        defer { load.withLock { $0.now -= 1 } }
        let (session, isOnDevice) = (session, session.variant == .onDeviceOnly)
        let isOffline = network?.isOut(during: name) ?? false
        let measured = MeasuredScan(isOffline: isOffline, reached: reached)
        return try BlockingTask.run {
            let scan = try await MeasuredScan.$current.withValue(measured) {
                try await session.scan(photo: bytes, name: name) { milestone in
                    switch milestone {
                    case .draft: reached(.draft)
                    case .text: reached(.text)
                    case .matched: if isOnDevice { reached(.enriched) }
                    case .enriched:
                        // What only the back end has read is there with its answer.
                        reached(.text)
                        reached(.enriched)
                    case .queued: break
                    }
                }
            }
            return try await self.prediction(of: scan, isOffline: isOffline)
        }
    }

    private func prediction(of scan: PhotoScan, isOffline: Bool) async throws -> Prediction {
        var prediction = Prediction(
            lines: scan.lines.map { .init(text: $0.text, confidence: $0.confidence, quad: $0.quad) },
            orientation: scan.orientation?.rawValue,
            stageMilliseconds: stages(scan.timings)
        )
        if let answer = scan.answer?.book, prediction.lines.isEmpty {
            // What a user sees where the device did not read.
            prediction.lines = ([answer.title] + answer.authors).map { .init(text: $0) }
        }
        prediction.books = scan.candidates.map(BookCandidate.init)
        prediction.answer = scan.answer.map(BookCandidate.init)
        prediction.path = scan.path.map(\.rawValue)
        prediction.isQueued = scan.status == .queued
        prediction.traffic = Traffic(
            up: Dictionary(uniqueKeysWithValues: scan.egress.bytesUp.map { ($0.key.rawValue, $0.value) }),
            wireUp: scan.egress.allBytesUp,
            wireDown: scan.egress.bytesDown
        )
        // Scans that are going on are in the queue, too: with several at a time it is left alone.
        guard load.withLock({ $0.most == 1 }) else { return prediction }
        if session.variant.needsBackEnd, !isOffline {
            // As an app does that finds its network again; no milestone waits for it.
            let drained = try await session.drain().done
            if drained > 0 { prediction.drained = drained }
        }
        prediction.waiting = try store.waitingScans().count
        return prediction
    }

    private func stages(_ timings: PhotoScan.Timings) -> [String: Double] {
        [
            "preparation": timings.preparation, Prediction.Stage.reading: timings.reading,
            Prediction.Stage.detectionInference: timings.detectionInference,
            Prediction.Stage.recognitionInference: timings.recognitionInference, "matching": timings.matching,
            Prediction.Stage.enrichment: timings.enrichment, Prediction.Stage.upload: timings.upload,
        ].compactMapValues { $0?.milliseconds }
    }
}

extension BookCandidate {
    init(_ match: BookMatch) {
        self.init(
            title: match.book.title,
            authors: match.book.authors,
            isbn: match.book.isbn?.digits,
            confidence: match.confidence
        )
    }
}
