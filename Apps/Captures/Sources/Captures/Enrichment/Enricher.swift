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
    func refined(by known: Facts) -> EnrichmentQuery {
        var query = self
        let page = known.webContext?.structuredData.flatMap(PageKind.init(structuredData:))
        let site = url.flatMap { MediaSite($0) }
        if kind == .web { query.kind = page?.itemKind ?? (site == nil ? .web : .media) }
        if page == .music || site == .music { query.isMusic = true } else if page == .film { query.isMusic = false }
        if let name = known.title?.known, !Facts.isWeak(title: name), Facts.isWeak(title: title ?? "") {
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
    /// Source in items, configurations and logs.
    var id: SourceID { get }
    /// Maximum time to wait for an answer: the original's, where that has such a provider.
    var limit: Duration { get }
    /// Returns whether a question has the facts that this provider needs.
    func applies(to query: EnrichmentQuery) -> Bool
    /// Returns the known facts; nil for none.
    func enrich(_ query: EnrichmentQuery) async throws -> Facts?
}

package struct ProviderAnswer: Sendable {
    package enum Outcome: Sendable, Equatable {
        case answered(Facts)
        case nothing
        case failed(String)
        case timedOut
        /// Not asked: its server failed repeatedly, or asked for a wait.
        case skipped(String)

        var words: String {
            switch self {
            case .answered: "answered"
            case .nothing: "found nothing"
            case .failed(let reason): "failed: \(reason)"
            case .timedOut: "did not answer in time"
            case .skipped(let reason): "not asked: \(reason)"
            }
        }
    }

    package var provider: SourceID
    package var outcome: Outcome
    package var duration = Duration.zero
    /// Whether another try may succeed, where it failed.
    var isPassing = false
    /// Wait before another try that the server asked for.
    var wait: Duration?

    /// Whether the source was asked.
    var isAsked: Bool { if case .skipped = outcome { false } else { true } }

    /// The provider with the reason of its failure ("timed out after 30 s"); nil when it succeeded.
    var problem: SourceProblem? {
        let reason: String
        switch outcome {
        case .answered, .nothing: return nil
        case .failed(let text): reason = text
        case .timedOut: reason = "timed out after \(Int((duration / .seconds(1)).rounded())) s"
        case .skipped: reason = outcome.words
        }
        let shown = TextSecrets(in: reason.bounded(to: 500)).redacted
        return SourceProblem(source: provider, reason: shown, isPassing: isPassing, wait: wait.map { $0 / .seconds(1) })
    }

    /// The answer as an item keeps it.
    var said: SourceAnswer {
        var facts = Facts()
        if case .answered(let found) = outcome { facts = found }
        return SourceAnswer(source: provider, facts: facts, failure: problem)
    }
}

extension [SourceProblem] {
    /// The sources with their reasons; nil for none.
    package var words: String? {
        isEmpty ? nil : map { "\($0.source.rawValue): \($0.reason)" }.joined(separator: "; ").bounded(to: 500)
    }
}

/// Asks providers at once, each within its own time: the whole takes as long as the slowest, and no failure costs
/// another's answer.
///
/// A provider that needs another one's answer is asked after it, within the rest of the longest limit. None is asked
/// twice: the item asks it again later.
package final class Enricher: Sendable {
    package let providers: [any EnrichmentProvider]
    private let time: ClientTime

    package init(_ providers: [any EnrichmentProvider], clock: any Clock<Duration> = ContinuousClock()) {
        (self.providers, time) = (providers, ClientTime(clock))
    }

    var sources: [SourceID] { providers.map(\.id) }

    /// Asks all providers whose needs are met, and then those whose needs these answers meet.
    ///
    /// With `only`, others are asked where these answers meet their needs.
    ///
    /// - Returns: the answers, those of the most trusted sources first.
    @discardableResult
    package func enrich(
        _ query: EnrichmentQuery,
        only: [SourceID]? = nil,
        onAnswer: @Sendable (ProviderAnswer) async throws -> Void = { _ in }
    ) async rethrows -> [ProviderAnswer] {
        let query = query.refined(by: Facts())
        let first = providers.filter { $0.applies(to: query) && only?.contains($0.id) != false }
        let start = time.now()
        var answers = try await ask(first, query, onAnswer)
        let refined = query.refined(by: Facts(of: answers))
        let second = providers.filter { provider in
            !first.contains { $0.id == provider.id } && provider.applies(to: refined)
                && (only == nil || !provider.applies(to: query))
        }
        let left = (first.map(\.limit).max() ?? .zero) - (time.now() - start)
        if left > .zero, !Task.isCancelled { answers += try await ask(second, refined, within: left, onAnswer) }
        return answers.sorted { $0.provider < $1.provider }
    }

    /// Returns the pictures of a page that was read, within ``PagePictures/limit``; none without a ``LinkProvider``.
    func pictures(of page: Facts?, for item: CapturedItem) async -> [PictureRole: NewPicture] {
        guard let page, let link = providers.lazy.compactMap({ $0 as? LinkProvider }).first else { return [:] }
        return await withTaskGroup(of: [PictureRole: NewPicture].self) { [time] group in
            group.addTask { await link.pictures(of: page, for: item) }
            group.addTask {
                try? await time.sleep(PagePictures.limit)
                return [:]
            }
            defer { group.cancelAll() }
            return await group.next() ?? [:]
        }
    }

    /// Asks providers, for no longer than that and than their own limits.
    private func ask(
        _ providers: [any EnrichmentProvider],
        _ query: EnrichmentQuery,
        within most: Duration? = nil,
        _ onAnswer: @Sendable (ProviderAnswer) async throws -> Void
    ) async rethrows -> [ProviderAnswer] {
        let (stream, continuation) = AsyncStream.makeStream(of: ProviderAnswer.self)
        var work: [SourceID: [Task<Void, Never>]] = [:]
        for provider in providers {
            work[provider.id] = start(provider, query, limit: min(provider.limit, most ?? provider.limit), continuation)
        }
        defer { for task in work.values.joined() { task.cancel() } }
        var answers: [ProviderAnswer] = []
        if work.isEmpty { continuation.finish() }
        for await answer in stream {
            // The timer stops; or the work does, if it timed out.
            guard let tasks = work.removeValue(forKey: answer.provider) else { continue }
            for task in tasks { task.cancel() }
            answers.append(answer)
            try await onAnswer(answer)
            if work.isEmpty { continuation.finish() }
        }
        return answers
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
        let (time, start) = (time, time.now())
        @Sendable func give(_ answer: ProviderAnswer) {
            var answer = answer
            answer.duration = time.now() - start
            answers.yield(answer)
        }
        let work = Task {
            let answer = await Self.ask(provider, query)
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

    private static func ask(_ provider: any EnrichmentProvider, _ query: EnrichmentQuery) async -> ProviderAnswer {
        var answer = ProviderAnswer(provider: provider.id, outcome: .nothing)
        do {
            if let facts = try await provider.enrich(query), facts != Facts() { answer.outcome = .answered(facts) }
        } catch EnrichmentError.busy(let reason, let wait) {
            (answer.outcome, answer.isPassing, answer.wait) = (.failed(reason), true, wait)
        } catch EnrichmentError.postponed(let reason, let wait) {
            (answer.outcome, answer.isPassing, answer.wait) = (.skipped(reason), true, wait)
        } catch {
            answer.isPassing = error is CancellationError
            answer.outcome = .failed(answer.isPassing ? "it was cancelled" : "\(error)")
        }
        return answer
    }
}

extension Facts {
    /// Creates the facts that sources answered.
    init(of answers: [ProviderAnswer]) { self.init(folding: answers.map(\.said)) }
}
