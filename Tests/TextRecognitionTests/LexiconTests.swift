import Foundation
import Testing

@testable import TextRecognition

@Suite struct LexiconTests {
    private let lexicon = Lexicon(text: "the\nStraße\ncafé\nŒuvre\nit's\nA4\nAngström\n".utf8)

    @Test(arguments: ["the", "THE", "The", "strasse", "Straße", "CAFE", "café", "oeuvre", "ŒUVRE", "angstrom"])
    func wordIsFoundWithoutCaseAndDiacritics(word: String) {
        #expect(lexicon.contains(word))
    }

    @Test(arguments: ["", "th", "thee", "it's", "its", "A4", "a", "日本", "the "])
    func anythingElseIsNot(word: String) {
        #expect(!lexicon.contains(word))
    }

    @Test func lineThatIsNotLettersAloneIsLeftOut() {
        // the, Straße, café, Œuvre, Angström: not it's, not A4.
        #expect(lexicon.count == 5)
    }

    @Test func wordThatComesTwiceCountsOnce() {
        #expect(Lexicon(text: "one\nONE\none".utf8).count == 1)
    }

    @Test func manyWordsAreAllFound() {
        // More than the first table holds, so that it grows several times.
        let letters = Array("abcdefghij")
        let words = (0..<20_000).map { number in
            String(String(number).map { letters[$0.wholeNumberValue ?? 0] })
        }
        let lexicon = Lexicon(text: words.joined(separator: "\n").utf8)
        // 32-bit hashes of 20,000 words collide with a probability of 20,000² / 2 / 2³² = 5 %, and then rarely twice.
        #expect((19_998...20_000).contains(lexicon.count))
        #expect(words.allSatisfy { lexicon.contains($0) })
    }

    @Test func fileThatCannotBeReadAddsNothing() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)").path
        try Data("harbour\nwinter".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let lexicon = Lexicon(contentsOf: [path, path + "-missing"])
        #expect(lexicon.count == 2 && lexicon.contains("Winter"))
    }
}
