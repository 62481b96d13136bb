import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Captures

/// Provider scripted by the test.
struct ScriptedProvider: EnrichmentProvider {
    var id: SourceID
    var limit = Duration.seconds(3_600)
    var isAsked = true
    var answer: @Sendable (_ attempt: Int) async throws -> Facts?
    let attempts = Counter()

    func applies(to query: EnrichmentQuery) -> Bool { isAsked }
    func enrich(_ query: EnrichmentQuery) async throws -> Facts? { try await answer(attempts.next()) }

    static func saying(_ id: SourceID, title: String) -> ScriptedProvider {
        ScriptedProvider(id: id) { _ in .titled(title) }
    }
}

final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

extension Facts {
    static func titled(_ title: String) -> Facts {
        var data = Facts()
        data.title = title
        return data
    }
}

/// Providers at once: none costs another's answer.
@Suite(.inTurns, .endsWhatHangs) struct EnricherTests {
    static let query = EnrichmentQuery(kind: .book, time: Date(timeIntervalSince1970: 1_790_000_000))

    @Test func whatTheMostTrustedSaysStandsWhicheverCameFirst() async throws {
        let (sure, answered) = AsyncStream.makeStream(of: Void.self)
        let first = ScriptedProvider(id: .place) { _ in
            for await _ in sure {}
            var data = Facts.titled("From the slow one")
            data.descriptionText = "It alone knows this."
            return data
        }
        let answers = await Enricher([first, .saying(.link, title: "Emma")])
            .enrich(Self.query) { if $0.provider == .link { answered.finish() } }
        #expect(answers.map(\.provider) == [.link, .place])
        let merged = Facts(of: answers)
        #expect(merged.title == "Emma")
        #expect(merged.descriptionText == "It alone knows this.")
    }

    @Test func nobodyToAskIsNoAnswer() async throws {
        var unasked = ScriptedProvider.saying(.link, title: "A")
        unasked.isAsked = false
        #expect(try await Enricher([]).enrich(Self.query).isEmpty)
        #expect(try await Enricher([unasked]).enrich(Self.query).isEmpty)
        #expect(unasked.attempts.value == 0)
    }

    /// All ways to fail, for every subset of four providers: the others' answers are kept.
    @Test func noFailureCostsAnothersAnswer() async throws {
        struct Broken: Error {}
        let ways: [@Sendable (Int) async throws -> Facts?] = [
            { _ in throw Broken() }, { _ in throw EnrichmentError.refused("no") },
            { _ in throw EnrichmentError.busy("later") }, { _ in nil }, { _ in Facts() },
            { _ in throw CancellationError() },
            // Heeds no cancellation: its time is up all the same.
            { _ in
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                return .titled("too late")
            },
        ]
        let clock = ManualClock()
        let limit = Duration.seconds(7)
        for failing in 0..<16 {
            let providers = (0..<4).map { index -> ScriptedProvider in
                let category = "\(index)"
                let way = ways[(failing + 3 * index) % ways.count]
                var provider = ScriptedProvider(id: [.link, .books, .place, .weather][index]) { attempt in
                    if failing & 1 << index != 0 { return try await way(attempt) }
                    var data = Facts()
                    data.categories = [category]
                    return data
                }
                if failing & 1 << index != 0 { provider.limit = limit }
                return provider
            }
            let mover = Task {
                while !Task.isCancelled {
                    // Only those that fail have a time that ends, and a wait before another try.
                    if let next = clock.sleepers.filter({ $0 <= limit }).min() { clock.advance(by: next) }
                    await Task.yield()
                }
            }
            let answers = try await Enricher(providers, clock: clock).enrich(Self.query)
            mover.cancel()
            #expect(answers.count == 4)
            let expected = (0..<4).filter { failing & 1 << $0 == 0 }.map { "\($0)" }
            #expect(Facts(of: answers).categories == expected)
        }
    }

    /// Whatever it fails for, a source is asked once; the item asks again after a pause, where that may help.
    @Test(
        arguments: [
            (.busy("503", wait: .seconds(900)), .failed("503"), true, 900),
            (.busy("it broke off"), .failed("it broke off"), true, nil),
            (.refused("no key"), .failed("no key"), false, nil),
            (.postponed("later", wait: .seconds(30)), .skipped("later"), true, 30),
        ] as [(EnrichmentError, ProviderAnswer.Outcome, Bool, Double?)]
    )
    func whoFailsIsNotAskedAgainAtOnce(
        error: EnrichmentError,
        outcome: ProviderAnswer.Outcome,
        isPassing: Bool,
        wait: Double?
    ) async throws {
        let failing = ScriptedProvider(id: .link) { _ in throw error }
        let answer = try #require(try await Enricher([failing], clock: ManualClock()).enrich(Self.query).first)
        #expect(answer.outcome == outcome && failing.attempts.value == 1)
        #expect(answer.problem?.isPassing == isPassing && answer.problem?.wait == wait)
    }

    /// An answer that is heard is kept before the slowest has spoken.
    @Test func answersAreToldAsTheyCome() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        let slow = ScriptedProvider(id: .books) { _ in
            for await _ in gate.stream { break }
            return .titled("slow")
        }
        let told = Mutex<[SourceID]>([])
        await Enricher([slow, .saying(.link, title: "quick")]).enrich(Self.query) { answer in
            told.withLock { $0.append(answer.provider) }
            if answer.provider == .link { gate.continuation.yield() }
        }
        #expect(told.withLock { $0 } == [.link, .books])
    }

    @Test func whoCannotKeepAnAnswerEndsIt() async throws {
        struct Full: Error {}
        await #expect(throws: Full.self) {
            try await Enricher([ScriptedProvider.saying(.link, title: "A")]).enrich(Self.query) { _ in throw Full() }
        }
    }

    /// Interstitials do not replace the known facts of a page.
    @Test(arguments: [
        ("Just a moment...", "Please verify you are a human."),
        ("Seite nicht gefunden", "Die Seite wurde nicht gefunden."),
        ("Access denied", "You don't have permission to access this page."),
        ("", "Sign in to continue."),
    ])
    func aChallengeReplacesNoArticle(title: String, text: String) {
        var known = Facts.titled("Why the sea is salt")
        var page = WebContext()
        page.textContent = String(repeating: "The sea is salt since rivers carry salt into it. ", count: 20)
        known.webContext = page
        var newer = Facts.titled(title)
        var challenge = WebContext()
        (challenge.textContent, challenge.siteName) = (text, "example.org")
        newer.webContext = challenge
        let before = known
        var answers = [SourceAnswer(source: .link, facts: known)]
        answers.keep(SourceAnswer(source: .link, facts: newer))
        known = Facts(folding: answers)
        #expect(known.title == before.title)
        #expect(known.webContext?.textContent == page.textContent)
        // Missing facts are added nevertheless.
        #expect(known.webContext?.siteName == "example.org")
        // A page of equal length is a newer state of it.
        var update = Facts.titled("Why the sea is salt, revised")
        var longer = WebContext()
        longer.textContent = String(repeating: "The sea is salt since rocks dissolve. ", count: 25)
        update.webContext = longer
        answers.keep(SourceAnswer(source: .link, facts: update))
        known = Facts(folding: answers)
        #expect(known.title == "Why the sea is salt, revised")
        #expect(known.webContext?.textContent == longer.textContent)
    }

    @Test func whoNeedsAPlacesNameIsAskedWhenThePlaceIsKnown() async {
        struct Search: EnrichmentProvider {
            let id = SourceID.music
            let limit = Duration.seconds(60)
            func applies(to query: EnrichmentQuery) -> Bool { query.placeName != nil }
            func enrich(_ query: EnrichmentQuery) async throws -> Facts? {
                var data = Facts()
                data.descriptionText = "All of \(query.placeName ?? "")."
                return data
            }
        }
        let place = ScriptedProvider(id: .place) { _ in
            var data = Facts()
            var place = PlaceContext()
            place.name = "Café Central"
            data.placeContext = place
            return data
        }
        let answers = await Enricher([Search(), place]).enrich(Self.query) { _ in }
        #expect(answers.map(\.provider) == [.place, .music])
        #expect(Facts(of: answers).descriptionText == "All of Café Central.")
        #expect(await Enricher([Search()]).enrich(Self.query) { _ in }.isEmpty)
    }

    /// A place counts for five minutes from its measurement to the question, independent of the picture's time.
    @Test(arguments: [(0.0, true), (300, true), (301, false), (-301, false)])
    func anOldPlaceIsNotUsed(age: Double, isFresh: Bool) {
        var query = Self.query
        query.askedAt = Self.query.time.addingTimeInterval(86_400)
        query.coordinate = Coordinate(
            latitude: 48.2,
            longitude: 16.4,
            measuredAt: query.askedAt.addingTimeInterval(-age)
        )
        #expect((query.freshCoordinate != nil) == isFresh)
    }
}
