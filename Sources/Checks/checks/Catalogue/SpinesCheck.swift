import ArgumentParser
import BookCatalogue
import Foundation

/// Measures how many spines of a dataset are named, rightly or wrongly.
struct SpinesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spines",
        abstract: "Matches what was read on the spines of a dataset with the books that they are.",
        discussion: """
            --reads is what 'spinebench read DIR/images --json' prints. The catalogue should have all books of the dataset: \
            'spinebench catalogue build books.csv --from-dataset DIR'. Spines that nobody can read do not count.

            \(TakenOut.rule)
            """
    )

    @Option(help: "A catalogue.", completion: .file())
    var catalogue: String

    @Option(help: "A dataset's folder; one for each --reads.", completion: .directory)
    var dataset: [String]

    @Option(help: "What was read of it, a JSON object a line.", completion: .file())
    var reads: [String]

    @Flag(help: "Treat each spine's book as if the catalogue lacked it.")
    var takenOut = false

    @Option(help: "A file to write what each text says for its candidates to.")
    var features: String?

    func validate() throws {
        guard dataset.count == reads.count else { throw ValidationError("give one --dataset for each --reads") }
    }

    func run() throws {
        let matcher = try CatalogueMatcher(catalogue: BookCatalogue(path: catalogue))
        var figures = AnswerFigures()
        var recall = RecallFigures()
        var out = TakenOut()
        var times = CallTimes()
        var table = FeatureTable()
        for (folder, file) in zip(dataset, reads) {
            var samples: [String: Sample] = [:]
            for line in try String(contentsOfFile: folder + "/samples.jsonl", encoding: .utf8).split(separator: "\n") {
                let sample = try JSONDecoder().decode(Sample.self, from: Data(line.utf8))
                samples[URL(filePath: sample.image).lastPathComponent] = sample
            }
            for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
                let read = try JSONDecoder().decode(Read.self, from: Data(line.utf8))
                guard let sample = samples[URL(filePath: read.path).lastPathComponent], sample.legible else { continue }
                let truth = TrueBook(
                    title: sample.catalogueTitle ?? sample.title,
                    author: sample.authorFull ?? sample.author ?? "",
                    isbn: nil
                )
                let lines = (read.lines ?? []).map { (text: $0.text, confidence: $0.confidence) }
                if features != nil {
                    let found = try matcher.explain(lines, limit: FeatureTable.candidates)
                    let kind = URL(filePath: file).lastPathComponent
                    table.add(found, kind: kind, id: sample.id, group: sample.group, truth)
                }
                let result = try times.measure {
                    try matcher.explain(lines, limit: 5, isExcluded: { takenOut && out.contains($0, of: truth) }).result
                }
                figures.add(result, isRight: truth.isSame)
                recall.add(result.candidates.map(\.book), truth)
            }
        }
        print(figures)
        if takenOut { print(out) }
        print(recall)
        print(times)
        if let features { try table.write(to: features) }
    }

    private struct Sample: Decodable {
        var id: String
        var image: String
        var title: String
        var author: String?
        var authorFull: String?
        var catalogueTitle: String?
        var group: String
        var legible: Bool
    }

    private struct Read: Decodable {
        struct Line: Decodable {
            var text: String
            var confidence: Double
        }
        var path: String
        var lines: [Line]?
    }
}
