import ArgumentParser
import Basics
import BookCatalogue
import Composition

struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Identify the book of a spine's text.",
        discussion: """
            Each TEXT is a line read from the spine, in any order. The first line of the output is the answer, which may be that \
            the catalogue does not have the book; the likeliest books follow, with their probabilities and their words in the text.
            """
    )

    @Argument(help: "Lines of text.")
    var text: [String] = []

    @Option(
        help: .value(
            "file",
            "Match the texts of a JSON Lines file, as research/catalogue.py does: lines, and the book's title, author and isbn."
        )
    )
    var texts: String?

    @Flag(help: "Treat the book of each of --texts as missing in the catalogue.")
    var withoutBook = false

    @Option(help: "How many texts of a doubtful line of --texts the catalogue chooses from.")
    var readings = 1

    @Option(help: "Catalogue file; “embedded” for the built-in one.", completion: .file())
    var catalogue = "embedded"

    @Option(help: "Maximum number of books.")
    var limit = 5

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        try range("--limit", limit, 1...1_000_000)
        guard text.isEmpty != (texts == nil) else { throw ValidationError("Specify lines of text, or --texts.") }
    }

    func run() throws {
        let matcher = try CatalogueMatcher(catalogue: try BookCatalogue.named(catalogue))
        if let texts {
            for text in try KnownText.read(texts) {
                let found = try MatchedText(
                    text,
                    withoutBook: withoutBook,
                    readings: readings,
                    limit: limit,
                    by: matcher
                )
                print(try JSONText.line(found))
            }
            return
        }
        let found = try matcher.explain(text.map { (text: $0, confidence: 1) }, limit: limit)
        if json { return print(try JSONText.of(found.result)) }
        print(found.result.answer.map { "match: \($0.book.title)" } ?? "no match")
        for (candidate, evidence) in zip(found.result.candidates, found.evidence) {
            let authors = candidate.book.authors.joined(separator: ", ")
            let percent = NumberText.fixed(candidate.confidence * 100, 1)
            print("  \(percent) %  \(candidate.book.title)\(authors.isEmpty ? "" : " — " + authors)")
            print("          " + evidence.words.joined(separator: " "))
        }
    }
}
