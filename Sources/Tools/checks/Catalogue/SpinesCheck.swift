import ArgumentParser
import Basics
import BookCatalogue
import Foundation

struct SpinesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spines",
        abstract: "Match the readings of a dataset's spines with their books.",
        discussion: """
            --reads is the output of 'spinebench read DIR/images --json'. The catalogue should contain all books of the dataset: \
            'spinebench catalogue build books.csv --from-dataset DIR'. Illegible spines do not count.

            \(ExcludedSamples.rule)
            """
    )

    @OptionGroup var options: MatchOptions

    @Option(help: "A dataset's folder; one for each --reads.", completion: .directory)
    var dataset: [String]

    @Option(help: "Readings of the dataset, as JSON Lines.", completion: .file())
    var reads: [String]

    func validate() throws {
        guard dataset.count == reads.count else { throw ValidationError("give one --dataset for each --reads") }
    }

    func run() throws {
        var run = try MatchRun(options)
        for (folder, file) in zip(dataset, reads) {
            var samples: [String: Sample] = [:]
            for line in try String(contentsOfFile: folder + "/samples.jsonl", encoding: .utf8).split(separator: "\n") {
                let sample = try JSONDecoder().decode(Sample.self, from: Data(line.utf8))
                samples[URL(filePath: sample.image).lastPathComponent] = sample
            }
            for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
                let read = try JSONDecoder().decode(Read.self, from: Data(line.utf8))
                guard let sample = samples[URL(filePath: read.path).lastPathComponent], sample.legible else { continue }
                let truth = GroundTruthBook(
                    title: sample.catalogueTitle ?? sample.title,
                    author: sample.authorFull ?? sample.author ?? "",
                    isbn: nil
                )
                let lines = (read.lines ?? []).map { line in
                    MatchLine(text: line.text, confidence: line.confidence, readings: line.alternatives ?? [])
                }
                let kind = URL(filePath: file).lastPathComponent
                try run.match(lines, of: truth, kind: kind, id: sample.id, group: sample.group)
            }
        }
        print(run.answers)
        print(run.recall)
        print(run.times)
        try run.writeFeatures()
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
            var alternatives: [PossibleText]?
        }
        var path: String
        var lines: [Line]?
    }
}
