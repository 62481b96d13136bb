import Testing

@testable import Basics

@Suite struct EditCountsTests {
    @Test func ratesAreThoseOfJiwer() throws {
        for row in try Expected.load().errors {
            let words = EditCounts.ofWords(reference: row.reference, hypothesis: row.hypothesis)
            #expect(words.errors == row.wordErrors && words.referenceLength == row.wordReference, "\(row.reference)")
            #expect(words.rate == .value(row.wer))
            let characters = EditCounts.ofCharacters(reference: row.reference, hypothesis: row.hypothesis)
            #expect(characters.errors == row.characterErrors, "\(row.reference)")
            #expect(characters.referenceLength == row.characterReference)
            #expect(characters.rate == .value(row.cer))
        }
    }

    @Test func addedCountsGiveThePooledRate() throws {
        let expected = try Expected.load()
        let sum = expected.errors.map { EditCounts.ofWords(reference: $0.reference, hypothesis: $0.hypothesis) }
            .reduce(EditCounts(), +)
        #expect(sum.rate == .value(expected.pooledWER))
    }

    @Test func emptyReferenceHasNoRate() {
        let counts = EditCounts.ofCharacters(reference: " ", hypothesis: "text")
        #expect(counts.insertions == 4)
        #expect(counts.rate == .absent("the reference is empty"))
    }

    @Test func aCharacterIsAGraphemeHoweverItIsEncoded() {
        #expect(EditCounts.ofCharacters(reference: "Café", hypothesis: "Cafe\u{301}").errors == 0)
        // One grapheme of five scalars: one substitution, not five edits.
        #expect(EditCounts.ofCharacters(reference: "a👨‍👩‍👧", hypothesis: "ab").errors == 1)
    }

    @Test func theFoldedViewForgivesCaseAndPunctuation() {
        let strict = EditCounts.ofWords(reference: "Child of the Dream", hypothesis: "CHILD OF THE DREAM.")
        let folded = EditCounts.ofWords(
            reference: "Child of the Dream",
            hypothesis: "CHILD OF THE DREAM.",
            view: .folded
        )
        #expect(strict.errors == 4)
        #expect(folded.errors == 0)
    }
}
