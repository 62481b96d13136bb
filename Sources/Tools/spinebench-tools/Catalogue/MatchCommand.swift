import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Systems

struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Identify the book of a spine's text.",
        discussion: """
            The first line is the answer, which may be none; the likeliest books follow. Manual: \
            Docs/READING.md#identify-the-book-of-a-text.
            """
    )

    @Argument(help: "Lines of a spine's text, in any order.")
    var text: [String] = []

    @Option(
        help: .value(
            "file",
            "JSON Lines with lines, and the book's title, author and isbn, as of research/catalogue.py."
        )
    )
    var texts: String?

    @Flag(help: "Treat the book of each of --texts as missing.")
    var withoutBook = false

    @Option(help: "Texts of a doubtful line of --texts that are tried.")
    var readings = 1

    @Option(help: "Catalogue file; “embedded” for the built-in one.", completion: .file())
    var catalogue = "embedded"

    @Option(help: "Maximum books.")
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
