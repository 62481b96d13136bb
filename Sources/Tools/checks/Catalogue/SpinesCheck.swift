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

    func validate() throws { try require(dataset.count == reads.count, "give one --dataset for each --reads") }

    func run() throws {
        var run = try MatchRun(options)
        for (folder, file) in zip(dataset, reads) {
            let samples: [LabelledBook] = try jsonLines("\(folder)/samples.jsonl")
            let byName = Dictionary(
                samples.map { (URL(filePath: $0.image ?? "").lastPathComponent, $0) },
                uniquingKeysWith: { $1 }
            )
            for read: Read in try jsonLines(file) {
                guard let sample = byName[URL(filePath: read.path).lastPathComponent], sample.legible ?? true else {
                    continue
                }
                let lines = (read.lines ?? []).map { line in
                    MatchLine(text: line.text, confidence: line.confidence, readings: line.alternatives ?? [])
                }
                let kind = URL(filePath: file).lastPathComponent
                try run.match(
                    lines,
                    of: sample.truth,
                    kind: kind,
                    id: sample.id ?? read.path,
                    group: sample.group ?? read.path
                )
            }
        }
        try run.finish()
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
