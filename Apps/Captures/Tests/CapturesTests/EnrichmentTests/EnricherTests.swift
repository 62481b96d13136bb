import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Captures

/// Providers at once: none costs another's answer.
@Suite(.inTurns, .endsWhatHangs) struct EnricherTests {
    static let query = EnrichmentQuery(kind: .book)

    @Test func whatTheMostTrustedSaysStandsWhicheverCameFirst() async throws {
        let (sure, answered) = AsyncStream.makeStream(of: Void.self)
        let slow = Source(.place) { _, _ in
            for await _ in sure {}
            return Facts(title: "From the slow one", descriptionText: "It alone knows this.")
        }
        // An answer that came is kept before the slowest has spoken.
        let came = Mutex<[SourceID]>([])
        let answers = await Enricher([slow, Source(.link, Facts(title: "Emma"))]).enrich(Self.query) { answer, _ in
            came.withLock { $0.append(answer.source) }
            if answer.source == .link { answered.finish() }
        }
        #expect(came.withLock { $0 } == [.link, .place] && answers.map(\.source) == [.link, .place])
        #expect(Facts(folding: answers) == Facts(title: "Emma", descriptionText: "It alone knows this."))
    }

    @Test func nobodyToAskIsNoAnswer() async throws {
        let unasked = Source(.link, needs: { _ in false }, Facts(title: "A"))
        #expect(try await Enricher([]).enrich(Self.query).isEmpty)
        #expect(try await Enricher([unasked]).enrich(Self.query).isEmpty)
        #expect(unasked.queries.isEmpty)
    }

    /// All ways to fail, for every subset of four providers: the others' answers are kept.
    @Test func noFailureCostsAnothersAnswer() async throws {
        struct Broken: Error {}
        let ways: [@Sendable (EnrichmentQuery) async throws -> Facts?] = [
            { _ in throw Broken() }, { _ in throw EnrichmentError.refused("no") },
            { _ in throw EnrichmentError.busy("later") }, { _ in nil }, { _ in Facts() },
            { _ in throw CancellationError() },
            // Heeds no cancellation: its time is up all the same.
            { _ in
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                return Facts(title: "too late")
            },
        ]
        let clock = ManualClock()
        let limit = Duration.seconds(7)
        for failing in 0..<16 {
            let works = (0..<4).filter { failing & 1 << $0 == 0 }
            let providers = (0..<4).map { index in
                let way = ways[(failing + 3 * index) % ways.count]
                let isWorking = works.contains(index)
                let limit = isWorking ? Duration.seconds(3_600) : limit
                return Source([.link, .books, .place, .weather][index], limit: limit) { query, _ in
                    isWorking ? Facts(categories: ["\(index)"]) : try await way(query)
                }
            }
            let mover = Task {
                while !Task.isCancelled {
                    // Only those that fail have a time that ends.
                    if let next = clock.sleepers.filter({ $0 <= limit }).min() { clock.advance(by: next) }
                    await Task.yield()
                }
            }
            let answers = try await Enricher(providers, clock: clock).enrich(Self.query)
            mover.cancel()
            #expect(answers.count == 4 && Facts(folding: answers).categories == works.map { "\($0)" })
        }
    }

    /// Whatever it fails for, a source is asked once; the item asks again after a pause, where that may help.
    @Test(
        arguments: [
            (.busy("503", wait: .seconds(900)), "503", true, 900, nil),
            (.busy("it broke off"), "it broke off", true, nil, nil),
            (.refused("no key"), "no key", false, nil, nil),
            (.postponed("later", wait: .seconds(30)), "not asked: later", true, 30, true),
        ] as [(EnrichmentError, String, Bool, Double?, Bool?)]
    )
    func whoFailsIsNotAskedAgainAtOnce(
        error: EnrichmentError,
        reason: String,
        isPassing: Bool,
        wait: Double?,
        isUnasked: Bool?
    ) async throws {
        let failing = Source(.link) { _, _ in throw error }
        let answers = try await Enricher([failing], clock: ManualClock()).enrich(Self.query)
        var problem = SourceProblem(source: .link, reason: reason, isPassing: isPassing, wait: wait)
        problem.isUnasked = isUnasked
        #expect(answers == [SourceAnswer(source: .link, failure: problem)] && failing.queries.count == 1)
        #expect(answers.compactMap(\.failure).words == "link: \(reason)" && [SourceProblem]().words == nil)
    }

    @Test func whoCannotKeepAnAnswerEndsIt() async throws {
        struct Full: Error {}
        await #expect(throws: Full.self) {
            try await Enricher([Source(.link, Facts(title: "A"))]).enrich(Self.query) { _, _ in throw Full() }
        }
    }

    @Test func whoNeedsAPlacesNameIsAskedWhenThePlaceIsKnown() async throws {
        let music = Source(
            .music,
            needs: { $0.placeName != nil },
            answer: { query, _ in Facts(descriptionText: "All of \(query.placeName ?? "").") }
        )
        let place = Source(.place, Facts(placeContext: PlaceContext(name: "Café Central")))
        let answers = try await Enricher([music, place]).enrich(Self.query)
        #expect(answers.map(\.source) == [.place, .music])
        #expect(Facts(folding: answers).descriptionText == "All of Café Central.")
        #expect(try await Enricher([music]).enrich(Self.query).isEmpty)
    }

    /// A place counts for five minutes from its measurement to the question, independent of the picture's time.
    @Test(arguments: [(0.0, true), (300, true), (301, false), (-301, false)])
    func anOldPlaceIsNotUsed(age: Double, isFresh: Bool) {
        var query = Self.query
        let measured = query.askedAt.addingTimeInterval(-age)
        query.coordinate = Coordinate(latitude: 48.2, longitude: 16.4, measuredAt: measured)
        #expect((query.freshCoordinate != nil) == isFresh)
    }
}
