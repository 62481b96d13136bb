import ArgumentParser
import Basics
import Foundation
import Harness

/// Check of the time to score a line.
struct ScoringCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scoring",
        abstract: "Measure the time of scoring lines: distance, character and word errors.",
        discussion: "Peers/scoring.py compares the figures with those of rapidfuzz and jiwer ('make scoring-check')."
    )

    @Option(help: "Number of pairs of lines to score.")
    var pairs = 1_000_000

    @Option(name: .customLong("non-ascii"), help: "Share of pairs with non-ASCII letters, 0 to 1.")
    var nonASCIIShare = 0.05

    @Option(help: "Random seed of the pairs.")
    var seed: UInt64 = 1

    @Option(help: "Output file for the pairs, tab-separated, each with its distance and its errors.")
    var out: String?

    @Flag(help: "Print the figures as one line of JSON.")
    var json = false

    func validate() throws {
        guard pairs > 0 else { throw ValidationError("Invalid --pairs \(pairs): expected 1 or more.") }
        guard (0...1).contains(nonASCIIShare) else {
            throw ValidationError("Invalid --non-ascii \(nonASCIIShare): expected a share from 0 to 1.")
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

    /// Returns each pair with the distance, and the substitutions, deletions and insertions of characters and of
    /// words.
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

/// Lines of about 30 characters as on spines, each with a possible result of a recogniser.
///
/// The same seed gives the same pairs everywhere. Both texts of a pair are in the NFC view, and in none of them does a
/// grapheme have more than one scalar: that is where tools that count scalars agree with ours.
struct ScoringPairs {
    struct Pair {
        var reference: String
        var hypothesis: String
    }

    private var random: SplitMix64

    /// Makes `count` pairs; `nonASCIIShare` of them, 0…1, hold words with letters beyond ASCII.
    static func make(count: Int, nonASCIIShare: Double, seed: UInt64) -> [Pair] {
        var maker = ScoringPairs(random: SplitMix64(state: seed))
        return (0..<count).map { _ in
            let reference = maker.line(nonASCII: maker.random.nextDouble() < nonASCIIShare)
            return Pair(reference: reference, hypothesis: TextView.nfc.apply(to: maker.misread(reference)))
        }
    }

    /// Returns words until there are 24 characters or more.
    private mutating func line(nonASCII: Bool) -> String {
        var words: [String] = nonASCII ? [pick(Self.foreignWords)] : []
        var length = words.first?.unicodeScalars.count ?? 0
        while length < 24 {
            let word = pick(nonASCII && random.nextDouble() < 0.3 ? Self.foreignWords : Self.words)
            words.append(random.nextDouble() < 0.3 ? word.uppercased() : word)
            length += word.unicodeScalars.count + 1
        }
        return random.shuffled(words).joined(separator: " ")
    }

    /// Returns a reading with errors: letters mistaken for like ones, lost and made up; gaps lost and found; at times
    /// a word is missed.
    private mutating func misread(_ line: String) -> String {
        var read = String.UnicodeScalarView()
        for word in line.split(separator: " ") where random.nextDouble() >= 0.02 {
            if !read.isEmpty, random.nextDouble() >= 0.02 { read.append(" ") }
            for scalar in word.unicodeScalars {
                let chance = random.nextDouble()
                if chance < 0.04 {
                    read.append(Self.likeness[scalar] ?? pickLetter())
                } else if chance < 0.055 {
                    continue
                } else {
                    read.append(scalar)
                    if chance < 0.07 { read.append(pickLetter()) }
                    if chance > 0.995 { read.append(" ") }
                }
            }
        }
        return String(read)
    }

    private mutating func pick(_ words: [String]) -> String { words[random.below(words.count)] }

    private mutating func pickLetter() -> Unicode.Scalar { Self.letters[random.below(Self.letters.count)] }

    private static let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789.,-'|".unicodeScalars)

    /// Letters that recognisers confuse.
    private static let likeness: [Unicode.Scalar: Unicode.Scalar] = [
        "o": "0", "O": "0", "l": "1", "I": "l", "i": "l", "e": "c", "c": "e", "S": "5", "s": "5", "B": "8", "g": "9",
        "n": "u", "u": "v", "v": "y", "h": "b", "b": "h", "t": "f", "f": "t", "a": "o", "r": "t", "Z": "2", "G": "6",
        "é": "e", "è": "e", "ê": "é", "ü": "u", "ö": "o", "ä": "a", "ñ": "n", "ç": "c", "ø": "o", "å": "a", "ß": "B",
        "Ж": "K", "и": "n", "р": "p", "с": "c", "ω": "w", "й": "и", "λ": "A", "戦": "单",
    ]

    private static let words = """
        the of and a in to history world little great house night life death love book art time last first man woman girl \
        king queen war peace road river mountain sea light dark stone glass paper garden winter summer city letters stories \
        collected essays poems complete guide introduction principles theory practice language mind science nature secret \
        lost return empire kingdom island memory shadow silence promise daughter brother between without under beyond against
        """.split(separator: " ").map(String.init)

    private static let foreignWords = """
        été forêt garçon œuvre Zürich Straße Müßiggang über Mädchen niño corazón señor ação São coração Øresund Åse Żółw \
        Łódź příběh č.p. Dvořák İstanbul güneş “Война мир” Преступление наказание Чехов Οδύσσεια λόγος 戦争と平和 東京 物語 \
        雪国 토지 소설 l’étranger d’Artagnan naïve façade café — … €
        """.split(separator: " ").map(String.init)
}

struct OverheadCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overhead",
        abstract: "Measure the harness's overhead per reading.",
        discussion: """
            A system that does nothing is read by the harness's own worker: in a stream with one lane, as 'offline' does, \
            and one by one over pipes, as 'single' does. The remaining time is the harness's overhead.

            Prints a Markdown table in microseconds. The exit code is 1 when the median inside the timed interval, or the wall \
            time of a streamed reading, is above the limit.
            """
    )

    @Option(help: "Readings of the stream; a tenth of them one by one.")
    var readings = 20_000

    @Option(help: "Maximum overhead of a reading, in microseconds.")
    var limit = 20.0

    func validate() throws {
        guard readings >= 1_000 else { throw ValidationError("Invalid --readings \(readings): expected 1000 or more.") }
        guard limit > 0 else { throw ValidationError("Invalid --limit \(limit): expected more than 0.") }
    }

    func run() throws {
        let overhead = try HarnessOverhead.measure(readings: readings)
        func row(_ name: String, _ cost: HarnessOverhead.Cost) -> String {
            let figures = [cost.p50, cost.p99, cost.mean].map { NumberText.fixed($0, 2) }
            return "| \(name) | \(cost.count) | \(figures.joined(separator: " | ")) |"
        }
        print(
            """
            | µs a reading | n | P50 | P99 | mean |
            |---|--:|--:|--:|--:|
            \(row("inside the timed interval", overhead.insideInterval))
            \(row("between two readings of a stream", overhead.betweenStreamed))
            \(row("one by one over pipes, all in all", overhead.roundTrip))

            Wall time of a streamed reading: \(NumberText.fixed(overhead.streamedWall, 2)) µs; limit \
            \(NumberText.short(limit)) µs.
            """
        )
        if overhead.insideInterval.p50 > limit || overhead.streamedWall > limit { throw ExitCode(1) }
    }
}
