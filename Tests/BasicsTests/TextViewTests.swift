import Foundation
import Testing

@testable import Basics

@Suite struct TextViewTests {
    @Test func foldedWordsAreThoseOfTheRule() throws {
        for row in try Expected.load().fold {
            #expect(FoldedText.words(of: row.text) == row.words, "\(row.text)")
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

    // The word in front takes the whole text the way of texts that are not ASCII.
    @Test func everyASCIICharacterFoldsAsInOtherTexts() {
        var random = SplitMix64(state: 3)
        for _ in 0..<500 {
            let scalars = (0..<20).map { _ in Character(Unicode.Scalar(UInt8(random.below(128)))) }
            let text = String(scalars)
            #expect(
                ["e"] + FoldedText.words(of: text) == FoldedText.words(of: "é " + text),
                "\(text.debugDescription)"
            )
        }
    }
}
