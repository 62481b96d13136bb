internal import BookCatalogue
internal import Dispatch
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

    private struct Answer {
        var number: Int
        var descriptor: ContentDescriptor
        /// What is known so far.
        var found = FoundEntities()
        /// Time of completion; nil while the work continues.
        var end: Duration?
        var listeners: [Listener] = []
    }

    private typealias Update = (found: FoundEntities, isComplete: Bool)
    private typealias Listener = AsyncThrowingStream<Update, any Error>.Continuation

    private let search: EntitySearch
    private let settings: Settings
    /// Time since the query was created.
    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    /// The oldest first.
    private var answers: [Answer] = []
    private var last = 0
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
        let start = elapsed()
        let (updates, listener, isRepeat) = listen(to: descriptor)
        let timer = settings.deadline.map { limit in
            Task {
                try await sleep(limit)
                listener.finish()
            }
        }
        defer { timer?.cancel() }
        var last = Update(FoundEntities(), isComplete: false)
        for try await update in updates { last = update }
        try Task.checkCancellation()
        return page(last, from: offset, isRepeat, since: start)
    }

    /// Returns the pages of a descriptor as they grow, each with the results that are known so far; the last one is
    /// complete.
    ///
    /// Pages that nobody waits for are omitted. The stream throws as ``page(for:from:)`` does; no deadline ends it.
    public func pages(
        for descriptor: ContentDescriptor,
        from offset: Int = 0
    ) -> AsyncThrowingStream<ResultPage, any Error> {
        let start = elapsed()
        let (updates, _, isRepeat) = listen(to: descriptor)
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { pages in
            let task = Task {
                do {
                    for try await update in updates { pages.yield(page(update, from: offset, isRepeat, since: start)) }
                    pages.finish()
                } catch {
                    pages.finish(throwing: error)
                }
            }
            pages.onTermination = { _ in task.cancel() }
        }
    }

    private func page(_ update: Update, from offset: Int, _ isRepeat: Bool, since start: Duration) -> ResultPage {
        let results = update.found.results
        let offset = max(0, min(offset, results.count))
        var page = ResultPage(
            results: Array(results.dropFirst(offset).prefix(max(1, settings.pageSize))),
            offset: offset,
            total: results.count,
            isComplete: update.isComplete,
            isRepeat: isRepeat
        )
        page.reading = update.found.reading
        page.time = elapsed() - start
        return page
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

    /// Returns the answer to a descriptor as it grows: what is known now, and each change until it is complete.
    private func listen(
        to descriptor: ContentDescriptor
    ) -> (updates: AsyncThrowingStream<Update, any Error>, listener: Listener, isRepeat: Bool) {
        let (updates, listener) = AsyncThrowingStream.makeStream(
            of: Update.self,
            throwing: (any Error).self,
            bufferingPolicy: .bufferingNewest(1)
        )
        questions += 1
        let now = elapsed()
        answers.removeAll { $0.end.map { $0 + settings.validity < now } ?? false }
        let known = answers.firstIndex { $0.descriptor == descriptor }
        if known == nil { begin(descriptor) }
        let index = known ?? answers.count - 1
        listener.yield((answers[index].found, isComplete: answers[index].end != nil))
        if answers[index].end == nil { answers[index].listeners.append(listener) } else { listener.finish() }
        return (updates, listener, known != nil)
    }

    /// Begins the work on a descriptor, which continues whoever listens.
    private func begin(_ descriptor: ContentDescriptor) {
        last += 1
        readings += 1
        let (number, search) = (last, search)
        let (partial, sender) = AsyncStream.makeStream(of: FoundEntities.self, bufferingPolicy: .bufferingNewest(1))
        answers.append(Answer(number: number, descriptor: descriptor))
        while answers.count > settings.mostAnswers
            || answers.reduce(0, { $0 + $1.descriptor.bytes }) > settings.mostBytes,
            let oldest = answers.firstIndex(where: { $0.end != nil })
        {
            answers.remove(at: oldest)
        }
        Task {
            async let work = SearchQueue.run(isReading: descriptor.picture != nil) {
                defer { sender.finish() }
                return try search.find(descriptor) { sender.yield($0) }
            }
            for await found in partial { change(number) { $0.found = found } }
            do {
                let (found, image) = try await work
                change(number) { ($0.found, $0.end) = (found, elapsed()) }
                keep(found, image)
            } catch {
                // A repeated question may succeed.
                guard let index = answers.firstIndex(where: { $0.number == number }) else { return }
                for listener in answers.remove(at: index).listeners { listener.finish(throwing: error) }
            }
        }
    }

    /// Changes an answer, and reports it to its listeners.
    private func change(_ number: Int, _ change: (inout Answer) -> Void) {
        guard let index = answers.firstIndex(where: { $0.number == number }) else { return }
        change(&answers[index])
        let answer = answers[index]
        for listener in answer.listeners {
            listener.yield((answer.found, isComplete: answer.end != nil))
            if answer.end != nil { listener.finish() }
        }
        if answer.end != nil { answers[index].listeners = [] }
    }

    private func keep(_ found: FoundEntities, _ image: SpinePicture?) {
        guard let library = search.library, !found.results.isEmpty else { return }
        let before = keeping
        keeping = Task {
            let earlier = await before?.result
            try await SearchQueue.run { try library.remember(found.shown(on: image), at: Date()) }
            try earlier?.get()
        }
    }
}

/// Threads of searches: a look-up does not wait for a picture that is read, nor a picture for a few others.
private enum SearchQueue {
    /// Pictures that are read at once; each takes about 150 MB at 12 megapixels.
    private static let mostPictures = 3
    private static let pictures = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = mostPictures
        return queue
    }()
    private static let others = DispatchQueue(label: "visual search", attributes: .concurrent)

    static func run<Value: Sendable>(
        isReading: Bool = false,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let answer: @Sendable () -> Void = { continuation.resume(with: Result(catching: work)) }
            if isReading { pictures.addOperation(answer) } else { others.async(execute: answer) }
        }
    }
}

/// A page of results.
public struct ResultPage: Sendable {
    /// The best first.
    public var results: [VisualSearchResult]
    /// Place of the first of them in the ranking, from 0.
    public var offset: Int
    /// Results in all, at most 100.
    public var total: Int
    /// Whether it is the whole answer, and not what was read until a deadline.
    public var isComplete: Bool
    /// Whether an earlier question's answer was shared.
    public var isRepeat: Bool
    /// Reading of the picture; nil without one.
    public var reading: SeenReading?
    /// Time from the question to the page.
    public var time = Duration.zero

    /// Offset of the next page; nil when this is the last.
    public var next: Int? { offset + results.count < total ? offset + results.count : nil }

    init(results: [VisualSearchResult], offset: Int, total: Int, isComplete: Bool, isRepeat: Bool) {
        (self.results, self.offset, self.total) = (results, offset, total)
        (self.isComplete, self.isRepeat) = (isComplete, isRepeat)
    }
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
