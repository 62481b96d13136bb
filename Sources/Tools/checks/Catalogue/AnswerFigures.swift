import ArgumentParser
import Basics
import BookCatalogue
import Evaluation
import Foundation

/// Shares of right and wrong answers at each threshold, and the calibration of their probabilities.
struct AnswerFigures: CustomStringConvertible {
    private var answers: [(confidence: Double, isRight: Bool)] = []
    private var answered = 0
    private var right = 0

    mutating func add(_ result: MatchResult, isRight: (BookRecord) -> Bool) {
        let best = result.candidates.first
        answers.append((best?.confidence ?? 0, best.map { isRight($0.book) } ?? false))
        guard let answer = result.answer else { return }
        answered += 1
        if isRight(answer.book) { right += 1 }
    }

    var description: String {
        let count = max(1, answers.count)
        func percent(_ part: Int) -> String {
            "\(part) (\(String(format: "%.1f", 100 * Double(part) / Double(count))) %)"
        }
        var lines = [
            "\(answers.count) texts: right \(percent(right)), wrong \(percent(answered - right)), no match "
                + percent(answers.count - answered)
        ]
        for threshold in stride(from: 0.3, through: 0.95, by: 0.05) {
            let named = answers.filter { $0.confidence >= threshold }
            let right = named.count { $0.isRight }
            lines.append(
                "  from \(String(format: "%.2f", threshold)): right \(percent(right)), wrong \(percent(named.count - right))"
            )
        }
        let error = Calibration(answers).expectedError.value.map { String(format: "%.3f", $0) }
        lines.append("  expected calibration error \(error ?? "-") in ten bins")
        return lines.joined(separator: "\n")
    }
}

/// Recall: shares of texts whose book is among the first.
struct RecallFigures: CustomStringConvertible {
    private var ranks: [(truth: GroundTruthBook, rank: Int?)] = []

    mutating func add(_ books: [BookRecord], _ truth: GroundTruthBook) {
        ranks.append((truth, books.firstIndex(where: truth.isSame)))
    }

    var description: String { figures(of: ranks.count) }

    /// Returns the figures of all texts, and of those whose book a catalogue has.
    func description(in works: KnownWorks) throws -> String {
        let reachable = try ranks.count { try works.contains($0.truth) }
        return "of all: \(figures(of: ranks.count))\nof those whose book the catalogue has: \(figures(of: reachable))"
    }

    private func figures(of total: Int) -> String {
        func share(_ limit: Int) -> String {
            let count = ranks.count { $0.rank.map { $0 < limit } ?? false }
            return "\(count)/\(total) = \(String(format: "%.4f", Double(count) / Double(max(1, total))))"
        }
        let reciprocal = ranks.reduce(0) { $0 + ($1.rank.map { 1 / Double($0 + 1) } ?? 0) } / Double(max(1, total))
        return "recall@1 \(share(1)), recall@5 \(share(5)), MRR \(String(format: "%.4f", reciprocal))"
    }
}

/// Evidence of texts for their candidates, as tab-separated values for Peers/fit_matcher.py.
struct FeatureTable {
    /// Number of candidates of a text that are noted.
    static let candidates = 40
    private static let columns = [
        "titleShare", "titleBits", "authorShare", "authorBits", "hasAuthor", "furtherBits", "explained", "unexplained",
        "likeness", "label", "missing", "telling", "phrase", "lineFit", "names", "replaced",
        "nameLine", "authorLikeness", "size",
        "titleLineRest", "otherLinesRest", "titleNames", "otherNumber",
    ]
    private var text = "kind\tid\tgroup\ttruth\tkey\t" + columns.joined(separator: "\t") + "\n"

    /// Records the candidates of a text; `truth` is 1 for the book, 3 for a collection that has it, 0 for another
    /// one.
    mutating func add(
        _ found: CatalogueMatcher.Explanation,
        kind: String,
        id: String,
        group: String,
        _ book: GroundTruthBook
    ) {
        for (candidate, e) in zip(found.result.candidates, found.evidence) {
            let truth = book.isSame(candidate.book) ? 1 : book.isContained(in: candidate.book) ? 3 : 0
            let key = BookIdentity(candidate.book).titleKey ?? ""
            let values = [
                e.titleShare, e.titleBits, e.authorShare, e.authorBits, e.hasAuthor ? 1 : 0, e.furtherBits, e.explained,
                e.unexplainedBits, e.likeness, e.hasLabel ? 1 : 0, e.titleMissingBits, e.unexplainedTellingBits,
                e.phraseShare, e.lineFit, e.unexplainedNameBits, e.replacedBits,
                e.nameLineBits, e.authorLikeness, e.sizeBits,
                e.titleLineRest, e.otherLinesRest, e.titleNameShare, e.hasOtherNumber ? 1 : 0,
            ]
            text += "\(kind)\t\(id)\t\(group)\t\(truth)\t\(key)\t"
            text += values.map { "\(Float($0))" }.joined(separator: "\t") + "\n"
        }
    }

    func write(to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }
}

/// Options of all checks of the matcher.
struct MatchOptions: ParsableArguments {
    @Option(help: "A catalogue.", completion: .file())
    var catalogue: String

    @Flag(help: "Treat each text's book as missing in the catalogue.")
    var takenOut = false

    @Option(help: "How many texts of a doubtful line the catalogue chooses from.")
    var readings = 1

    @Option(help: "Output file for the evidence of each text for its candidates.")
    var features: String?
}

/// Texts that are matched, with their results.
struct MatchRun {
    let catalogue: BookCatalogue
    private let matcher: CatalogueMatcher
    private let options: MatchOptions
    private var figures = AnswerFigures()
    private(set) var recall = RecallFigures()
    private var out = ExcludedSamples()
    private(set) var times = CallTimes()
    private var table = FeatureTable()

    init(_ options: MatchOptions) throws {
        self.options = options
        catalogue = try BookCatalogue(path: options.catalogue)
        matcher = try CatalogueMatcher(catalogue: catalogue)
    }

    /// Matches a text whose book is known; `kind`, `id` and `group` name it among the features.
    @discardableResult
    mutating func match(
        _ lines: [MatchLine],
        of truth: GroundTruthBook,
        kind: String,
        id: String,
        group: String
    ) throws -> MatchResult {
        if options.features != nil {
            let found = try matcher.explain(lines, readings: options.readings, limit: FeatureTable.candidates)
            table.add(found, kind: kind, id: id, group: group, truth)
        }
        let result = try times.measure {
            try matcher.explain(lines, readings: options.readings, limit: 5) {
                options.takenOut && out.contains($0, of: truth)
            }.result
        }
        figures.add(result, isRight: truth.isSame)
        recall.add(result.candidates.map(\.book), truth)
        return result
    }

    /// Shares of answers, and the excluded samples.
    var answers: String { "\(figures)" + (options.takenOut ? "\n\(out)" : "") }

    /// Prints the figures of all texts, and writes their features.
    func finish() throws {
        print("\(answers)\n\(recall)\n\(times)")
        try writeFeatures()
    }

    func writeFeatures() throws { if let path = options.features { try table.write(to: path) } }
}
