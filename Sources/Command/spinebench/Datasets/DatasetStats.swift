import ArgumentParser
import CommandSupport
import Documents
import Foundation
import SpineDatasets

/// `spinebench dataset stats`: what datasets are made of.
struct DatasetStats: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Counts and measures what a dataset is made of.",
        discussion: """
            Counts spines by category, orientation, language and split, and printed lines by role; sizes of the pictures and \
            of the lettering in pixels, lengths of titles and transcriptions in characters, each from the least to the \
            greatest. Several datasets stand side by side:

              spinebench dataset stats Datasets/spines-1 my-photos

            Standard output is Markdown, or JSON, an object a dataset, with --json.
            """
    )

    @Argument(help: "The datasets' folders.", completion: .directory)
    var paths: [String]

    @Flag(help: "Print JSON, an object a line for each dataset.")
    var json = false

    func run() throws {
        let statistics = try paths.map { DatasetStatistics(try DatasetLoader().load($0)) }
        if json {
            for statistics in statistics { StandardOutput.write([UInt8](try JSONLine.encode(statistics))) }
            return
        }
        print(Self.markdown(statistics), terminator: "")
        Console.standardError("Look at the pictures: spinebench dataset view \(paths[0])")
    }

    private static func markdown(_ all: [DatasetStatistics]) -> String {
        let titles = all.map { "\($0.name)\($0.version.map { " \($0)" } ?? "")" }
        var rows = [
            row("spines", all) { "\($0.samples)" }, row("legible", all) { "\($0.legible)" },
            row("groups (largest)", all) { "\($0.groups) (\($0.largestGroup))" },
        ]
        if all.contains(where: { $0.shelves > 0 }) {
            rows += [row("shelves", all) { "\($0.shelves)" }, row("spines on shelves", all) { "\($0.books)" }]
        }
        for trait in DatasetStatistics.traits {
            for value in Set(all.flatMap { ($0.counts[trait] ?? [:]).keys }).sorted() {
                rows.append(row("\(trait) \(value)", all) { "\($0.counts[trait]?[value] ?? 0)" })
            }
        }
        var text = Table(columns: ["count"] + titles, rows: rows).markdown + "\n"
        let measures = DatasetStatistics.measures.flatMap { measure in
            zip(titles, all).compactMap { title, statistics -> [String]? in
                guard let spread = statistics.spreads[measure] else { return nil }
                let values = [spread.minimum, spread.p10, spread.median, spread.p90, spread.maximum]
                return [measure, title, "\(spread.count)"] + values.map { NumberText.short(($0 * 10).rounded() / 10) }
            }
        }
        let columns = ["measure", "dataset", "n", "min", "P10", "median", "P90", "max"]
        text += "\n" + Table(columns: columns, rows: measures).markdown + "\n"
        return text
    }

    private static func row(
        _ name: String,
        _ all: [DatasetStatistics],
        _ cell: (DatasetStatistics) -> String
    ) -> [String] {
        [name] + all.map(cell)
    }
}
