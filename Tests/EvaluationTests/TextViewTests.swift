import Testing

@testable import Evaluation

@Suite struct TextViewTests {
    @Test func foldedWordsAreThoseOfTheReferenceScorer() throws {
        for row in try Expected.load().fold {
            #expect(TextFolding.words(of: row.text) == row.words, "\(row.text)")
        }
    }

    @Test func nfcComposesAndCollapsesWhiteSpace() {
        #expect(TextView.nfc.apply(to: " Cafe\u{301}\n\tNoir ") == "Café Noir")
        #expect(TextView.nfc.apply(to: "e\u{301}").unicodeScalars.count == 1)
    }

    @Test func rawLeavesTheTextAlone() {
        #expect(TextView.raw.apply(to: " A  b ") == " A  b ")
    }

    @Test func foldedJoinsTheWords() {
        #expect(TextView.folded.apply(to: "“It’s  TIME”, É.") == "its time e")
    }
}
