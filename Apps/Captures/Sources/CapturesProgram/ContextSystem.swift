import Basics
import BookCatalogue
import CaptureReading
package import Captures
import ContextSpace
import Evaluation
import Foundation
import Harness
import Imaging
import ScanningPipeline
import ScanningPolicies
import SpineReaders
import Synchronization
import Systems
import TextRecognition
import VisualSearch

/// Context pipeline as measured by the harness: a picture is captured into a store on disk, processed, enriched by
/// the device's own catalogue, described and ready, with its session and its day.
///
/// After the harness's clock has stopped, all of it is processed again with a failing source, and the earlier facts
/// are compared. Then the session is deleted: every reading finds the same store.
final class ContextSystem: SystemUnderTest {
    private let store: ContextStore
    private let pipeline: ContextPipeline
    /// Pipeline with a failing source.
    private let failing: ContextPipeline
    private let last = Mutex<UUID?>(nil)
    /// Lock that processes one item after the other, as the store requires: overlapping readings wait for each other.
    private let turns = NSLock()

    init(store: ContextStore, processor: IntelligenceProcessor, enricher: Enricher, memory: ContextMemory) {
        self.store = store
        pipeline = ContextPipeline(store: store, processor: processor, enricher: enricher, memory: memory)
        let sources = Enricher([FailingSource()])
        failing = ContextPipeline(store: store, processor: processor, enricher: sources, memory: memory)
    }

    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        let item = try store.capture(CaptureIntake.capture(bytes, name: name, at: Date()))
        guard let item else { throw HarnessError.configuration("\(name) was captured before") }
        reached(.draft)
        last.withLock { $0 = item.sessionID }
        let scene = Mutex<SceneReading?>(nil)
        try run(pipeline) { event in
            switch event {
            case .looked(let id, let seen) where id == item.id:
                scene.withLock { $0 = seen }
                reached(.text)
            case .enriched(let id) where id == item.id: reached(.enriched)
            case .began, .looked, .enriched, .ended: break
            }
        }
        reached(.ready)
        let items = try store.items(of: item.sessionID)
        guard let read = items.first(where: { $0.id == item.id }), read.state != .failed else {
            let reason = items.first { $0.id == item.id }?.lastError
            throw UnreadCapture(name: name, reason: reason ?? "it failed")
        }
        return Prediction(read, items, scene.withLock { $0 })
    }

    func conclude(_ prediction: inout Prediction) throws {
        guard let session = last.withLock({ $0 }) else { return }
        if prediction.capture != nil {
            let before = try KnownFacts(store.items(of: session))
            try store.reprocess(session: session)
            try run(failing) { _ in }
            let after = try KnownFacts(store.items(of: session))
            prediction.capture?.facts = before.values.count
            prediction.capture?.lostFacts = before.values.filter { after.values[$0.key] != $0.value }.keys.sorted()
        }
        try store.delete(session: session)
    }

    private func run(
        _ pipeline: ContextPipeline,
        _ onEvent: @escaping @Sendable (ContextPipeline.Event) -> Void
    ) throws {
        turns.lock()
        defer { turns.unlock() }
        guard let turn = try store.beginProcessing() else {
            throw HarnessError.configuration("another process is processing this worker's store")
        }
        // A task may hold its reference for a moment after its end.
        defer { turn.end() }
        try BlockingTask.run { try await pipeline.processAll(turn: turn) { onEvent($0) } }
    }
}

private struct UnreadCapture: Error, CustomStringConvertible {
    var name: String
    var reason: String

    var description: String { "\(name): \(reason)" }
}

/// A source that fails, each time it is asked in the next of four ways: it refuses, breaks off, knows worse, or is
/// silent.
private final class FailingSource: EnrichmentProvider {
    let id = "failing"
    let limit = Duration.milliseconds(20)
    private let asked = Mutex(0)

    func applies(to query: EnrichmentQuery) -> Bool { true }

    func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
        let number = asked.withLock { asked in
            defer { asked += 1 }
            return asked
        }
        switch number % 4 {
        case 0: throw EnrichmentError.refused("it refuses on purpose")
        case 1: throw EnrichmentError.transient("it breaks off on purpose")
        case 2: return .placeholders
        default:
            try await Task.sleep(for: .seconds(60))
            return nil
        }
    }
}

/// Known facts of the items of a session: the content of each nonempty field, by the field's name.
///
/// A fact is lost when its field is empty afterwards, and when it holds something else.
private struct KnownFacts {
    var values: [String: String] = [:]

    init(_ items: [CapturedItem]) throws {
        struct Known: Encodable {
            var enrichment: EnrichmentData
            var media: MediaMetadata
            var title: String
            var statements: [String]
            var tags: [String]
            var labels: [String: Double]
            var url: String?
        }
        for item in items {
            let known = Known(
                enrichment: item.enrichment,
                media: item.media,
                title: item.title,
                statements: item.statements,
                tags: item.tags,
                labels: item.labels,
                url: item.url
            )
            add(try JSONParser.parse([UInt8](JSONEncoder().encode(known))), "\(item.kind.rawValue) \(item.id)")
            for role in item.pictures.keys {
                // A picture that is processed again has a separate file.
                values["\(item.kind.rawValue) \(item.id).pictures.\(role.rawValue)"] = "kept"
            }
        }
    }

    private mutating func add(_ value: JSONValue, _ name: String) {
        switch value {
        case .object(let members): for (key, value) in members { add(value, "\(name).\(key)") }
        case .array(let elements): for (index, value) in elements.enumerated() { add(value, "\(name)[\(index)]") }
        case .string(let text): if text.known != nil { values[name] = text }
        case .null: break
        case .number(let number): values[name] = "\(number)"
        case .bool(let isSo): values[name] = "\(isSo)"
        }
    }
}

extension Prediction {
    fileprivate init(_ item: CapturedItem, _ items: [CapturedItem], _ scene: SceneReading?) {
        let matching = items.flatMap(\.log).filter { $0.stage == "book" }.compactMap(\.seconds).reduce(0, +) * 1_000
        let times = scene?.times
        self.init(
            lines: (scene?.lines ?? []).map(Line.init),
            stages: [
                .reading: times?.reading.milliseconds,
                .detectionInference: times?.inside.detectionInference.milliseconds,
                .recognitionInference: times?.inside.recognitionInference.milliseconds,
                Stage("codes", .compute): times?.codes.milliseconds,
                Stage("sifting", .compute): times?.sifting.milliseconds,
                .matching: matching,
            ]
        )
        books = items.compactMap { item in
            guard let book = item.enrichment.bookContext, let title = book.title else { return nil }
            let confidence = book.confidence ?? 1
            return BookCandidate(title: title, authors: book.authors, isbn: book.isbn, confidence: confidence)
        }
        answer = books?.first
        capture = Capture(
            label: item.labels.filter { SceneLabel(rawValue: $0.key) != nil }.max { $0.value < $1.value }?.key
                ?? SceneLabel.unknown.rawValue,
            codes: scene?.codes.map(\.payload) ?? [],
            subject: scene.flatMap { scene in scene.subject.map { PictureMask($0.mask, pictureWidth: scene.width) } },
            isTold: item.state == .ready
        )
    }
}

extension PictureMask {
    /// Creates a mask for a picture of this width, in pixels: a cell is set when at least half of it is the
    /// subject's.
    fileprivate init(_ mask: RasterImage, pictureWidth: Int) {
        let grid = mask.fitted(to: Self.side)
        self.init(
            width: grid.width,
            height: grid.height,
            cell: Double(pictureWidth) / Double(grid.width),
            isIn: grid.pixels.map { $0 >= 128 }
        )
    }
}

extension ContextMemory {
    /// Creates the memory of a store: by meaning where the model is installed, else by spelling.
    package init(over store: ContextStore) {
        let model = try? MiniLM(folder: Installation.modelDirectory)
        self.init(store, ranking: ContextRanking(embedder: model ?? HashedNGrams()))
    }
}

extension ScanSettings {
    /// Loads the context pipeline over a separate store.
    func contextSystem(in folder: String) throws -> WorkerLoop.Loaded {
        let loaded = try (reader == .fast ? ReadingSettings.fast : .accurate).load()
        let books = try BookCatalogue.named(catalogue)
        let search = try EntitySearch(loaded, catalogue: books, readings: readings, library: nil)
        let store = try ContextStore(path: "\(folder)/sessions-\(UUID().uuidString).sqlite")
        var description = loaded.description
        description["strategy"] = strategy.rawValue
        return WorkerLoop.Loaded(
            system: ContextSystem(
                store: store,
                processor: IntelligenceProcessor(
                    search: search,
                    things: ThingNamer(folder: Installation.modelDirectory)
                ),
                // Only the device is asked: the kernel refuses the worker every socket, and counts the attempts.
                enricher: Enricher(EnrichmentConfiguration().providers(catalogue: books, onTransfer: { _ in })),
                memory: ContextMemory(over: store)
            ),
            description: description,
            prepare: loaded.prepare
        )
    }
}
