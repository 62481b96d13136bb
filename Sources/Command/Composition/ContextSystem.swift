import BookCatalogue
import ContextModel
package import ContextPipeline
import ContextSpace
package import ContextStore
import Enrichment
import Foundation
import Harness
import ScanningPipeline
import ScanningPolicies
import SpineReaders
import Synchronization
import VisualSearch

/// The context pipeline as the harness measures it: a picture is captured into a store on disk, looked at, enriched by the
/// device's own catalogue, told and ready, with its session and its day.
///
/// The session goes when the harness's clock has stopped: every reading finds the same store.
final class ContextSystem: SystemUnderTest {
    private let store: ContextStore
    private let pipeline: ContextPipeline
    private let last = Mutex<UUID?>(nil)

    init(store: ContextStore, pipeline: ContextPipeline) { (self.store, self.pipeline) = (store, pipeline) }

    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        let item = try store.capture(CaptureIntake.capture(bytes, name: name, at: Date()))
        guard let item else { throw HarnessError.configuration("\(name) was captured before") }
        reached(.draft)
        last.withLock { $0 = item.sessionID }
        guard let turn = try store.beginProcessing() else {
            throw HarnessError.configuration("another process looks at this worker's store")
        }
        let (store, pipeline) = (store, pipeline)
        let scene = Mutex<SceneReading?>(nil)
        let items = try BlockingTask.run {
            try await pipeline.processAll(turn: turn) { event in
                switch event {
                case .looked(let id, let seen) where id == item.id:
                    scene.withLock { $0 = seen }
                    reached(.text)
                case .enriched(let id) where id == item.id: reached(.enriched)
                case .began, .looked, .enriched, .ended: break
                }
            }
            return try store.items(of: item.sessionID)
        }
        if let read = items.first(where: { $0.id == item.id }), read.state == .failed {
            throw UnreadCapture(name: name, reason: read.lastError ?? "it failed")
        }
        return Prediction(items, scene.withLock { $0 })
    }

    func conclude(_ prediction: inout Prediction) throws {
        guard let session = last.withLock({ $0 }) else { return }
        try store.delete(session: session)
    }
}

/// Why a capture could not be looked at.
private struct UnreadCapture: Error, CustomStringConvertible {
    var name: String
    var reason: String

    var description: String { "\(name): \(reason)" }
}

extension Prediction {
    /// What was kept of a picture.
    init(_ items: [CapturedItem], _ scene: SceneReading?) {
        let seconds = { (stage: String) in
            items.flatMap(\.log).filter { $0.stage == stage }.compactMap(\.seconds).reduce(0, +) * 1_000
        }
        self.init(
            lines: (scene?.lines ?? []).map(Line.init),
            stages: [.reading: scene?.times.reading.milliseconds, .matching: seconds("book")]
        )
        books = items.compactMap { item in
            guard let book = item.enrichment.bookContext, let title = book.title else { return nil }
            return BookCandidate(
                title: title,
                authors: book.authors,
                isbn: book.isbn,
                confidence: book.confidence ?? 1
            )
        }
        answer = books?.first
    }
}

extension ContextMemory {
    /// The memory of a store: by meaning where the model is installed, else by spelling.
    package init(over store: ContextStore) {
        let model = try? MiniLM(folder: Installation.modelDirectory)
        self.init(store, ranking: ContextRanking(embedder: model ?? HashedNGrams()))
    }
}

extension ScanSettings {
    /// Loads the context pipeline over a store of its own.
    ///
    /// - Throws: when the engine or the catalogue is missing, or the store cannot be made.
    func contextSystem(in folder: String) throws -> WorkerLoop.Loaded {
        let loaded = try (reader == .fast ? ReadingSettings.fast : .accurate).load()
        let books = try BookCatalogue.named(catalogue)
        let search = try EntitySearch(loaded, catalogue: books, readings: readings, library: nil)
        let store = try ContextStore(path: "\(folder)/sessions-\(UUID().uuidString).sqlite")
        let pipeline = ContextPipeline(
            store: store,
            processor: IntelligenceProcessor(search: search),
            enricher: Enricher(EnrichmentConfiguration().providers(catalogue: books, onTransfer: { _ in })),
            memory: ContextMemory(over: store)
        )
        var description = loaded.description
        description["strategy"] = strategy.rawValue
        return WorkerLoop.Loaded(
            system: ContextSystem(store: store, pipeline: pipeline),
            description: description,
            prepare: loaded.prepare
        )
    }
}
