import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Captures

/// Provider scripted by the test.
struct ScriptedProvider: EnrichmentProvider {
    var id: String
    var limit = Duration.seconds(3_600)
    var isAsked = true
    var answer: @Sendable (_ attempt: Int) async throws -> EnrichmentData?
    let attempts = Counter()

    func applies(to query: EnrichmentQuery) -> Bool { isAsked }
    func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? { try await answer(attempts.next()) }

    static func saying(_ id: String, title: String) -> ScriptedProvider {
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

extension EnrichmentData {
    static func titled(_ title: String) -> EnrichmentData {
        var data = EnrichmentData()
        data.title = title
        return data
    }
}

/// Providers at once: none costs another's answer.
@Suite(.inTurns, .endsWhatHangs) struct EnricherTests {
    static let query = EnrichmentQuery(kind: .book, time: Date(timeIntervalSince1970: 1_790_000_000))

    @Test(arguments: [true, false])
    func whatTheMostTrustedSaysStandsWhicheverCameFirst(isParallel: Bool) async throws {
        // Asked one after the other, the first one need not wait for the second.
        let (sure, answered) = AsyncStream.makeStream(of: Void.self)
        if !isParallel { answered.finish() }
        let first = ScriptedProvider(id: "slow") { _ in
            for await _ in sure {}
            var data = EnrichmentData.titled("From the slow one")
            data.descriptionText = "It alone knows this."
            return data
        }
        let answers = await Enricher([first, .saying("sure", title: "Emma")], isParallel: isParallel)
            .enrich(Self.query) { if $0.provider == "sure" { answered.finish() } }
        #expect(answers.map(\.provider) == ["slow", "sure"])
        let merged = Enricher.merged(answers)
        #expect(merged.title == "Emma")
        #expect(merged.descriptionText == "It alone knows this.")
    }

    @Test func nobodyToAskIsNoAnswer() async throws {
        var unasked = ScriptedProvider.saying("a", title: "A")
        unasked.isAsked = false
        #expect(try await Enricher([]).enrich(Self.query).isEmpty)
        #expect(try await Enricher([unasked]).enrich(Self.query).isEmpty)
        #expect(unasked.attempts.value == 0)
    }

    /// All ways to fail, for every subset of four providers: the others' answers are kept.
    @Test func noFailureCostsAnothersAnswer() async throws {
        struct Broken: Error {}
        let ways: [@Sendable (Int) async throws -> EnrichmentData?] = [
            { _ in throw Broken() }, { _ in throw EnrichmentError.refused("no") },
            { _ in throw EnrichmentError.transient("later") }, { _ in nil }, { _ in EnrichmentData() },
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
                var provider = ScriptedProvider(id: category) { attempt in
                    if failing & 1 << index != 0 { return try await way(attempt) }
                    var data = EnrichmentData()
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
            #expect(Enricher.merged(answers).categories == expected)
        }
    }

    @Test func whatMayPassIsTriedAgainAndWhatIsRefusedIsNot() async throws {
        let passing = ScriptedProvider(id: "passing") { attempt in
            if attempt < 3 { throw EnrichmentError.transient("busy") }
            return .titled("third")
        }
        let refusing = ScriptedProvider(id: "refusing") { _ in throw EnrichmentError.refused("no key") }
        let clock = ManualClock()
        async let asked = Enricher([passing, refusing], clock: clock).enrich(Self.query)
        for wait in [200, 400] { await clock.advance(whenSomebodySleeps: .milliseconds(wait)) }
        let answers = try await asked
        #expect(answers.map(\.outcome) == [.answered(.titled("third")), .failed("no key")])
        #expect(passing.attempts.value == 3)
        #expect(refusing.attempts.value == 1)
    }

    /// A server that answers with 5xx is asked once; the item asks it again after a pause.
    @Test func whoIsBusyIsNotAskedAgainAtOnce() async throws {
        let busy = ScriptedProvider(id: "busy") { _ in throw EnrichmentError.busy("500", wait: .seconds(900)) }
        let answers = try await Enricher([busy], clock: ManualClock()).enrich(Self.query)
        #expect(answers.map(\.outcome) == [.failed("500")] && busy.attempts.value == 1)
        #expect(answers.first?.problem?.isPassing == true && answers.first?.problem?.wait == 900)
    }

    /// A postponed provider was not asked; one after a failure failed for that.
    @Test func whatIsPostponedIsNotAskedAgain() async throws {
        let first = ScriptedProvider(id: "first") { _ in throw EnrichmentError.postponed("later") }
        let second = ScriptedProvider(id: "second") { attempt in
            throw attempt == 1 ? EnrichmentError.transient("429") : EnrichmentError.postponed("later")
        }
        let answers = try await Enricher([first, second], firstWait: .milliseconds(1)).enrich(Self.query)
        #expect(answers.map(\.outcome) == [.skipped("later"), .failed("429")])
        #expect(first.attempts.value == 1 && second.attempts.value == 2)
    }

    /// An answer that is heard is kept before the slowest has spoken.
    @Test func answersAreToldAsTheyCome() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        let slow = ScriptedProvider(id: "slow") { _ in
            for await _ in gate.stream { break }
            return .titled("slow")
        }
        let told = Mutex<[String]>([])
        await Enricher([slow, .saying("quick", title: "quick")]).enrich(Self.query) { answer in
            told.withLock { $0.append(answer.provider) }
            if answer.provider == "quick" { gate.continuation.yield() }
        }
        #expect(told.withLock { $0 } == ["quick", "slow"])
    }

    @Test func whoCannotKeepAnAnswerEndsIt() async throws {
        struct Full: Error {}
        await #expect(throws: Full.self) {
            try await Enricher([ScriptedProvider.saying("a", title: "A")]).enrich(Self.query) { _ in throw Full() }
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
        var known = EnrichmentData.titled("Why the sea is salt")
        var page = WebContext()
        page.textContent = String(repeating: "The sea is salt since rivers carry salt into it. ", count: 20)
        known.webContext = page
        var newer = EnrichmentData.titled(title)
        var challenge = WebContext()
        (challenge.textContent, challenge.siteName) = (text, "example.org")
        newer.webContext = challenge
        let before = known
        known.merge(newer)
        #expect(known.title == before.title)
        #expect(known.webContext?.textContent == page.textContent)
        // Missing facts are added nevertheless.
        #expect(known.webContext?.siteName == "example.org")
        // A page of equal length is a newer state of it.
        var update = EnrichmentData.titled("Why the sea is salt, revised")
        var longer = WebContext()
        longer.textContent = String(repeating: "The sea is salt since rocks dissolve. ", count: 25)
        update.webContext = longer
        known.merge(update)
        #expect(known.title == "Why the sea is salt, revised")
        #expect(known.webContext?.textContent == longer.textContent)
    }

    @Test func whoNeedsAPlacesNameIsAskedWhenThePlaceIsKnown() async {
        struct Search: EnrichmentProvider {
            let id = "search"
            let limit = Duration.seconds(60)
            func applies(to query: EnrichmentQuery) -> Bool { query.placeName != nil }
            func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
                var data = EnrichmentData()
                data.descriptionText = "All of \(query.placeName ?? "")."
                return data
            }
        }
        let place = ScriptedProvider(id: "place") { _ in
            var data = EnrichmentData()
            var place = PlaceContext()
            place.name = "Café Central"
            data.placeContext = place
            return data
        }
        for isParallel in [true, false] {
            let answers = await Enricher([Search(), place], isParallel: isParallel).enrich(Self.query) { _ in }
            #expect(answers.map(\.provider) == ["search", "place"])
            #expect(Enricher.merged(answers).descriptionText == "All of Café Central.")
        }
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
