import Evaluation
import Harness
import SpineDatasets
import TestSupport
import Testing

@testable import DatasetExchange

@Suite struct ReadingErrorsTests {
    /// The lost words of a title, with their kinds.
    private func lost(_ title: String, read text: String?, orientation: String? = nil) -> [String] {
        var sample = Sample.made("a", title: title)
        sample.orientation = .clockwise
        let prediction = text.map { Prediction(lines: Prediction.lines(of: $0), orientation: orientation) }
        var errors = ReadingErrors()
        errors.add(prediction, of: sample)
        let lost = ReadingErrors.lost(prediction, of: sample)
        #expect(errors.lostWords == Dictionary(lost.map { ($0.kind, 1) }, uniquingKeysWith: +))
        return lost.map { "\($0.kind.rawValue)|\($0.word)" }
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

    @Test func anIllegibleSampleIsNotCounted() {
        var sample = Sample.made("a")
        (sample.title, sample.legible) = ("Title", false)
        var errors = ReadingErrors()
        errors.add(nil, of: sample)
        #expect(errors == ReadingErrors())
    }
}
