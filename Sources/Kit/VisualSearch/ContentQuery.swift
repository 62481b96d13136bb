internal import Basics
internal import BookCatalogue
internal import Foundation
internal import Imaging
internal import ScanningPipeline
internal import TextRecognition

/// Query of an app for the item that a user points at: paged results, each question answered once.
///
/// The system asks five or six times for one gesture: a question with the same labels, language and picture shares the
/// first one's answer, while that is worked on and for ``Settings/validity`` behind it. Labels are looked up while
/// pictures are read.
public actor ContentQuery {
    /// Settings of a query.
    public struct Settings: Sendable {
        /// Results of a page.
        public var pageSize = 20
        /// Time until a page is given with the books read so far, while the work continues for the next question; nil
        /// waits for the answer.
        public var deadline: Duration? = .seconds(10)
        /// Lifetime of an answer.
        public var validity = Duration.seconds(10)
        /// Maximum number of stored answers, with their pictures.
        public var mostAnswers = 8
        /// Bytes that these pictures take at most: the oldest go first, the newest stays.
        public var mostBytes = 96 << 20

        /// Creates the system's usual settings.
        public init() {}
    }

    /// Answer to one descriptor, which grows until it is complete.
    private final class Answer {
        let descriptor: ContentDescriptor
        var found = FoundEntities()
        /// Time of completion; nil while the work continues.
        var end: Duration?
        var listeners: [Listener] = []

        init(_ descriptor: ContentDescriptor) { self.descriptor = descriptor }
    }

    /// Question that waits for an answer.
    private struct Listener {
        var offset: Int
        var isRepeat: Bool
        var start: Duration
        var pages: AsyncThrowingStream<ResultPage, any Error>.Continuation
    }

    private let search: EntitySearch
    private let settings: Settings
    /// Time since the query was created.
    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    /// The oldest first.
    private var answers: [Answer] = []
    /// Questions that were asked.
    public private(set) var questions = 0
    /// Questions that were worked on: those that shared an answer count once.
    public private(set) var readings = 0
    /// Task that saves shown results in the library, one after the other.
    private var keeping: Task<Void, any Error>?

    /// Creates a query over a search.
    ///
    /// `clock`: source of the deadline, the validity and the times of answers.
    public init(
        _ search: EntitySearch,
        settings: Settings = Settings(),
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        (self.search, self.settings) = (search, settings)
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }

    /// Returns the results of a descriptor from a place in their ranking on: the first page at 0, more at
    /// ``ResultPage/next``.
    ///
    /// After ``Settings/deadline``, the page has the books that were read so far, and the work continues: the next
    /// equal question takes it up.
    ///
    /// - Throws: when the picture, the engine, the catalogue or the library fails, and `CancellationError`.
    public func page(for descriptor: ContentDescriptor, from offset: Int = 0) async throws -> ResultPage {
        let (pages, listener) = ask(descriptor, from: offset)
        let timer = settings.deadline.map { limit in
            Task {
                try await sleep(limit)
                listener.pages.finish()
            }
        }
        defer { timer?.cancel() }
        var last = ResultPage()
        for try await page in pages { last = page }
        try Task.checkCancellation()
        last.time = elapsed() - listener.start
        return last
    }

    /// Returns the pages of a descriptor as they grow, each with the results that are known so far; the last one is
    /// complete.
    ///
    /// Pages that nobody waits for are omitted. The stream throws as ``page(for:from:)`` does; no deadline ends it.
    public func pages(
        for descriptor: ContentDescriptor,
        from offset: Int = 0
    ) -> AsyncThrowingStream<ResultPage, any Error> {
        ask(descriptor, from: offset).pages
    }

    /// Returns the item of an identifier, requested by a tap on a result.
    ///
    /// - Throws: ``EntityError``; when the library or the catalogue fails.
    public func item(_ id: EntityID) async throws -> VisualSearchResult {
        // Recently shown results may not be in the library yet.
        _ = await keeping?.result
        return try search.items.item(id)
    }

    /// Returns a PNG file of an item's appearance; nil when it was not seen, or has been removed.
    public func thumbnail(of id: EntityID) async throws -> [UInt8]? {
        _ = await keeping?.result
        return try search.library?.shown(id.description)?.thumbnail
    }

    /// Waits until the library has saved all shown results; call it before the process ends.
    ///
    /// - Throws: when the library cannot be written; the answers were given all the same.
    public func finish() async throws { try await keeping?.value }

    /// Asks a question: its pages are what is known now, and each change until the answer is complete.
    private func ask(
        _ descriptor: ContentDescriptor,
        from offset: Int
    ) -> (pages: AsyncThrowingStream<ResultPage, any Error>, listener: Listener) {
        questions += 1
        let now = elapsed()
        answers.removeAll { $0.end.map { $0 + settings.validity < now } ?? false }
        let known = answers.first { $0.descriptor == descriptor }
        let answer = known ?? begin(descriptor)
        let (pages, sender) = AsyncThrowingStream.makeStream(
            of: ResultPage.self,
            throwing: (any Error).self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let listener = Listener(offset: offset, isRepeat: known != nil, start: now, pages: sender)
        report(answer, to: [listener])
        if answer.end == nil { answer.listeners.append(listener) }
        return (pages, listener)
    }

    /// Begins the work on a descriptor, which continues whoever listens.
    private func begin(_ descriptor: ContentDescriptor) -> Answer {
        readings += 1
        let (answer, search) = (Answer(descriptor), search)
        answers.append(answer)
        while answers.count > settings.mostAnswers
            || answers.reduce(0, { $0 + $1.descriptor.bytes }) > settings.mostBytes,
            let oldest = answers.firstIndex(where: { $0.end != nil })
        {
            answers.remove(at: oldest)
        }
        let (partial, sender) = AsyncStream.makeStream(of: FoundEntities.self, bufferingPolicy: .bufferingNewest(1))
        Task {
            let queue = descriptor.picture == nil ? SearchQueue.others : SearchQueue.pictures
            async let work = queue.run {
                defer { sender.finish() }
                return try search.find(descriptor) { sender.yield($0) }
            }
            for await found in partial {
                answer.found = found
                report(answer, to: answer.listeners)
            }
            do {
                let (found, image) = try await work
                (answer.found, answer.end) = (found, elapsed())
                report(answer, to: answer.listeners)
                answer.listeners = []
                keep(found, image)
            } catch {
                // A repeated question may succeed.
                answers.removeAll { $0 === answer }
                for listener in answer.listeners { listener.pages.finish(throwing: error) }
            }
        }
        return answer
    }

    /// Sends an answer's state to listeners; a complete one ends their pages.
    private func report(_ answer: Answer, to listeners: [Listener]) {
        let (results, now) = (answer.found.results, elapsed())
        for listener in listeners {
            var page = ResultPage(total: results.count, isComplete: answer.end != nil, isRepeat: listener.isRepeat)
            page.offset = max(0, min(listener.offset, results.count))
            page.results = Array(results.dropFirst(page.offset).prefix(max(1, settings.pageSize)))
            (page.reading, page.time) = (answer.found.reading, now - listener.start)
            page.language = answer.descriptor.language
            listener.pages.yield(page)
            if page.isComplete { listener.pages.finish() }
        }
    }

    private func keep(_ found: FoundEntities, _ image: SpinePicture?) {
        guard let library = search.library, !found.results.isEmpty else { return }
        let before = keeping
        keeping = Task {
            let earlier = await before?.result
            try await SearchQueue.others.run { try library.remember(found.shown(on: image), at: Date()) }
            try earlier?.get()
        }
    }
}

/// Threads of searches: a look-up does not wait for a picture that is read, nor a picture for a few others.
private enum SearchQueue {
    /// Each picture takes about 150 MB at 12 megapixels.
    static let pictures = CallQueue(width: 3)
    static let others = CallQueue(width: 8)
}

extension FoundEntities {
    /// Returns the items that the library should store.
    fileprivate func shown(on image: SpinePicture?) throws -> [ShownItem] {
        let thumbnails = try image.map { try Thumbnail.all(of: results, on: $0) } ?? [:]
        return try results.map { result in
            ShownItem(
                id: result.id.description,
                json: String(decoding: try JSONEncoder().encode(result), as: UTF8.self),
                thumbnail: thumbnails[result.id]
            )
        }
    }
}
