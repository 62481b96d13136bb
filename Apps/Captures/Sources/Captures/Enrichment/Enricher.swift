import CaptureReading
package import Foundation
import Talaria

package struct EnrichmentQuery: Sendable {
    package var url: URL?
    /// A book's number, digits alone.
    package var isbn: String?
    package var title: String?
    package var authors: [String] = []
    package var coordinate: Coordinate?
    /// Name of the place where it was captured; nil where that is not known, and for the user's home.
    package var placeName: String?
    /// Whether it is music; nil where that is not known.
    var isMusic: Bool?
    /// Beginning of the text that was seen, without secrets; nil for none.
    package var seenText: String?
    package var time: Date
    var askedAt: Date
    package var kind: ItemKind

    /// Maximum age of a measured location (the original: five minutes).
    package static let oldest: TimeInterval = 300

    package init(kind: ItemKind, time: Date, askedAt: Date = Date()) {
        (self.kind, self.time, self.askedAt) = (kind, time, askedAt)
    }

    /// Location, if it was measured within ``oldest`` of the question, so that current answers were valid then.
    var freshCoordinate: Coordinate? {
        guard let coordinate else { return nil }
        guard let measured = coordinate.measuredAt else { return coordinate }
        return abs(askedAt.timeIntervalSince(measured)) <= Self.oldest ? coordinate : nil
    }

    /// Returns the question with the known facts of its subject: the kind of page, its title, a book's number, the
    /// place's name.
    func refined(by known: EnrichmentData) -> EnrichmentQuery {
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

extension PageKind {
    fileprivate var itemKind: ItemKind {
        switch self {
        case .product: .product
        case .music, .film: .media
        case .page: .web
        }
    }
}

package protocol EnrichmentProvider: Sendable {
    /// Name in configurations and logs.
    var id: String { get }
    /// Maximum time to wait for an answer: the original's, where that has such a provider.
    var limit: Duration { get }
    /// Returns whether a question has the facts that this provider needs.
    func applies(to query: EnrichmentQuery) -> Bool
    /// Returns the known facts; nil for none.
    func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData?
    /// Provider of pages that this is, or that it asks; nil for any other.
    var links: LinkProvider? { get }
}

extension EnrichmentProvider {
    package var links: LinkProvider? { self as? LinkProvider }
}

/// Provider that the person can switch off.
package struct SwitchedProvider: EnrichmentProvider {
    private let provider: any EnrichmentProvider
    private let isOn: @Sendable (String) -> Bool

    /// Creates it; `isOn` returns whether the provider with a name may be asked, at each question.
    package init(_ provider: any EnrichmentProvider, isOn: @escaping @Sendable (String) -> Bool) {
        (self.provider, self.isOn) = (provider, isOn)
    }

    package var id: String { provider.id }
    package var limit: Duration { provider.limit }
    package func applies(to query: EnrichmentQuery) -> Bool { isOn(id) && provider.applies(to: query) }
    package func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? { try await provider.enrich(query) }
    package var links: LinkProvider? { provider.links }
}

package struct ProviderAnswer: Sendable {
    package enum Outcome: Sendable, Equatable {
        case answered(EnrichmentData)
        case nothing
        case failed(String)
        case timedOut
        /// Not asked: its server failed repeatedly, or asked for a wait.
        case skipped(String)
    }

    package var provider: String
    package var outcome: Outcome
    package var duration = Duration.zero
    /// Whether another try may succeed, where it failed.
    var isPassing = false
    /// Wait before another try that the server asked for.
    var wait: Duration?
}

/// Asks providers at once, each within its own time: the whole takes as long as the slowest, and no failure costs
/// another's answer.
///
/// A provider that needs another one's answer is asked after it, within the rest of the longest limit.
package final class Enricher: Sendable {
    /// Providers in ascending order of trust: a later one overrides the fields of an earlier one.
    package let providers: [any EnrichmentProvider]
    /// Whether they are asked at once, or one after the other: for the comparison of both.
    package let isParallel: Bool
    /// Maximum number of attempts per provider; one after a failure that a retry cannot resolve.
    static let mostAttempts = 3
    private let time: ClientTime
    /// Wait before the first further try; it doubles.
    private let firstWait: Duration

    /// Providers in order of trust, the least first.
    package init(
        _ providers: [any EnrichmentProvider],
        isParallel: Bool = true,
        firstWait: Duration = .milliseconds(200),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.providers, self.isParallel, self.firstWait) = (providers, isParallel, firstWait)
        time = ClientTime(clock)
    }

    /// Asks all providers whose needs are met, and then those whose needs these answers meet.
    ///
    /// With `only`, others are asked where these answers meet their needs.
    ///
    /// - Returns: the answers in the order of ``providers``.
    @discardableResult
    package func enrich(
        _ query: EnrichmentQuery,
        only: [String]? = nil,
        onAnswer: @Sendable (ProviderAnswer) async throws -> Void = { _ in }
    ) async rethrows -> [ProviderAnswer] {
        let query = query.refined(by: EnrichmentData())
        let first = providers.filter { $0.applies(to: query) && only?.contains($0.id) != false }
        let start = time.now()
        var answers = try await askAll(first, query, onAnswer)
        let refined = query.refined(by: Self.merged(inOrder(answers)))
        let second = providers.filter { provider in
            answers[provider.id] == nil && provider.applies(to: refined)
                && (only == nil || !provider.applies(to: query))
        }
        let left = (first.map { $0.limit }.max() ?? .zero) - (time.now() - start)
        if !second.isEmpty, !isParallel || left > .zero, !Task.isCancelled {
            let more = try await askAll(second, refined, within: isParallel ? left : nil, onAnswer)
            answers.merge(more) { $1 }
        }
        return inOrder(answers)
    }

    /// Returns the pictures of a page that was read, within ``PagePictures/limit``; none without a ``LinkProvider``.
    func pictures(of found: EnrichmentData, for item: CapturedItem) async -> [PictureRole: NewPicture] {
        guard found.sources["site"] == "link" || found.sources["address"] == "link",
            let link = providers.lazy.compactMap(\.links).first
        else { return [:] }
        return await withTaskGroup(of: [PictureRole: NewPicture].self) { [time] group in
            group.addTask { await link.pictures(of: found, for: item) }
            group.addTask {
                try? await time.sleep(PagePictures.limit)
                return [:]
            }
            defer { group.cancelAll() }
            return await group.next() ?? [:]
        }
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
                // The timer stops; or the work does, if it timed out.
                for task in work[answer.provider] ?? [] { task.cancel() }
                answers[answer.provider] = answer
                try await onAnswer(answer)
                if group.allSatisfy({ answers[$0.id] != nil }) { break }
            }
        }
        return answers
    }

    /// Returns the merged answers, in order of trust and independent of their arrival.
    package static func merged(_ answers: [ProviderAnswer]) -> EnrichmentData {
        answers.reduce(into: EnrichmentData()) { known, answer in
            if case .answered(let data) = answer.outcome { known.merge(data.credited(to: answer.provider)) }
        }
    }

    /// Starts a provider's work and its timer: the first one to end gives the answer that counts.
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
        @Sendable func give(_ answer: ProviderAnswer) {
            var answer = answer
            answer.duration = time.now() - start
            answers.yield(answer)
        }
        let work = Task {
            let answer = await ask(provider, query, until: start + limit)
            // The timeout has passed and has been recorded, or the caller has been cancelled.
            if !Task.isCancelled { give(answer) }
        }
        let timer = Task {
            try? await time.sleep(limit)
            guard !Task.isCancelled else { return }
            work.cancel()
            give(ProviderAnswer(provider: provider.id, outcome: .timedOut, isPassing: true))
        }
        return [work, timer]
    }

    private func ask(
        _ provider: any EnrichmentProvider,
        _ query: EnrichmentQuery,
        until end: Duration
    ) async -> ProviderAnswer {
        func answer(_ outcome: ProviderAnswer.Outcome, isPassing: Bool = false, wait: Duration? = nil) -> ProviderAnswer
        {
            ProviderAnswer(provider: provider.id, outcome: outcome, isPassing: isPassing, wait: wait)
        }
        var wait = firstWait
        var attempt = 1
        var failure: String?
        while true {
            do {
                guard let data = try await provider.enrich(query), data != EnrichmentData() else {
                    return answer(.nothing)
                }
                return answer(.answered(data))
            } catch EnrichmentError.busy(let reason, let wait) {
                return answer(.failed(reason), isPassing: true, wait: wait)
            } catch EnrichmentError.transient(let reason) {
                guard attempt < Self.mostAttempts, time.now() + wait < end else {
                    return answer(.failed(reason), isPassing: true)
                }
                do { try await time.sleep(wait) } catch { return answer(.failed(reason), isPassing: true) }
                (attempt, wait, failure) = (attempt + 1, wait * 2, reason)
            } catch EnrichmentError.postponed(let reason) {
                return answer(failure.map { .failed($0) } ?? .skipped(reason), isPassing: true)
            } catch {
                let isCancelled = error is CancellationError
                return answer(.failed(isCancelled ? "it was cancelled" : "\(error)"), isPassing: isCancelled)
            }
        }
    }
}
