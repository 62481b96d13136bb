import Basics
import CaptureReading
package import Foundation
import Imaging
import ScanningPipeline
import VisualSearch

/// Processes the waiting items of a store one after the other: reads, enriches, describes and saves each.
///
/// Each stage's result is saved at once: a killed process loses only its current stage, and processing an item again
/// finds the same children by their keys. Known facts are never replaced by fewer facts.
package actor ContextPipeline {
    package enum Event: Sendable {
        case began(CapturedItem)
        /// The picture was processed, and its content is saved.
        case looked(UUID, SceneReading)
        /// The providers were asked, and their facts are saved.
        case enriched(UUID)
        case ended(CapturedItem)
    }

    private let store: ContextStore
    private let processor: IntelligenceProcessor
    private let enricher: Enricher
    private let narrator: any NarrativeGenerator
    private let memory: ContextMemory?
    private let clock = ContinuousClock()

    package init(
        store: ContextStore,
        processor: IntelligenceProcessor,
        enricher: Enricher,
        narrator: any NarrativeGenerator = RuleNarrator(),
        memory: ContextMemory? = nil
    ) {
        (self.store, self.processor, self.enricher) = (store, processor, enricher)
        (self.narrator, self.memory) = (narrator, memory)
    }

    /// Processes all waiting items, and those that arrive meanwhile.
    package func processAll(turn: ProcessingTurn, onEvent: @Sendable (Event) async -> Void = { _ in }) async throws {
        // Whether one of a session's items is new.
        var sessions: [UUID: Bool] = [:]
        repeat {
            while let item = try store.takeNext() {
                await onEvent(.began(item))
                do {
                    guard let ended = try await process(item, onEvent) else { continue }
                    // It may have moved meanwhile.
                    sessions[ended.sessionID] = sessions[ended.sessionID] == true || item.summary == nil
                    await onEvent(.ended(ended))
                } catch is CancellationError {
                    try store.update(item.id) { $0.state = .queued }
                    throw CancellationError()
                }
            }
            guard let (session, isNew) = sessions.popFirst() else { break }
            try await tell(session: session, isSame: !isNew)
            // Items that arrived meanwhile are processed before the next one is described.
        } while true
        withExtendedLifetime(turn) {}
    }

    // MARK: - An item

    private func process(
        _ item: CapturedItem,
        _ onEvent: @Sendable (Event) async -> Void
    ) async throws -> CapturedItem? {
        var problem: String?
        if item.parentID == nil, item.pictures[.original] != nil {
            switch try await look(at: item) {
            case .success(let scene): await onEvent(.looked(item.id, scene))
            case .failure(let failure): problem = failure.reason
            }
        }
        guard let seen = try store.item(item.id) else { return nil }
        try Task.checkCancellation()
        let unanswered = try await enrich(seen)
        await onEvent(.enriched(item.id))
        guard let known = try store.item(item.id) else { return nil }
        try Task.checkCancellation()
        let books = try store.children(of: item.id).count { $0.kind == .book }
        var narrative = try? await narrator.narrative(of: input(of: [known]))
        // A narrator that was cut off has not failed.
        try Task.checkCancellation()
        // One that breaks its own rules is none.
        if narrative?.problems.isEmpty == false { narrative = nil }
        let updated = try store.update(item.id) { [narrative] item in
            if let narrative { item.take(narrative, at: Date()) }
            if let problem {
                item.failureCount += 1
                item.lastError = problem
                item.state = .failed
            } else {
                // A source's missing answer is reported, and does not fail the known facts.
                (item.failureCount, item.lastError) = (0, unanswered)
                item.state = narrative == nil ? .review : .ready
            }
            guard !item.isTitledByUser else { return }
            if item.kind == .shelf, books > 1 {
                item.title = "A shelf with \(books) identified books"
            } else {
                item.title = item.bestTitle ?? item.title
            }
        }
        if let updated { try await memory?.remember(updated) }
        return updated
    }

    /// Processes an item's picture, and saves its content.
    ///
    /// - Returns: the picture's content, or the reason why it could not be processed.
    private func look(at item: CapturedItem) async throws -> Result<SceneReading, Unreadable> {
        let start = clock.now
        let processor = processor
        let data: Data
        do {
            guard let kept = try store.picture(.original, of: item.id) else {
                return .failure(Unreadable(reason: "its picture is missing"))
            }
            data = kept
        } catch {
            // A missing or unreadable file fails this item only.
            return .failure(Unreadable(reason: "its picture: \(error.systemReason)"))
        }
        let name = item.media.filename ?? "the picture"
        let scene: SceneReading
        let pictures: [PictureRole: NewPicture]
        do {
            (scene, pictures) = try await ReaderQueue.run {
                let image = try ImageCodec.decode([UInt8](data), name: name).image
                let scene = try processor.process(image, mode: .full)
                func picture(_ image: RasterImage) throws -> NewPicture {
                    NewPicture(Data(try ImageCodec.encodeJPEG(image, quality: 80)), ending: "jpg")
                }
                var pictures = [PictureRole.thumbnail: try picture(image.fitted(to: Self.thumbnailSide))]
                pictures[.cutout] = scene.cutOut.map { NewPicture(Data($0), ending: "png") }
                pictures[.rectified] = try scene.rectified.map(picture)
                return (scene, pictures)
            }
        } catch {
            let problem = error.systemReason
            try note(item.id, "read", "failed: \(problem)", since: start)
            return .failure(Unreadable(reason: problem))
        }
        let label = SceneLabel(scene)
        let single = scene.books.count == 1 ? scene.books.first : nil
        try store.update(item.id, pictures: pictures) { item in
            if let text = scene.transcription.known { item.media.transcription = text }
            if label != .unknown {
                item.labels[label.rawValue] = 1
                item.media.themes.unite([label.rawValue])
            }
            switch label {
            case .bookshelf: item.kind = .shelf
            case .book: item.kind = .book
            case .page: item.kind = .document
            case .code, .text, .unknown: break
            }
            if let single { item.enrichment.merge(EnrichmentData(single)) }
            if label == .page {
                let document = DocumentContext(fileType: "page", pageCount: 1)
                item.enrichment.merge(EnrichmentData(documentContext: document))
            }
        }
        try store.keepChildren(
            of: item.id,
            scene.codes.map { code in ("code:\(code.payload)", code.kind, { code.describe(&$0) }) }
                + (single == nil ? scene.books : []).map { book in
                    ("book:\(book.id)", .book, { $0.describe(book) })
                }
        )
        let counts = "\(scene.codes.count) codes, \(scene.lines.count) lines, \(scene.books.count) books"
        try note(item.id, "read", "\(label.rawValue): \(counts)", since: start)
        return .success(scene)
    }

    private struct Unreadable: Error {
        var reason: String
    }

    /// Pixels of a small picture's long side.
    static let thumbnailSide = 320

    /// Asks the providers, and keeps each answer when it comes; returns which of them failed, and why.
    private func enrich(_ item: CapturedItem) async throws -> String? {
        let before = item.enrichment
        let store = store
        let answers = try await enricher.enrich(EnrichmentQuery(item)) { answer in
            try store.update(item.id) { item in
                if case .answered(let data) = answer.outcome { item.enrichment.merge(data) }
                let seconds = answer.duration / .seconds(1)
                item.note(
                    ItemEvent(at: Date(), stage: answer.provider, outcome: answer.outcome.words, seconds: seconds)
                )
            }
        }
        // The answers' order does not matter: the merged result is the same.
        try store.update(item.id) { item in
            item.enrichment = before
            item.enrichment.merge(Enricher.merged(answers))
            item.settleKind()
        }
        return answers.problem
    }

    private func note(_ id: UUID, _ stage: String, _ outcome: String, since start: ContinuousClock.Instant) throws {
        let seconds = start.duration(to: clock.now) / .seconds(1)
        try store.update(id) { $0.note(ItemEvent(at: Date(), stage: stage, outcome: outcome, seconds: seconds)) }
    }

    // MARK: - Sessions and days

    private func input(of items: [CapturedItem]) throws -> NarrativeInput {
        var input = NarrativeInput()
        input.secrets = try store.secrets()
        input.items = try items.map { item in
            let children = item.parentID == nil ? try store.children(of: item.id) : []
            input.secrets += ([item] + children).flatMap(\.secrets)
            var fact = NarrativeInput.Item(item, children: children)
            if item.kind == .shelf { fact.bookCount = children.count { $0.kind == .book } }
            return fact
        }
        input.concepts = try store.concepts().map { ($0.name, $0.weight) }
        return input
    }

    /// Describes a session: title, summary, statements, purpose and tags.
    ///
    /// The earlier description is discarded with `replacesEarlier`, as its items may be deleted; with `isSame`, those
    /// are still the session's, and it is kept when the generator fails.
    package func tell(session id: UUID, replacesEarlier: Bool = false, isSame: Bool = false) async throws {
        let items = try store.items(of: id)
        guard !items.isEmpty, try store.session(id) != nil else { return }
        let captures = items.filter { $0.parentID == nil }
        let input = try input(of: captures)
        guard let narrative = try? await narrator.narrative(of: input), narrative.problems.isEmpty else { return }
        let name = narrative.narrator ?? narrator.name
        let keptBack = Redactor(input.secrets)
        try store.update(session: id) { session in
            if narrative.fallback != nil, isSame, session.narrator == narrator.name { return }
            session.summary = narrative.summary
            session.statements = narrative.statements
            session.purpose = narrative.purpose ?? (replacesEarlier ? nil : session.purpose)
            if replacesEarlier { session.tags = [] }
            session.tags.unite(narrative.tags)
            session.narrator = name
            session.placeName =
                items.lazy.compactMap { $0.enrichment.placeContext?.name?.known }.first ?? session.placeName
            guard session.titleSource == .automatic else { return }
            let first = captures.first
            if replacesEarlier { session.title = "" }
            let titles = [narrative.tags.first, first?.bestTitle, session.placeName.map { "At \($0)" }]
            if let title = titles.lazy.compactMap(\.self).first(where: { !keptBack.isSaid(in: $0) }) {
                session.title = title
            }
        }
    }
}

extension ContextStore {
    /// Returns a description of the 24 hours before `now` in a few sentences; deleted items are omitted.
    ///
    /// - Returns: nil when nothing was captured.
    package func dayStory(before now: Date, calendar: Calendar) throws -> String? {
        let events = try statements(from: now.addingTimeInterval(-DayStory.window), until: now.addingTimeInterval(1))
        return DayStory.tell(events, now: now, calendar: calendar)
    }
}
