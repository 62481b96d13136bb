import Evaluation
import Harness
import SpineDatasets
import TestSupport
import Testing

@testable import DatasetExchange

@Suite struct ReadingErrorsTests {
    private func errors(_ title: String, read text: String?, orientation: String? = nil) -> ReadingErrors {
        var sample = Sample.made("a")
        (sample.title, sample.transcription) = (title, title)
        sample.orientation = .clockwise
        var errors = ReadingErrors()
        errors.add(text.map { Prediction(lines: Prediction.lines(of: $0), orientation: orientation) }, of: sample)
        return errors
    }

    /// The lost words of a title by kind, as examples name them.
    private func lost(_ title: String, read text: String?, orientation: String? = nil) -> [String] {
        errors(title, read: text, orientation: orientation).lostWords.flatMap { count in
            count.examples.map { "\(count.item.rawValue)|\($0.dropFirst(3))" }
        }
    }

    @Test(
        arguments: [
            // Every word was read: none is lost.
            ("The Hobbit", "THE HOBBIT", nil, []),
            ("The Hobbit", nil, nil, ["nothing read|the", "nothing read|hobbit"]),
            ("The Hobbit", "", nil, ["nothing read|the", "nothing read|hobbit"]),
            ("The Hobbit", "tiqqoH", "ccw", ["wrong way up|the", "wrong way up|hobbit"]),
            ("Ragman Returns", "R A G M A X Returns", nil, ["letters apart|ragman"]),
            ("Catch 22", "CATCH", "cw", ["digits|22"]),
            ("Catch-Word", "XXXX", nil, ["hyphen or apostrophe|catch", "hyphen or apostrophe|word"]),
            ("Das Leben von Nina", "DAS LEBEN yon NINA", nil, ["letters misread|von"]),
            ("The End of Time", "END TIME", nil, ["small word|the", "small word|of"]),
            ("Silent Spring", "Silent", nil, ["not read|spring"]),
        ] as [(String, String?, String?, [String])]
    )
    func eachLostWordHasTheFirstKindThatFits(title: String, read: String?, way: String?, lost: [String]) {
        #expect(self.lost(title, read: read, orientation: way) == lost)
    }

    @Test func charactersAreComparedInWordsReadAlmostRight() {
        let errors = errors("modern morning", read: "modem rnorning other")
        // "rn" for "m" and "m" for "rn"; "other" is no word of the label.
        #expect(errors.confusions.map(\.item) == [.init(printed: "m", read: "rn"), .init(printed: "rn", read: "m")])
        #expect(errors.characters == 13)
        #expect(errors.words == 2)
    }

    @Test func caseAndAddedAndOmittedCharactersCount() {
        let confusions = errors("Gold Rush Road", read: "gold Rushh Rod").confusions
        #expect(
            Set(confusions.map(\.item)) == [
                .init(printed: "G", read: "g"), .init(printed: "", read: "h"), .init(printed: "a", read: ""),
            ]
        )
    }

    @Test func theMostFrequentConfusionIsFirst() {
        let confusions = errors("look book cool", read: "l0ok b0ok c0ol").confusions
        #expect(confusions.map(\.item) == [.init(printed: "o", read: "0")])
        #expect(confusions[0].count == 3)
        #expect(confusions[0].examples == ["a: look", "a: book", "a: cool"])
    }

    @Test func anIllegibleSampleIsNotCounted() {
        var sample = Sample.made("a")
        (sample.title, sample.legible) = ("Title", false)
        var errors = ReadingErrors()
        errors.add(nil, of: sample)
        #expect(errors == ReadingErrors())
    }
}
