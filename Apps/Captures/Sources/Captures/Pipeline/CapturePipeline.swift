import Basics
package import BookCatalogue
import CaptureReading
package import Foundation
import Imaging
import ScanningPipeline
import VisualSearch

/// Processes the waiting items of a store: reads, enriches, describes and saves each.
///
/// Several items are in work at once, so that none waits for the servers of another; at most ``mostItems``, and
/// ``HostPolicy/mostAtOnce`` of one host or in the reader of pictures.
///
/// Each stage's result is saved at once: a killed process loses only its current stage, and processing an item again
/// finds the same children by their keys. Known facts are never replaced by fewer facts.
package actor CapturePipeline {
    package enum Event: Sendable {
        /// The picture was processed, and its content is saved.
        case looked(UUID, SceneReading)
        /// The providers were asked, and their facts are saved.
        case enriched(UUID)
        case ended(CapturedItem)
    }

    let store: CaptureStore
    private let loadProcessor: @Sendable () throws -> IntelligenceProcessor
    /// The processor, loaded for the first picture: a note needs none.
    private lazy var processor = Result { try loadProcessor() }
    private let enricher: Enricher
    let narrator: any NarrativeGenerator
    let memory: CaptureMemory?
    private let clock = ContinuousClock()
    /// Hosts, and the reader of pictures, that items in work need.
    private let hosts = HostPolicy()

    package init(
        store: CaptureStore,
        processor: @escaping @autoclosure @Sendable () throws -> IntelligenceProcessor,
        enricher: Enricher,
        narrator: any NarrativeGenerator = RuleNarrator(),
        memory: CaptureMemory? = nil
    ) {
        (self.store, loadProcessor, self.enricher) = (store, processor, enricher)
        (self.narrator, self.memory) = (narrator, memory)
    }

    package typealias EventHandler = @Sendable (Event) async -> Void

    /// Items in work at once.
    static let mostItems = 64

    /// Processes all waiting items, those that arrive meanwhile, and those whose failed sources are to be asked again.
    package func processAll(lock: FileLock, onEvent: @escaping EventHandler = { _ in }) async throws {
        var undescribed = Undescribed()
        repeat {
            try await processItems(&undescribed, onEvent)
            if let master = undescribed.masters.popFirst() {
                try await describe(item: master)
            } else if let (session, isNew) = undescribed.sessions.popFirst() {
                try await describe(session: session, isSame: !isNew)
            } else if let (_, day) = undescribed.days.popFirst() {
                try await describe(day: day)
            } else {
                break
            }
            // Items that arrived meanwhile are processed before the next one is described.
        } while true
        withExtendedLifetime(lock) {}
    }

    /// What was processed, and is to be described.
    private struct Undescribed {
        /// Whether one of a session's items is new.
        var sessions: [UUID: Bool] = [:]
        /// Captures in which something was found that has a name now.
        var masters: Set<UUID> = []
        /// A moment of each day.
        var days: [String: Date] = [:]

        mutating func add(_ item: CapturedItem, isNew: Bool) {
            sessions[item.sessionID] = sessions[item.sessionID] == true || isNew
            if let parent = item.parentID { masters.insert(parent) }
            days[DayStory.name(of: item.capturedAt, .current)] = item.capturedAt
        }
    }

    private enum Signal: Sendable {
        /// An item needs its lane no more.
        case free
        /// An item's processing has ended: the item afterwards, and whether it had no summary before.
        case ended(CapturedItem?, isNew: Bool)
    }

    /// Returns whether an item waits, was left in work, or has failed sources that can be asked again now.
    package nonisolated func hasWork() throws -> Bool { try store.isWaiting(at: Date(), asking: enricher.sources) }

    private func processItems(_ undescribed: inout Undescribed, _ onEvent: @escaping EventHandler) async throws {
        let (signals, signal) = AsyncStream.makeStream(of: Signal.self)
        var iterator = signals.makeAsyncIterator()
        var running = 0
        try await withThrowingTaskGroup(of: Void.self) { group in
            while true {
                while running < Self.mostItems {
                    guard let (item, lane) = try store.startNext(except: hosts.full, asking: enricher.sources) else {
                        break
                    }
                    running += 1
                    if let lane { hosts.enter(lane) }
                    group.addTask { try await self.run(item, lane, signal, onEvent) }
                }
                guard running > 0 else { return }
                switch await iterator.next(isolation: self) {
                case .free: break
                case .ended(let item, let isNew):
                    running -= 1
                    try await group.next()
                    if let item { undescribed.add(item, isNew: isNew) }
                case nil: throw CancellationError()
                }
            }
        }
    }

    // MARK: - An item

    private func run(
        _ item: CapturedItem,
        _ lane: String?,
        _ signal: AsyncStream<Signal>.Continuation,
        _ onEvent: @escaping EventHandler
    ) async throws {
        var ended: CapturedItem?
        var holds = lane
        func leave() {
            guard let lane = holds else { return }
            hosts.leave(lane)
            holds = nil
            signal.yield(.free)
        }
        defer {
            leave()
            signal.yield(.ended(ended, isNew: item.summary == nil))
        }
        do {
            // It may have moved meanwhile.
            ended = try await process(item, onEvent, isReading: lane == CapturedItem.pictureLane, leave)
            if let ended { await onEvent(.ended(ended)) }
        } catch {
            try store.update(item.id) { if $0.state == .processing { $0.state = .queued } }
            throw error
        }
    }

    /// Processes an item; `leave` is called when it needs its lane no more.
    private func process(
        _ item: CapturedItem,
        _ onEvent: EventHandler,
        isReading: Bool,
        _ leave: () -> Void
    ) async throws -> CapturedItem? {
        var problem: String?
        if isReading {
            switch try await look(at: item) {
            case .success(let scene): await onEvent(.looked(item.id, scene))
            case .failure(let failure): problem = failure.reason
            }
            leave()
        } else {
            try keepLinks(of: item)
        }
        guard let seen = try store.item(item.id) else { return nil }
        try Task.checkCancellation()
        let answers = try await enrich(seen)
        leave()
        await onEvent(.enriched(item.id))
        guard let known = try store.item(item.id) else { return nil }
        try Task.checkCancellation()
        let (narrative, subject) = try await describe(known)
        let updated = try store.update(item.id) { item in
            item.adoptTitle(of: subject)
            if let narrative { item.adopt(narrative, at: Date()) }
            item.lastError = problem
            // A source's missing answer is reported, and does not fail the known facts.
            item.planRetry(after: answers, at: Date())
            item.state = narrative == nil && problem == nil ? .review : item.stateAfterProcessing
        }
        if let updated { try await memory?.remember(updated) }
        return updated
    }

    /// Processes an item's picture, and saves its content.
    ///
    /// - Returns: the picture's content, or the reason why it could not be processed.
    private func look(at item: CapturedItem) async throws -> Result<SceneReading, Unreadable> {
        let start = clock.now
        let processor = try processor.get()
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
        let (codeCrops, spineCrops): ([NewPicture?], [NewPicture?])
        do {
            (scene, pictures, codeCrops, spineCrops) = try await ReaderQueue.run {
                let image = try ImageCodec.decode([UInt8](data), name: name).image
                let scene = try processor.process(image)
                func picture(_ image: RasterImage) throws -> NewPicture {
                    NewPicture(Data(try ImageCodec.encodeJPEG(image, quality: 80)), ending: "jpg")
                }
                var pictures = [PictureRole.thumbnail: try picture(image.fitted(to: Self.thumbnailSide))]
                pictures[.rectified] = try scene.rectified.map(picture)
                // A page that is made straight is cut out with that; a PNG of it would be larger than the photo.
                if scene.rectified == nil {
                    pictures[.cutout] = scene.cutOut.map { NewPicture(Data($0), ending: "png") }
                }
                let codes = scene.codes.map { code in
                    code.crop(of: image).flatMap { PagePictures.jpeg($0, side: Self.thumbnailSide) }
                }
                let spines = try (scene.isShelf ? scene.spines : []).map { spine in
                    try Thumbnail.cut(image, to: spine.place).map(picture)
                }
                return (scene, pictures, codes, spines)
            }
        } catch {
            let problem = error.systemReason
            try note(item.id, "read", "failed: \(problem)", since: start)
            return .failure(Unreadable(reason: problem))
        }
        let label = SceneLabel(scene)
        let similar = try scene.thing.flatMap { try store.givenName(of: item.id, like: $0.vector) }
        let single = scene.isShelf ? nil : scene.books.first
        try store.update(item.id, pictures: pictures) { item in
            if let text = scene.transcription.known {
                (item.media.transcription, item.media.lines) = (text, scene.placed)
            }
            item.label(by: scene, similar: similar)
            switch label {
            case .bookshelf: item.kind = .shelf
            case .book: item.kind = .book
            case .page: item.kind = .document
            // A receipt, a poster, a sheet with codes.
            case .code, .text: if scene.hasMuchText { item.kind = .document }
            case .unknown: break
            }
            if let single { item.answer(.picture, Facts(single)) }
            if label == .page {
                item.answer(.picture, Facts(documentContext: DocumentContext(fileType: "page", pageCount: 1)))
            }
        }
        let children = try store.keepChildren(
            of: item.id,
            scene.codes.map { code in ("code:\(code.payload)", code.kind, { code.describe(&$0, in: scene) }) }
        )
        try keep(codeCrops, of: children)
        if scene.isShelf { try keep(scene, spineCrops, of: item.id) }
        let counts =
            scene.isShelf
            ? "\(scene.spines.count) spines, \(scene.spines.count { $0.book != nil }) identified"
            : "codes: \(scene.codes.count), lines: \(scene.lines.count), books: \(scene.books.count)"
        try note(item.id, "read", "\(label.rawValue): \(counts)", since: start)
        if processor.things == nil { try note(item.id, "things", ThingNamer.missing, since: clock.now) }
        return .success(scene)
    }

    /// Saves the addresses in a note as items of their own.
    private func keepLinks(of item: CapturedItem) throws {
        guard item.kind == .text, item.asks == nil, let text = item.media.transcription else { return }
        let start = clock.now
        let links = CaptureIntake.addresses(in: text)
        guard !links.isEmpty else { return }
        try store.keepChildren(
            of: item.id,
            links.prefix(CaptureIntake.mostLinks).map { url in
                ("address:\(url)", CaptureIntake.kind(ofAddress: url), { $0.describe(address: url) })
            }
        )
        let taken = min(links.count, CaptureIntake.mostLinks)
        try note(item.id, "links", taken < links.count ? "\(taken) of \(links.count)" : "\(taken)", since: start)
    }

    /// Saves the spines of a shelf as its books, those without a book as drafts, each with its crop as thumbnail.
    private func keep(_ scene: SceneReading, _ crops: [NewPicture?], of shelf: UUID) throws {
        let books = try store.keepChildren(
            of: shelf,
            scene.spines.map { spine in
                let draft = "spine:\(spine.place.row).\(spine.place.index)"
                return (spine.book.map { "book:\($0.id)" } ?? draft, .book, { $0.describe(spine, in: scene) })
            }
        )
        try keep(crops, of: books)
        // A spine that is read anew may be another one, or have a book now.
        let known = Set(books.map(\.id))
        for book in try store.children(of: shelf) where book.isDraft && !known.contains(book.id) {
            try store.delete(item: book.id)
        }
    }

    /// Saves the crops of items that were found on a picture, where they have none yet.
    private func keep(_ crops: [NewPicture?], of items: [CapturedItem]) throws {
        for (item, crop) in zip(items, crops) where item.pictures[.thumbnail] == nil {
            if let crop { try store.update(item.id, pictures: [.thumbnail: crop]) { _ in } }
        }
    }

    private struct Unreadable: Error {
        var reason: String
    }

    /// Pixels of a small picture's long side.
    static let thumbnailSide = 320

    /// Asks the sources, and keeps each answer when it comes.
    private func enrich(_ item: CapturedItem) async throws -> [SourceAnswer] {
        let store = store
        let query = EnrichmentQuery(item, url: try store.secret(of: item.id)?.url)
        let answers = try await enricher.enrich(query, only: item.asks) { answer, duration in
            try store.update(item.id) { item in
                item.answers.keep(answer)
                let (stage, seconds) = (answer.source.rawValue, duration / .seconds(1))
                item.note(ItemEvent(at: Date(), stage: stage, outcome: answer.outcome, seconds: seconds))
            }
        }
        let parent = try item.parentID.flatMap { try store.item($0) }
        try store.update(item.id, pictures: await enricher.pictures(of: answers[.link], for: item)) { item in
            item.weigh(in: parent)
            item.settleKind()
        }
        return answers
    }

    private func note(_ id: UUID, _ stage: String, _ outcome: String, since start: ContinuousClock.Instant) throws {
        let seconds = start.duration(to: clock.now) / .seconds(1)
        try store.update(id) { $0.note(ItemEvent(at: Date(), stage: stage, outcome: outcome, seconds: seconds)) }
    }
}
