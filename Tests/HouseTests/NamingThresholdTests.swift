import Foundation
import Testing

/// Thresholds about books have one place: `NamingPolicy`.
@Suite struct NamingThresholdTests {
    private static let home = "Sources/Kit/BookCatalogue/Matching/NamingPolicy.swift"
    /// Model of the probability itself, and the search for candidates: fitted numbers that decide nothing about a
    /// name.
    private static let model = "Sources/Kit/BookCatalogue/Matching/"

    /// Words that mean how sure a name is, and those of them that are about books where lines are read as well.
    private static let words =
        "confiden|probabilit|certain|sure|likel|plausib|possib|similar|threshold|review|answer|naming|guess"
    private static let wordsOfShelves = "probabilit|judge|certain"

    /// Returns lines of a file in which a number between 0 and 1 decides how sure a book is: compared with, or given
    /// a name.
    static func thresholds(in text: String, words: String = Self.words) throws -> [String] {
        let number = #"0?\.\d+\b"#
        let name = "\\w*(?i:\(words))\\w*"
        let patterns = try [
            "\(name)\\)?(?: \\?\\? 0)?\\)? *(?:>=|<=|>|<|==) *\(number)",
            "\(number) *(?:>=|<=|>|<) *[\\w.]*\(name)",
            "(?:let|var) +\(name)(?: *: *(?:Double|Float))? *= *\(number)",
        ].map { try Regex($0) }
        return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { line in
            // Most lines have no such number: they are not searched.
            let hasNumber = zip(line.utf8, line.utf8.dropFirst()).contains { $0 == 46 && (48...57).contains($1) }
            return hasNumber && !line.hasPrefix("//") && patterns.contains { line.firstMatch(of: $0) != nil }
        }
    }

    @Test func onlyThePolicyHasThresholdsAboutBooks() throws {
        var read = 0
        for file in House.files(below: "Sources", ".swift")
        where file != Self.home && !file.hasPrefix(Self.model) {
            let text = try House.text(file)
            let isOfShelves = file.contains("/TextRecognition/Shelf/")
            guard isOfShelves || text.contains("import BookCatalogue") || file.contains("/BookCatalogue/") else {
                continue
            }
            read += 1
            let found = try Self.thresholds(in: text, words: isOfShelves ? Self.wordsOfShelves : Self.words)
            #expect(found == [], "\(file): move the threshold to NamingPolicy")
        }
        #expect(read > 30)
        #expect(try Self.thresholds(in: House.text(Self.home)).count >= 3)
    }

    /// Thresholds as they were in five files until there was a policy, and lines without any.
    @Test(arguments: [
        ("    static let sureConfidence = 0.8", true), ("    public static let similarityRequired = 0.8", true),
        ("    var plausibleConfidence = 0.2", true), ("    static let surely = 0.8", true),
        ("    static let likelyByTitle: Double = .15", true), ("    public static let reviewBelow = 0.8", true),
        ("        if match.confidence >= 0.6 { return match }", true),
        ("        guard 0.1 <= book.confidence else { return nil }", true),
        ("        guard (best?.confidence ?? 0) > 0.3 else { return nil }", true),
        ("        let confidence = book.confidence ?? 0", false), ("    let width = 0.8 * height", false),
        ("        if answer.confidence >= NamingPolicy.standard.sure {", false),
        ("    /// Sure from confidence >= 0.8 on.", false), ("        confidence: 0.999", false),
    ]) func aThresholdIsFound(_ line: String, _ isOne: Bool) throws {
        #expect(try Self.thresholds(in: line).isEmpty != isOne)
    }
}
