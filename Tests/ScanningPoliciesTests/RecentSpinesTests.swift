import Testing

@testable import ScanningPolicies

@Suite struct RecentSpinesTests {
    @Test func aSpineIsKnownForAMinuteAfterItWasReadLast() {
        var recent = RecentSpines<Int>()
        let known = [(1, 0), (1, 50), (2, 60), (1, 110), (2, 121), (1, 200)].map { spine, second in
            recent.take(spine, at: .seconds(second))
        }
        // 60 s after it was read last, not after it was read first.
        #expect(known == [false, true, false, true, false, false])
    }

    @Test func whatIsAlikeIsTheSame() {
        var recent = RecentSpines<String>()
        let known = ["Dune", "DUNE", "Emma"].enumerated().map { second, text in
            recent.take(text, at: .seconds(second)) { $0.lowercased() == $1.lowercased() }
        }
        #expect(known == [false, true, false])
    }
}

@Suite struct LiveFiguresTests {
    @Test func fatesAddUpToAllFrames() {
        var triage = FrameTriage(thermalPolicy: .seedCode)
        // Ten frames: four without a spine, six read, of which four had nothing new, three of them with text.
        for number in 0..<10 {
            _ = triage.decide(at: .seconds(number), state: .nominal, hasSpine: { number < 6 })
        }
        for _ in 0..<4 { triage.noteNoNews() }
        let figures = LiveFigures(seconds: 30, counts: triage.counts, dropped: 5, sameSpine: 3, books: 2)
        #expect(figures.seen == 15 && figures.read == 6)
        #expect(figures.frames[.noText] == 1 && figures.frames[.sameSpine] == 3 && figures.frames[.scanned] == 2)
        #expect(figures.skipped.map(\.fate) == [.dropped, .noSpine] && figures.skipped.map(\.count) == [5, 4])
        #expect(figures.booksPerMinute == 4)
        #expect(LiveFigures(seconds: 0, counts: .init(), dropped: 0, sameSpine: 0).booksPerMinute == nil)
    }
}
