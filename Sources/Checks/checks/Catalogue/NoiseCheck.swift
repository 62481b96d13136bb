import ArgumentParser
import Basics
import BookCatalogue
import Evaluation

/// Measures how many books are named of made-up readings of their spines.
struct NoiseCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "noise",
        abstract: "Matches made-up, misread spines of a catalogue's books.",
        discussion: TakenOut.rule
    )

    @Option(help: "A catalogue.", completion: .file())
    var catalogue: String

    @Option(help: "How many spines to make up.")
    var count = 1_000

    @Option(help: "The seed that they are made from.")
    var seed: UInt64 = 7

    @Flag(help: "Treat each spine's book as if the catalogue lacked it.")
    var takenOut = false

    @Option(help: "A file to write what each text says for its candidates to.")
    var features: String?

    func run() throws {
        let books = try BookCatalogue(path: catalogue)
        let matcher = try CatalogueMatcher(catalogue: books)
        var noise = NoisySpines(seed: seed)
        var figures = AnswerFigures()
        var recall = RecallFigures()
        var out = TakenOut()
        var table = FeatureTable()
        for number in 0..<count {
            guard let book = try books.book(id: Int64(1 + noise.random.below(books.count))) else { continue }
            let lines = noise.lines(of: book).map { (text: $0, confidence: 1.0) }
            let truth = TrueBook(title: book.title, author: book.authors.first ?? "", isbn: book.isbn)
            if features != nil {
                let found = try matcher.explain(lines, limit: FeatureTable.candidates)
                table.add(found, kind: "noise", id: "\(number)", group: "\(number)", truth)
            }
            let result = try matcher.explain(lines, limit: 5, isExcluded: { takenOut && out.contains($0, of: truth) })
                .result
            figures.add(result, isRight: truth.isSame)
            recall.add(result.candidates.map(\.book), truth)
        }
        print(figures)
        if takenOut { print(out) }
        print(recall)
        if let features { try table.write(to: features) }
    }
}
