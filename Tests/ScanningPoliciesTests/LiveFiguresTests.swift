import Testing

@testable import ScanningPolicies

@Suite struct LiveFiguresTests {
    @Test func fatesAddUpToAllFrames() {
        var triage = FrameTriage(thermalPolicy: .seedCode)
        // Twelve frames: four without a spine, two of a moving camera, six read, of which four had nothing new, three
        // of them with text.
        for number in 0..<12 {
            _ = triage.decide(
                at: .seconds(number),
                state: .nominal,
                hasSpine: { number < 8 },
                isSteady: { number < 6 }
            )
        }
        for number in 0..<5 { triage.countDuplicate(isText: number < 4) }
        // One of them was the best reading of its spine.
        triage.noteNews()
        var figures = LiveFigures(seconds: 30, counts: triage.counts, dropped: 5)
        figures.books = 2
        #expect(figures.seen == 17 && figures.read == 6)
        #expect(figures.frames[.noText] == 1 && figures.frames[.sameSpine] == 3 && figures.frames[.scanned] == 2)
        #expect(
            figures.skipped.map(\.fate) == [.dropped, .noSpine, .moving] && figures.skipped.map(\.count) == [5, 4, 2]
        )
        #expect(figures.booksPerMinute == 4)
        #expect(LiveFigures(seconds: 0, counts: .init(), dropped: 0).booksPerMinute == nil)
    }
}
