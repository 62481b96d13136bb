public import Foundation
import Synchronization
import Talaria

/// What providers are asked about.
public struct EnrichmentQuery: Sendable {
    /// An address of the web.
    public var url: URL?
    /// A book's number, digits alone.
    public var isbn: String?
    /// A title that was guessed.
    public var title: String?
    /// Authors of it.
    public var authors: [String] = []
    /// Where it was captured.
    public var coordinate: Coordinate?
    /// Name of the place where it was captured; nil where that is not known, and for the user's home.
    public var placeName: String?
    /// Whether it is music; nil where that is not known.
    public var isMusic: Bool?
    /// How the device moved when it was captured; nil where that was not recorded.
    public var motion: MotionRecord?
    /// When it was captured.
    public var time: Date
    /// When it is asked.
    public var askedAt: Date
    /// Class of the thing.
    public var kind: ItemKind

    /// How old a measured place may be (the original: five minutes).
    public static let oldest: TimeInterval = 300

    /// A question about something of a kind.
    public init(kind: ItemKind, time: Date, askedAt: Date = Date()) {
        (self.kind, self.time, self.askedAt) = (kind, time, askedAt)
    }

    /// The place, where it was measured within ``oldest`` of the question: what is said of it now was so then.
    public var freshCoordinate: Coordinate? {
        guard let coordinate else { return nil }
        guard let measured = coordinate.measuredAt else { return coordinate }
        return abs(askedAt.timeIntervalSince(measured)) <= Self.oldest ? coordinate : nil
    }

    /// The question with what is known of its thing: what kind of page it is, its title, a book's number, the place's name.
    package func refined(by known: EnrichmentData) -> EnrichmentQuery {
        var query = self
        let page = known.webContext?.structuredData.flatMap(PageKind.init(structuredData:))
        let site = url.flatMap { MediaSite($0) }
        if kind == .web { query.kind = page?.itemKind ?? (site == nil ? .web : .media) }
        if page == .music || site == .music { query.isMusic = true } else if page == .film { query.isMusic = false }
        if let name = known.title?.known, !EnrichmentData.isWeak(title: name),
            EnrichmentData.isWeak(title: title ?? "")
        {
            query.title = name
        }
        query.isbn = isbn ?? known.bookContext?.isbn
        if let place = known.placeContext, !place.isHome { query.placeName = placeName ?? place.name?.known }
        return query
    }
}

/// A source of what is known of a thing.
public protocol EnrichmentProvider: Sendable {
    /// Name, as configurations and logs have it.
    var id: String { get }
    /// How long it is waited for.
    var limit: Duration { get }
    /// Whether a question has what this one needs.
    func applies(to query: EnrichmentQuery) -> Bool
    /// What is known; nil for nothing.
    ///
    /// - Throws: ``EnrichmentError``; after one that is transient, it is asked again as long as there is time.
    func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData?
}

/// Answer of one provider.
public struct ProviderAnswer: Sendable {
    /// What came of asking it.
    public enum Outcome: Sendable, Equatable {
        case answered(EnrichmentData)
        case nothing
        case failed(String)
        case timedOut
        /// It was not asked: its server failed again and again, or asked for a wait.
        case skipped(String)
    }

    /// The provider.
    public var provider: String
    /// What came of it.
    public var outcome: Outcome
    /// How long it took.
    public var duration: Duration
}

/// Asks providers at once, each within its own time: the whole takes as long as the slowest, and no failure costs another's answer.
///
/// Who needs what another one says is asked after that, in what is left of the longest time.
public final class Enricher: Sendable {
    /// In order of trust, the least first: what a later one says of a field stands.
    public let providers: [any EnrichmentProvider]
    /// Whether they are asked at once, or one after the other: for the comparison of both.
    public let isParallel: Bool
    /// How often a provider is asked at most; after a failure that another try will not mend, once.
    public static let mostAttempts = 3
    private let time: ClientTime
    /// Wait before the first further try; it doubles.
    private let firstWait: Duration

    /// Providers in order of trust, the least first.
    public init(
        _ providers: [any EnrichmentProvider],
        isParallel: Bool = true,
        firstWait: Duration = .milliseconds(200),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.providers = providers
        self.isParallel = isParallel
        self.firstWait = firstWait
        time = ClientTime(clock)
    }

    /// Asks all whose needs are met, and then those whose needs are met by what these said.
    ///
    /// - Parameters:
    ///   - query: the question.
    ///   - onAnswer: told of each answer when it comes, one at a time.
    /// - Returns: the answers in the order of ``providers``.
    @discardableResult
    public func enrich(
        _ query: EnrichmentQuery,
        onAnswer: @Sendable (ProviderAnswer) async throws -> Void = { _ in }
    ) async rethrows -> [ProviderAnswer] {
        let query = query.refined(by: EnrichmentData())
        let first = providers.filter { $0.applies(to: query) }
        let start = time.now()
        var answers = try await askAll(first, query, onAnswer)
        let refined = query.refined(by: Self.merged(inOrder(answers)))
        let second = providers.filter { answers[$0.id] == nil && $0.applies(to: refined) }
        let left = (first.map { $0.limit }.max() ?? .zero) - (time.now() - start)
        if !second.isEmpty, !isParallel || left > .zero, !Task.isCancelled {
            let more = try await askAll(second, refined, within: isParallel ? left : nil, onAnswer)
            answers.merge(more) { $1 }
        }
        return inOrder(answers)
    }

    private func inOrder(_ answers: [String: ProviderAnswer]) -> [ProviderAnswer] {
        providers.compactMap { answers[$0.id] }
    }

    /// Asks providers, for no longer than that and than their own limits; the answers by providers.
    private func askAll(
        _ asked: [any EnrichmentProvider],
        _ query: EnrichmentQuery,
        within most: Duration? = nil,
        _ onAnswer: @Sendable (ProviderAnswer) async throws -> Void
    ) async rethrows -> [String: ProviderAnswer] {
        var answers: [String: ProviderAnswer] = [:]
        let groups: [[any EnrichmentProvider]] = isParallel ? [asked] : asked.map { [$0] }
        for group in groups where !group.isEmpty {
            let (stream, continuation) = AsyncStream.makeStream(of: ProviderAnswer.self)
            var work: [String: [Task<Void, Never>]] = [:]
            for provider in group {
                let limit = min(provider.limit, most ?? provider.limit)
                work[provider.id, default: []] += start(provider, query, limit: limit, continuation)
            }
            defer { for task in work.values.joined() { task.cancel() } }
            for await answer in stream where answers[answer.provider] == nil {
                // Its clock stops; or its work does, where that was what ended.
                for task in work[answer.provider] ?? [] { task.cancel() }
                answers[answer.provider] = answer
                try await onAnswer(answer)
                if group.allSatisfy({ answers[$0.id] != nil }) { break }
            }
        }
        return answers
    }

    /// What all answers say together: in order of trust, whichever came first.
    public static func merged(_ answers: [ProviderAnswer]) -> EnrichmentData {
        answers.reduce(into: EnrichmentData()) { known, answer in
            if case .answered(let data) = answer.outcome { known.merge(data) }
        }
    }

    /// The work of a provider and its clock: whichever ends first gives the answer.
    ///
    /// Neither waits for the other: a provider that does not heed cancellation is left behind.
    private func start(
        _ provider: any EnrichmentProvider,
        _ query: EnrichmentQuery,
        limit: Duration,
        _ answers: AsyncStream<ProviderAnswer>.Continuation
    ) -> [Task<Void, Never>] {
        let time = time
        let start = time.now()
        @Sendable func answer(_ outcome: ProviderAnswer.Outcome) {
            answers.yield(ProviderAnswer(provider: provider.id, outcome: outcome, duration: time.now() - start))
        }
        let end = FirstToEnd()
        let work = Task {
            let outcome = await ask(provider, query, until: start + limit)
            // Its time was up and has been noted, or nobody waits for it any more.
            guard !Task.isCancelled, end.isMine() else { return }
            answer(outcome)
        }
        let timer = Task {
            try? await time.sleep(limit)
            guard !Task.isCancelled, end.isMine() else { return }
            work.cancel()
            answer(.timedOut)
        }
        return [work, timer]
    }

    private func ask(
        _ provider: any EnrichmentProvider,
        _ query: EnrichmentQuery,
        until end: Duration
    ) async -> ProviderAnswer.Outcome {
        var wait = firstWait
        var attempt = 1
        var failure: String?
        while true {
            do {
                guard let data = try await provider.enrich(query), data != EnrichmentData() else { return .nothing }
                return .answered(data)
            } catch EnrichmentError.transient(let reason) {
                guard attempt < Self.mostAttempts, time.now() + wait < end else { return .failed(reason) }
                do { try await time.sleep(wait) } catch { return .failed(reason) }
                (attempt, wait, failure) = (attempt + 1, wait * 2, reason)
            } catch EnrichmentError.postponed(let reason) {
                return failure.map { .failed($0) } ?? .skipped(reason)
            } catch {
                return .failed(error is CancellationError ? "it was cancelled" : "\(error)")
            }
        }
    }
}

/// Which of two came first: work or its clock.
private final class FirstToEnd: Sendable {
    private let isTaken = Mutex(false)

    /// Whether whoever asks is the first to do so.
    func isMine() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }
}
