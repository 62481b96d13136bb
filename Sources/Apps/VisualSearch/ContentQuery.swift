internal import Basics
internal import BookCatalogue
internal import Foundation
internal import Imaging
internal import ScanningPipeline
internal import TextRecognition

/// Query of an app for the item that a user points at: paged results, each question answered once.
///
/// The system asks five or six times for one gesture: a question with the same labels, language and picture shares the
/// first one's answer, while that is worked on and for ``Settings/validity`` behind it.
public actor ContentQuery {
    /// Settings of a query.
    public struct Settings: Sendable {
        /// Results of a page.
        public var pageSize = 20
        /// Time until a page without an answer is given, while the work continues for the next question; nil waits
        /// for the answer.
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
        var work: Task<FoundEntities, any Error>
        /// Time of completion; nil while the work continues.
        var end: ContinuousClock.Instant?
    }

    private let search: EntitySearch
    private let settings: Settings
    private let clock = ContinuousClock()
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
    public init(_ search: EntitySearch, settings: Settings = Settings()) {
        (self.search, self.settings) = (search, settings)
    }

    /// Returns the results of a descriptor from a place in their ranking on: the first page at 0, more at
    /// ``ResultPage/next``.
    ///
    /// - Throws: when the picture, the engine, the catalogue or the library fails, and `CancellationError`.
    public func page(for descriptor: ContentDescriptor, from offset: Int = 0) async throws -> ResultPage {
        let start = clock.now
        let (work, isRepeat) = answer(to: descriptor)
        guard let found = try await first(of: work, within: settings.deadline) else {
            return ResultPage(results: [], offset: 0, total: 0, isComplete: false, isRepeat: isRepeat)
        }
        let offset = max(0, min(offset, found.results.count))
        var page = ResultPage(
            results: Array(found.results.dropFirst(offset).prefix(max(1, settings.pageSize))),
            offset: offset,
            total: found.results.count,
            isComplete: true,
            isRepeat: isRepeat
        )
        page.reading = found.reading
        page.time = start.duration(to: clock.now)
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

    private func answer(to descriptor: ContentDescriptor) -> (work: Task<FoundEntities, any Error>, isRepeat: Bool) {
        questions += 1
        let oldest = clock.now - settings.validity
        answers.removeAll { $0.end.map { $0 < oldest } ?? false }
        if let known = answers.first(where: { $0.descriptor.isSame(as: descriptor) }) { return (known.work, true) }
        last += 1
        readings += 1
        let (number, search) = (last, search)
        let work = Task {
            do {
                let (found, image) = try await ReaderQueue.run { try search.find(descriptor) }
                ended(number)
                keep(found, image, at: descriptor.time)
                return found
            } catch {
                // A repeated question may succeed.
                answers.removeAll { $0.number == number }
                throw error
            }
        }
        answers.append(Answer(number: number, descriptor: descriptor, work: work))
        while answers.count > 1,
            answers.count > settings.mostAnswers
                || answers.reduce(0, { $0 + $1.descriptor.bytes }) > settings.mostBytes
        {
            answers.removeFirst()
        }
        return (work, false)
    }

    private func ended(_ number: Int) {
        if let index = answers.firstIndex(where: { $0.number == number }) { answers[index].end = clock.now }
    }

    private func keep(_ found: FoundEntities, _ image: SpinePicture?, at time: Date) {
        guard let library = search.library, !found.results.isEmpty else { return }
        let before = keeping
        keeping = Task {
            let earlier = await before?.result
            try await ReaderQueue.run { try library.remember(found.shown(on: image), at: time) }
            try earlier?.get()
        }
    }

    /// Returns the result of the work; nil when it is late: the work continues.
    private func first<Value: Sendable>(
        of work: Task<Value, any Error>,
        within limit: Duration?
    ) async throws -> Value? {
        let (outcomes, sender) = AsyncStream.makeStream(of: Result<Value, any Error>?.self)
        Task {
            sender.yield(await work.result)
            sender.finish()
        }
        let timer = limit.map { limit in
            Task {
                try await clock.sleep(for: limit)
                sender.yield(nil)
            }
        }
        defer { timer?.cancel() }
        for await outcome in outcomes { return try outcome?.get() }
        throw CancellationError()
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
    /// Whether the answer arrived in time; a late one may be asked for again.
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
