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

/// Folder of the table that later processes use.
@Suite struct LexiconCacheTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "lexicon-\(UUID().uuidString)").path
    private var cache: String { "\(folder)/cache" }
    private let known = ["the", "Straße", "café", "harbour"]
    private let unknown = ["th", "thee", "harbou", "winter", ""]

    private func withLists(_ body: ([String]) throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let lists = ["\(folder)/first", "\(folder)/second"]
        try Data("the\nStraße\nA4\n".utf8).write(to: URL(filePath: lists[0]))
        try Data("café\nTHE\nharbour".utf8).write(to: URL(filePath: lists[1]))
        try body(lists)
    }

    private func kept() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: cache).map { "\(cache)/\($0)" }.sorted()
    }

    private func expectTheWords(_ lexicon: Lexicon) {
        #expect(lexicon.count == 4)
        #expect(known.allSatisfy { lexicon.contains($0) } && !unknown.contains { lexicon.contains($0) })
    }

    @Test func keptTableKnowsTheSameWords() throws {
        try withLists { lists in
            expectTheWords(Lexicon(contentsOf: lists))
            expectTheWords(Lexicon(contentsOf: lists, cacheDirectory: cache))
            let file = try #require(try kept().first)
            let written = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
            expectTheWords(Lexicon(contentsOf: lists, cacheDirectory: cache))
            // It was taken up, and not made again.
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int == written)
            // 16 bytes, 65,537 of 4, 2 for each word, and 8 of checksum.
            #expect(try Data(contentsOf: URL(filePath: file)).count == 16 + 65_537 * 4 + 4 * 2 + 8)
        }
    }

    @Test func manyWordsAreTheSameInBoth() throws {
        try withLists { lists in
            let letters = Array("abcdefghij")
            let words = (0..<20_000).map { String(String($0).map { letters[$0.wholeNumberValue ?? 0] }) }
            try Data(words.joined(separator: "\n").utf8).write(to: URL(filePath: lists[0]))
            let built = Lexicon(contentsOf: lists)
            let mapped = Lexicon(contentsOf: lists, cacheDirectory: cache)
            #expect(mapped.count == built.count)
            let others = words.map { "z" + $0 }
            for word in words + others { #expect(mapped.contains(word) == built.contains(word)) }
        }
    }

    @Test(
        arguments: [
            // Nothing; not the header; the header alone; a byte less; another mark; too many words.
            { _ in Data() }, { $0.prefix(15) }, { $0.prefix(16 + 65_537 * 4) }, { $0.dropLast() },
            { Data([0xFF]) + $0.dropFirst() }, { $0.prefix(8) + Data([5]) + $0.dropFirst(9) },
            { $0.prefix(8) + Data(repeating: 0xFF, count: 8) + $0.dropFirst(16) },
        ] as [@Sendable (Data) -> Data]
    )
    func damagedFileIsMadeAnew(damage: @Sendable (Data) -> Data) throws {
        try withLists { lists in
            _ = Lexicon(contentsOf: lists, cacheDirectory: cache)
            let file = URL(filePath: try #require(try kept().first))
            let whole = try Data(contentsOf: file)
            try damage(whole).write(to: file)
            expectTheWords(Lexicon(contentsOf: lists, cacheDirectory: cache))
            #expect(try Data(contentsOf: file) == whole)
        }
    }

    @Test func aTableDamagedWithinIsMadeAnew() throws {
        try withLists { lists in
            _ = Lexicon(contentsOf: lists, cacheDirectory: cache)
            let file = URL(filePath: try #require(try kept().first))
            var bytes = try Data(contentsOf: file)
            // Every upper half but the last claims words from far behind the end, or to there.
            for index in 16..<16 + 65_536 * 4 { bytes[index] = index % 3 == 0 ? 0 : 0xFF }
            try bytes.write(to: file)
            expectTheWords(Lexicon(contentsOf: lists, cacheDirectory: cache))
        }
    }

    @Test func changedListIsReadAgain() throws {
        try withLists { lists in
            _ = Lexicon(contentsOf: lists, cacheDirectory: cache)
            try Data("winter".utf8).write(to: URL(filePath: lists[1]))
            let changed = Lexicon(contentsOf: lists, cacheDirectory: cache)
            #expect(changed.contains("winter") && !changed.contains("café"))
            try FileManager.default.removeItem(atPath: lists[1])
            #expect(!Lexicon(contentsOf: lists, cacheDirectory: cache).contains("winter"))
            // The same size, a second later.
            try Data("the\nStrose\nA4\n".utf8).write(to: URL(filePath: lists[0]))
            let date = Date(timeIntervalSinceNow: 1)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: lists[0])
            #expect(Lexicon(contentsOf: lists, cacheDirectory: cache).contains("strose"))
            #expect(try kept().count == 4)
        }
    }

    @Test func folderThatCannotBeWrittenIsDoneWithout() throws {
        try withLists { lists in expectTheWords(Lexicon(contentsOf: lists, cacheDirectory: lists[0] + "/cache")) }
    }

    @Test func manyAtOnceLeaveOneWholeFile() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let list = "\(folder)/list"
        try Data("the\nStraße\ncafé\nharbour".utf8).write(to: URL(filePath: list))
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { expectTheWords(Lexicon(contentsOf: [list], cacheDirectory: cache)) }
            }
        }
        #expect(try kept().count == 1)
        expectTheWords(Lexicon(contentsOf: [list], cacheDirectory: cache))
    }
}
