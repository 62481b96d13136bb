import Basics
import Testing

@testable import BookCatalogue

@Suite struct MatchingReadingsTests {
    private func line(_ readings: [(String, Double)]) -> MatchLine {
        MatchLine(
            text: readings[0].0,
            confidence: 0.8,
            readings: readings.map { PossibleText(text: $0.0, probability: $0.1) }
        )
    }

    private func title(_ lines: [MatchLine], readings: Int) throws -> String? {
        try CatalogueMatcherTests.matcher().match(lines, readings: readings).answer?.book.title
    }

    @Test func theCatalogueChoosesTheTextThatIsABook() throws {
        let lines = [line([("ANN RINALDI", 1)]), line([("TH STXQIKCW", 0.6), ("THE STAIRCASE", 0.3)])]
        #expect(try title(lines, readings: 1) == nil)
        #expect(try title(lines, readings: 5) == "The Staircase")
        // The second text is none of the first one.
        #expect(try title([lines[0], line([("TH STXQIKCW", 0.6)])], readings: 5) == nil)
    }

    @Test func aSureMatchOfTheChosenTextStands() throws {
        let lines = [line([("ANN RINALDI", 1)]), line([("GIRL IN BLUE", 0.1), ("THE STAIRCASE", 0.9)])]
        #expect(try title(lines, readings: 5) == "Girl in Blue")
    }

    @Test func textsThatAreNoBookNameNone() throws {
        let lines = [line([("XKCDVB", 0.5), ("RINALDI", 0.4)]), line([("QWRTZP", 0.5), ("QWATZP", 0.4)])]
        #expect(try title(lines, readings: 5) == nil)
    }

    @Test func combinationsAreTheLikeliest() {
        // Computed by hand: 0.6 · 0.7 = 0.42, 0.6 · 0.3 = 0.18, 0.4 · 0.7 = 0.28, 0.4 · 0.3 = 0.12; b was chosen.
        let lines = [
            line([("b", 0.4), ("a", 0.6)]), line([("c", 0.7), ("d", 0.3)]), MatchLine(text: "e", confidence: 1),
        ]
        let found = CatalogueMatcher.combinations(of: lines, readings: 5)
        #expect(found.map { $0.texts.joined() } == ["bce", "ace", "ade", "bde"])
        #expect(zip(found, [0.28, 0.42, 0.18, 0.12]).allSatisfy { abs($0.probability - $1) < 1e-12 })
        #expect(CatalogueMatcher.combinations(of: lines, readings: 1).map { $0.texts.joined() } == ["bce"])
    }

    @Test func eightAreLookedUpAtMost() {
        let doubtful = line([("a", 0.3), ("b", 0.3), ("c", 0.2), ("d", 0.1), ("e", 0.1)])
        #expect(CatalogueMatcher.combinations(of: [doubtful, doubtful, doubtful], readings: 5).count == 8)
        #expect(CatalogueMatcher.combinations(of: [], readings: 5).count == 1)
    }

    @Test func textsOfTheSameLettersAreOne() {
        let lines = [line([("The art", 0.5), ("THEART", 0.2), ("The Ärt", 0.1), ("The ant", 0.2)])]
        let found = CatalogueMatcher.combinations(of: lines, readings: 5)
        #expect(found.map(\.texts) == [["The art"], ["The ant"]])
        #expect(zip(found, [0.8, 0.2]).allSatisfy { abs($0.probability - $1) < 1e-12 })
    }
}
