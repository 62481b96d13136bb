import ArgumentParser
import Basics
import Foundation

/// Measures how long scoring a line takes.
struct ScoringCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scoring",
        abstract: "Measures how long it takes to score lines: distance, character and word errors.",
        discussion: "Peers/scoring.py compares the figures with those of rapidfuzz and jiwer ('make scoring-check')."
    )

    @Option(help: "How many pairs of lines to score.")
    var pairs = 1_000_000

    @Option(name: .customLong("non-ascii"), help: "The share of pairs with letters beyond ASCII, 0 to 1.")
    var nonASCIIShare = 0.05

    @Option(help: "The seed that the pairs are made from.")
    var seed: UInt64 = 1

    @Option(help: "A file to write the pairs to, tab-separated, each with its distance and its errors.")
    var out: String?

    @Flag(help: "Print the figures as one line of JSON.")
    var json = false

    func validate() throws {
        guard pairs > 0 else { throw ValidationError("--pairs \(pairs): give 1 or more.") }
        guard (0...1).contains(nonASCIIShare) else {
            throw ValidationError("--non-ascii \(nonASCIIShare): give a share from 0 to 1.")
        }
    }

    func run() throws {
        let lines = ScoringPairs.make(count: pairs, nonASCIIShare: nonASCIIShare, seed: seed)
        let figures = ScoringFigures(lines)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            print(String(decoding: try encoder.encode(figures), as: UTF8.self))
        } else {
            print(figures.text)
        }
        if let out {
            do {
                try Data(table(lines).utf8).write(to: URL(filePath: out))
            } catch {
                throw ValidationError("--out \(out): cannot be written: \(error.localizedDescription)")
            }
        }
    }

    /// Each pair with the distance, and the substitutions, deletions and insertions of characters and of words.
    private func table(_ lines: [ScoringPairs.Pair]) -> String {
        var table = ""
        for line in lines {
            let distance = Levenshtein.distance(line.reference, line.hypothesis)
            let characters = EditCounts.ofCharacters(reference: line.reference, hypothesis: line.hypothesis)
            let words = EditCounts.ofWords(reference: line.reference, hypothesis: line.hypothesis)
            let counts = [characters, words].flatMap { [$0.substitutions, $0.deletions, $0.insertions] }
            table += "\(line.reference)\t\(line.hypothesis)\t\(distance)\t"
            table += counts.map(String.init).joined(separator: "\t") + "\n"
        }
        return table
    }
}

/// Times and results of scoring many pairs.
struct ScoringFigures: Codable {
    /// One way of scoring.
    struct Row: Codable {
        var nanosecondsPerPair: Double
        var edits: EditCounts?
    }

    var pairs: Int
    var distance: Row
    var distanceSum: Int
    var characters: Row
    var words: Row

    init(_ lines: [ScoringPairs.Pair]) {
        func perPair(_ score: () -> Void) -> Double {
            let time = ContinuousClock().measure(score)
            return Double(time / .nanoseconds(1)) / Double(lines.count)
        }
        var sum = 0
        distance = Row(
            nanosecondsPerPair: perPair {
                for line in lines { sum += Levenshtein.distance(line.reference, line.hypothesis) }
            }
        )
        distanceSum = sum
        var counts = EditCounts()
        let characterTime = perPair {
            for line in lines {
                counts = counts + .ofCharacters(reference: line.reference, hypothesis: line.hypothesis)
            }
        }
        characters = Row(nanosecondsPerPair: characterTime, edits: counts)
        counts = EditCounts()
        let wordTime = perPair {
            for line in lines { counts = counts + .ofWords(reference: line.reference, hypothesis: line.hypothesis) }
        }
        words = Row(nanosecondsPerPair: wordTime, edits: counts)
        pairs = lines.count
    }

    /// For people.
    var text: String {
        func row(_ name: String, _ row: Row, _ result: String) -> String {
            "\(name)  \((row.nanosecondsPerPair * 10).rounded() / 10) ns a pair  \(result)"
        }
        func edits(_ counts: EditCounts?) -> String {
            guard let counts else { return "" }
            return "substitutions \(counts.substitutions), deletions \(counts.deletions), "
                + "insertions \(counts.insertions) of \(counts.referenceLength)"
        }
        return [
            "\(pairs) pairs of lines",
            row("distance  ", distance, "sum \(distanceSum)"),
            row("characters", characters, edits(characters.edits)),
            row("words     ", words, edits(words.edits)),
        ].joined(separator: "\n")
    }
}
