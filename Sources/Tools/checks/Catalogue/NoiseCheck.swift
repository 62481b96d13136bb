import ArgumentParser
import Basics
import BookCatalogue

struct NoiseCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "noise",
        abstract: "Match made-up, misread spines of a catalogue's books.",
        discussion: ExcludedSamples.rule
    )

    @OptionGroup var options: MatchOptions

    @Option(help: "Number of spines to make up.")
    var count = 1_000

    @Option(help: "Random seed.")
    var seed: UInt64 = 7

    func run() throws {
        var run = try MatchRun(options)
        var noise = NoisySpines(seed: seed)
        for number in 0..<count {
            guard let book = try run.catalogue.book(id: Int64(1 + noise.random.below(run.catalogue.count))) else {
                continue
            }
            let lines = noise.lines(of: book).map { MatchLine(text: $0, confidence: 1) }
            try run.match(lines, of: GroundTruthBook(book), kind: "noise", id: "\(number)", group: "\(number)")
        }
        try run.finish()
    }
}

/// Generator of a reader's possible texts for a book's spine: seeded, so the same each time.
struct NoisySpines {
    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(state: seed) }

    /// Returns title, author and other text of a spine, misread.
    mutating func lines(of book: BookRecord) -> [String] {
        let end = book.title.firstIndex { ":;(".contains($0) } ?? book.title.endIndex
        var title = String(book.title[..<end])
        if chance(0.15) { title = book.title.filter { !":;()".contains($0) } }
        var lines = chance(0.25) && title.split(separator: " ").count > 2 ? halves(title) : [title]
        if let author = book.authors.first, chance(0.9) {
            let names = author.split(separator: " ")
            let printed = chance(0.45) ? names.last.map(String.init) ?? author : author
            lines.insert(printed, at: chance(0.6) ? 0 : lines.count)
        }
        if chance(0.4) { lines.append(Self.marks[random.below(Self.marks.count)]) }
        let rate = [0.0, 0.01, 0.03, 0.08][random.below(4)]
        let upper = chance(0.5)
        return lines.map { misread(upper ? $0.uppercased() : $0, rate: rate) }.filter { !$0.isEmpty }
    }

    private mutating func halves(_ text: String) -> [String] {
        let words = text.split(separator: " ")
        let cut = 1 + random.below(words.count - 1)
        return [words[..<cut].joined(separator: " "), words[cut...].joined(separator: " ")]
    }

    private mutating func misread(_ text: String, rate: Double) -> String {
        var words = text.split(separator: " ").map(String.init)
        if words.count > 2, chance(rate * 2) { words.remove(at: random.below(words.count)) }
        var result = ""
        for (number, word) in words.enumerated() {
            if number > 0, !chance(rate) { result += " " }
            for character in word {
                if chance(rate) {
                    switch random.below(5) {
                    case 0: break
                    case 1: result += String(character) + String(Self.letters[random.below(26)])
                    case 2: result += " " + String(character)
                    default: result += Self.confusions[character] ?? String(Self.letters[random.below(26)])
                    }
                } else {
                    result.append(character)
                }
            }
        }
        return result
    }

    private mutating func chance(_ probability: Double) -> Bool { random.nextDouble() < probability }

    private static let letters = Array("abcdefghijklmnopqrstuvwxyz")
    private static let marks = [
        "PENGUIN", "SCHOLASTIC", "VINTAGE", "641 Gar", "N Row", "820 Smi", "Planeta", "anagrama", "HarperCollins", "s",
        "F", "12", "PRESS", "FIC", "als", "Edicions 62",
    ]
    private static let confusions: [Character: String] = [
        "o": "0", "O": "0", "l": "1", "I": "l", "i": "l", "s": "5", "S": "5", "m": "rn", "d": "cl", "w": "vv", "e": "c",
        "c": "e", "a": "o", "n": "u", "u": "n", "h": "b", "b": "h", "t": "f", "f": "t", "E": "F", "R": "K", "D": "O",
        "B": "8", "g": "9", "y": "v", "v": "y",
    ]
}
