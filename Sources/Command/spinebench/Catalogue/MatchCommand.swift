import ArgumentParser
import Basics
import BookCatalogue
import Composition
import Documents

/// `spinebench match`: text of a spine to the book.
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Names the book that a spine's text belongs to.",
        discussion: """
            Each TEXT is a line that was read, in any order. Printed are the likeliest books of the catalogue, each with the \
            probability that it is the one and the words of it that the text has; above them what the answer is, which may \
            be that the catalogue has no such book.
            """
    )

    @Argument(help: "Lines of text.")
    var text: [String]

    @Option(help: "The catalogue; “embedded” for the one inside the program.", completion: .file())
    var catalogue = "embedded"

    @Option(help: "Prints this many books, at most.")
    var limit = 5

    @Flag(help: "Prints JSON.")
    var json = false

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit is \(limit); expected 1 or more") }
    }

    func run() throws {
        let matcher = try CatalogueMatcher(catalogue: try BookCatalogue.named(catalogue))
        let found = try matcher.explain(text.map { (text: $0, confidence: 1) }, limit: limit)
        if json {
            print(try JSONText.of(found.result))
            return
        }
        print(found.result.answer.map { "match: \($0.book.title)" } ?? "no match")
        for (candidate, evidence) in zip(found.result.candidates, found.evidence) {
            let authors = candidate.book.authors.joined(separator: ", ")
            let percent = NumberText.fixed(candidate.confidence * 100, 1)
            print("  \(percent) %  \(candidate.book.title)\(authors.isEmpty ? "" : " — " + authors)")
            print("          " + (evidence.isByISBN ? "its ISBN" : evidence.words.joined(separator: " ")))
        }
    }
}
