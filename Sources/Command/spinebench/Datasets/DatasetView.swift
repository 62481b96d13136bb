import ArgumentParser
import Basics
import CommandSupport
import Composition
import Foundation
import SpineDatasets

struct DatasetView: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view",
        abstract: "Writes a dataset as one HTML page: every picture with its labels drawn on it.",
        discussion: """
            Shows any dataset whose labels 'dataset validate' can read, unfinished ones and those with faulty pictures or \
            regions included. The page needs no network and no other file. It filters by text, labels and size, sorts by any difficulty \
            figure, and turns each spine so that its title reads from left to right: one that then does not has a wrong \
            orientation. Its address keeps the filters, so that a link shows the same.

            Keys: / searches; in a large picture, the left and right arrow keys go on and Escape closes.

            Exit codes: 0 every picture is shown, 1 some do not decode (their cards say why), 2 the labels are faulty.
            """
    )

    @Argument(help: "The dataset's folder.", completion: .directory)
    var path: String

    @Option(
        name: .customLong("out"),
        help: .value("file", "The page to write. (default: NAME.html, after the folder)"),
        completion: .file(extensions: ["html"])
    )
    var output: String?

    @Option(help: .value("pixels", "The long side of a spine at most, in pixels; of a shelf, three times that."))
    var maxSide = 480

    @Option(help: ArgumentHelp("Show that many spines, the categories in turn, and shelves. (default: all)"))
    var limit: Int?

    func validate() throws {
        guard (16...4_096).contains(maxSide) else {
            throw ValidationError("--max-side is \(maxSide); 16 to 4096 pixels can be shown")
        }
        if let limit, limit < 1 { throw ValidationError("--limit is \(limit); at least 1 spine can be shown") }
    }

    func run() throws {
        let file = URL(filePath: output ?? URL(filePath: path).standardizedFileURL.lastPathComponent + ".html")
        try refuse(file)
        let sheet = try ContactSheet(of: path, maximumSide: maxSide, limit: limit)
        let bar = TimedBar()
        let outcome = try sheet.write(to: file) { done, total in bar.show(done, of: total) }
        bar.clear()
        print("\(file.relativePath): \(NumberText.megabytes(Double(outcome.bytes)))")
        if outcome.bytes > 50_000_000 {
            Console.standardError(
                "warning: browsers are slow with more than 50 MB; a smaller --max-side (now \(maxSide)) or --limit helps"
            )
        }
        if !outcome.faults.isEmpty {
            let listed = Array(outcome.faults.prefix(200))
            let error = DatasetError.faults(path: path, faults: listed, more: outcome.faults.count - listed.count)
            Console.error("\(error)")
            throw ExitStatus.missed.exitCode
        }
    }

    /// Refuses to write the page over a library, or anything in the dataset's folder but an earlier page.
    private func refuse(_ file: URL) throws {
        guard FileIdentity(file.path) != nil else { return }
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        let inputs = names.filter { !$0.hasSuffix(".html") }.map { "\(path)/\($0)" }
        _ = try OutputFile(file.relativePath, option: "--out", over: inputs)
    }
}

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
        func row(_ name: String, _ cell: (DatasetStatistics) -> String) -> [String] { [name] + all.map(cell) }
        var rows = [
            row("spines") { "\($0.samples)" }, row("legible") { "\($0.legible)" },
            row("groups (largest)") { "\($0.groups) (\($0.largestGroup))" },
        ]
        if all.contains(where: { $0.shelves > 0 }) {
            rows += [row("shelves") { "\($0.shelves)" }, row("spines on shelves") { "\($0.books)" }]
        }
        for trait in DatasetStatistics.traits {
            for value in Set(all.flatMap { ($0.counts[trait] ?? [:]).keys }).sorted() {
                rows.append(row("\(trait) \(value)") { "\($0.counts[trait]?[value] ?? 0)" })
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
}
