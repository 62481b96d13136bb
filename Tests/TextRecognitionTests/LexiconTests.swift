import Foundation
import TestSupport
import Testing

@testable import TextRecognition

@Suite struct LexiconTests {
    private let lexicon = Lexicon(text: "the\nStraße\ncafé\nŒuvre\nit's\nA4\nAngström\n×")

    @Test(arguments: ["the", "THE", "The", "strasse", "Straße", "CAFE", "café", "oeuvre", "ŒUVRE", "angstrom"])
    func wordIsFoundWithoutCaseAndDiacritics(word: String) {
        #expect(lexicon.contains(word))
    }

    @Test(arguments: ["", "th", "thee", "it's", "its", "A4", "a", "日本", "the ", "×"])
    func anythingElseIsNot(word: String) {
        #expect(!lexicon.contains(word))
        // the, Straße, café, Œuvre, Angström: not it's, not A4, not ×.
        #expect(lexicon.count == 5)
    }

    @Test func wordThatComesTwiceCountsOnce() {
        #expect(Lexicon(text: "one\nONE\none").count == 1)
    }
}

/// Lists of words in files, and the hashes of them that later processes use.
@Suite struct LexiconFileTests {
    private let folder: TemporaryFolder
    private let lists: [String]
    private var cache: String { folder("cache") }

    init() throws {
        folder = try TemporaryFolder()
        lists = [folder("first"), folder("second")]
        try folder.write("the\nStraße\nA4\n", "first")
        try folder.write("café\nTHE\nharbour", "second")
    }

    private func kept() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: cache) }

    private func expectTheWords(_ cache: String?) { expect(Lexicon(contentsOf: lists, cacheDirectory: cache)) }

    private func expect(_ lexicon: Lexicon) {
        #expect(lexicon.count == 4)
        #expect(["the", "Straße", "café", "harbour"].allSatisfy { lexicon.contains($0) })
        #expect(!["th", "thee", "harbou", "winter", ""].contains { lexicon.contains($0) })
    }

    @Test func keptHashesKnowTheSameWords() throws {
        expectTheWords(nil)
        expectTheWords(cache)
        let file = "\(cache)/\(try #require(try kept().first))"
        let written = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
        expectTheWords(cache)
        // It was taken up, and not made again.
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int == written)
        // 4 for each word, and 8 of checksum.
        #expect(try Data(contentsOf: URL(filePath: file)).count == 4 * 4 + 8)
        // A folder that cannot be written is done without, and a list that cannot be read adds nothing.
        expectTheWords(lists[0] + "/cache")
        #expect(Lexicon(contentsOf: [lists[1], folder("none")]).count == 3)
    }

    @Test func manyWordsAreTheSameInBoth() throws {
        let letters = Array("abcdefghij")
        let words = (0..<20_000).map { String(String($0).map { letters[$0.wholeNumberValue ?? 0] }) }
        try folder.write(words.joined(separator: "\n"), "first")
        let built = Lexicon(contentsOf: [lists[0]])
        // 32-bit hashes of 20,000 words collide with a probability of 20,000² / 2 / 2³² = 5 %, and then rarely twice.
        #expect((19_998...20_000).contains(built.count))
        #expect(words.allSatisfy { built.contains($0) })
        let mapped = Lexicon(contentsOf: [lists[0]], cacheDirectory: cache)
        #expect(mapped.count == built.count)
        #expect((words + words.map { "z" + $0 }).allSatisfy { mapped.contains($0) == built.contains($0) })
    }

    @Test(
        arguments: [
            // Nothing; a part; a byte less; another byte.
            { _ in Data() }, { $0.prefix(15) }, { $0.dropLast() }, { Data([$0[0] ^ 1]) + $0.dropFirst() },
        ] as [@Sendable (Data) -> Data]
    )
    func damagedFileIsMadeAnew(damage: @Sendable (Data) -> Data) throws {
        expectTheWords(cache)
        let file = URL(filePath: "\(cache)/\(try #require(try kept().first))")
        let whole = try Data(contentsOf: file)
        try damage(whole).write(to: file)
        expectTheWords(cache)
        #expect(try Data(contentsOf: file) == whole)
    }

    @Test func changedListIsReadAgain() throws {
        func knows(_ word: String) -> Bool { Lexicon(contentsOf: lists, cacheDirectory: cache).contains(word) }
        #expect(!knows("winter") && knows("café"))
        try folder.write("winter", "second")
        #expect(knows("winter") && !knows("café"))
        try FileManager.default.removeItem(atPath: lists[1])
        #expect(!knows("winter"))
        // The same size, a second later.
        try folder.write("the\nStrose\nA4\n", "first")
        let date = Date(timeIntervalSinceNow: 1)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: lists[0])
        #expect(knows("strose"))
        #expect(try kept().count == 4)
    }

    @Test func manyAtOnceLeaveOneWholeFile() async throws {
        let all = await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { [lists, cache] in Lexicon(contentsOf: lists, cacheDirectory: cache) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for lexicon in all { expect(lexicon) }
        #expect(try kept().count == 1)
        expectTheWords(cache)
    }
}
