import CaptureReading
import Foundation
import Talaria

package struct EnrichmentQuery: Sendable {
    var kind: ItemKind
    var url: URL?
    /// A book's number, digits alone.
    var isbn: String?
    var title: String?
    var authors: [String] = []
    var coordinate: Coordinate?
    /// Name of the place where it was captured; nil where that is not known, and for the user's home.
    var placeName: String?
    /// Whether it is music; nil where that is not known.
    var isMusic: Bool?
    /// Beginning of the text that was seen, without secrets; nil for none.
    var seenText: String?
    var askedAt = Date()

    /// Maximum age of a measured location (the original: five minutes).
    static let oldest: TimeInterval = 300

    /// Location, if it was measured within ``oldest`` of the question, so that current answers were valid then.
    var freshCoordinate: Coordinate? {
        guard let measured = coordinate?.measuredAt else { return coordinate }
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

/// Asks providers at once, each within its own time: the whole takes as long as the slowest, and no failure costs
/// another's answer.
///
/// A provider that needs another one's answer is asked after it, within the rest of the longest limit. None is asked
/// twice: the item asks it again later.
package final class Enricher: Sendable {
    private let providers: [any EnrichmentProvider]
    private let clock: any Clock<Duration>
    private let time: ClientTime

    typealias Handler = @Sendable (SourceAnswer, Duration) async throws -> Void

    package init(_ providers: [any EnrichmentProvider], clock: any Clock<Duration> = ContinuousClock()) {
        (self.providers, self.clock, time) = (providers, clock, ClientTime(clock))
    }

    var sources: [SourceID] { providers.map(\.id) }

    /// Asks all providers whose needs are met, and then those whose needs these answers meet.
    ///
    /// With `only`, others are asked where these answers meet their needs. `onAnswer` gets each answer when it comes,
    /// with the time that it took.
    ///
    /// - Returns: the answers, those of the most trusted sources first.
    @discardableResult
    func enrich(
        _ query: EnrichmentQuery,
        only: [SourceID]? = nil,
        onAnswer: Handler = { _, _ in }
    ) async rethrows -> [SourceAnswer] {
        let first = providers.filter { $0.applies(to: query) && only?.contains($0.id) != false }
        let start = time.now()
        var answers = try await ask(first, query, onAnswer)
        let refined = query.refined(by: Facts(folding: answers))
        let second = providers.filter { provider in
            !first.contains { $0.id == provider.id } && provider.applies(to: refined)
                && (only == nil || !provider.applies(to: query))
        }
        let left = (first.map(\.limit).max() ?? .zero) - (time.now() - start)
        if left > .zero, !Task.isCancelled { answers += try await ask(second, refined, most: left, onAnswer) }
        return answers.sorted { $0.source < $1.source }
    }

    /// Returns the pictures of a page that was read, within ``PagePictures/limit``; none without a ``LinkProvider``.
    func pictures(of page: Facts?, for item: CapturedItem) async -> [PictureRole: NewPicture] {
        guard let page, let link = providers.first(where: { $0.id == .link }) as? LinkProvider else { return [:] }
        return
            (try? await within(PagePictures.limit, "", on: clock) { await link.pictures.pictures(of: page, for: item) })
            ?? [:]
    }

    /// Asks providers, for no longer than `most` and than their own limits.
    ///
    /// Work and timer of a provider do not wait for each other: the first one to end gives the answer that counts, and a
    /// provider that does not heed cancellation is left behind.
    private func ask(
        _ providers: [any EnrichmentProvider],
        _ query: EnrichmentQuery,
        most: Duration? = nil,
        _ onAnswer: Handler
    ) async rethrows -> [SourceAnswer] {
        let (stream, results) = AsyncStream.makeStream(of: (SourceAnswer, Duration).self)
        let (time, start) = (time, time.now())
        let tasks = providers.flatMap { provider in
            let limit = min(provider.limit, most ?? provider.limit)
            let work = Task {
                let answer = await Self.ask(provider, query)
                // The timeout has passed and has been recorded, or the caller has been cancelled.
                if !Task.isCancelled { results.yield((answer, time.now() - start)) }
            }
            let timer = Task {
                guard (try? await time.sleep(limit)) != nil else { return }
                work.cancel()
                let late = EnrichmentError.busy("timed out after \(Int((limit / .seconds(1)).rounded(.up))) s")
                let answer = SourceAnswer(source: provider.id, failure: SourceProblem(provider.id, late))
                results.yield((answer, limit))
            }
            return [work, timer]
        }
        defer { for task in tasks { task.cancel() } }
        var answers: [SourceAnswer] = []
        if providers.isEmpty { return [] }
        for await (answer, duration) in stream where !answers.contains(where: { $0.source == answer.source }) {
            answers.append(answer)
            try await onAnswer(answer, duration)
            if answers.count == providers.count { break }
        }
        return answers
    }

    private static func ask(_ provider: any EnrichmentProvider, _ query: EnrichmentQuery) async -> SourceAnswer {
        do { return SourceAnswer(source: provider.id, facts: try await provider.enrich(query) ?? Facts()) } catch {
            return SourceAnswer(source: provider.id, failure: SourceProblem(provider.id, error))
        }
    }
}
