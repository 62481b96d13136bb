import Basics
import BookCatalogue
import CaptureReading
import Captures
import Foundation
import Synchronization

/// Puts pictures through the pipeline, one after the other: captured into a store, read, enriched, described and ready.
///
/// After the clock has stopped, all of it is processed again with a failing source, and the earlier facts are compared.
/// Then the session is deleted: every picture finds the same store.
struct CaptureMeasurer {
    let store: CaptureStore
    let pipeline: CapturePipeline
    /// Pipeline with a failing source.
    let failing: CapturePipeline

    init(store: CaptureStore, options: PipelineOptions) throws {
        let processor = try options.processor()
        self.store = store
        pipeline = try options.pipeline(over: store, processor: processor)
        failing = CapturePipeline(
            store: store,
            processor: processor,
            enricher: Enricher([FailingSource()]),
            memory: CaptureMemory(over: store)
        )
    }

    /// Returns the result of a picture.
    ///
    /// - Throws: where it could not be captured or processed.
    func measure(_ bytes: [UInt8], name: String, scene: LabelledCapture.Scene) async throws -> MeasuredCapture.Result {
        let (clock, start) = (ContinuousClock(), ContinuousClock.now)
        let processor = Self.processorMilliseconds()
        @Sendable func elapsed() -> Double { start.duration(to: clock.now) / .milliseconds(1) }
        var result = MeasuredCapture.Result()
        let item = try store.capture(CaptureIntake.capture(bytes, name: name, at: Date()))
        defer { _ = try? store.delete(session: item.sessionID) }
        result.draft = elapsed()
        let seen = Mutex<(scene: SceneReading?, text: Double?, enriched: Double?)>((nil, nil, nil))
        try await run(pipeline) { event in
            switch event {
            case .looked(let id, let scene) where id == item.id:
                seen.withLock { ($0.scene, $0.text) = (scene, elapsed()) }
            case .enriched(let id) where id == item.id: seen.withLock { $0.enriched = elapsed() }
            case .looked, .enriched, .ended: break
            }
        }
        (result.ready, result.processor) = (elapsed(), Self.processorMilliseconds() - processor)
        let items = try store.items(of: item.sessionID)
        guard let read = items.first(where: { $0.id == item.id }), read.state != .failed else {
            throw Unread(items.first { $0.id == item.id }?.lastError ?? "it failed")
        }
        let picture = seen.withLock { $0 }
        (result.text, result.enriched) = (picture.text, picture.enriched)
        result.isSummarised = read.state == .ready
        let labels = read.labels.compactMap { name, confidence in
            SceneLabel(rawValue: name).map { (label: $0, confidence: confidence) }
        }
        result.label = labels.max { $0.confidence < $1.confidence }?.label ?? .unknown
        result.codes = picture.scene?.codes.map(\.payload) ?? []
        if let outline = scene.subject, let found = picture.scene, let subject = found.subject {
            result.overlap = subject.mask.overlap(with: outline, pictureWidth: found.width)
        }
        let before = try KnownFacts(items)
        try store.reprocess(session: item.sessionID)
        try await run(failing)
        let after = try KnownFacts(store.items(of: item.sessionID))
        result.facts = before.values.count
        result.lost = before.values.filter { after.values[$0.key] != $0.value }.keys.sorted()
        return result
    }

    private func run(
        _ pipeline: CapturePipeline,
        _ onEvent: @escaping CapturePipeline.EventHandler = { _ in }
    ) async throws {
        guard let lock = try store.beginProcessing() else { throw Unread("another program processes the store") }
        // A task may hold its reference for a moment after its end.
        defer { lock.end() }
        try await pipeline.processAll(lock: lock, onEvent: onEvent)
    }

    private static func processorMilliseconds() -> Double { Double(clock()) / 1_000 }

    struct Unread: Error, CustomStringConvertible {
        var description: String

        init(_ reason: String) { description = reason }
    }
}

/// A source that fails, each time it is asked in the next of four ways: it refuses, breaks off, knows worse, or is
/// silent.
private final class FailingSource: EnrichmentProvider {
    let id = SourceID.link
    let limit = Duration.milliseconds(20)
    private let asked = Mutex(0)

    func applies(to query: EnrichmentQuery) -> Bool { true }

    func enrich(_ query: EnrichmentQuery) async throws -> Facts? {
        let number = asked.withLock { asked in
            defer { asked += 1 }
            return asked
        }
        switch number % 4 {
        case 0: throw EnrichmentError.refused("it refuses on purpose")
        case 1: throw EnrichmentError.busy("it breaks off on purpose")
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
            var enrichment: Facts
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
