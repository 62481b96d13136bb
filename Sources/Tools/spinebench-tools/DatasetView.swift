import ArgumentParser
import Basics
import CommandSupport
import DatasetExchange
import Documents
import Foundation
import SpineDatasets
import Systems

struct DatasetView: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view",
        abstract: "Write a dataset as one HTML page: every picture with its labels drawn on it.",
        discussion: """
            Spines are turned so that right orientations read from left to right. In a large picture, arrow keys \
            switch pictures and Escape closes. Exit codes: 0 all shown, 1 some do not decode, 2 invalid labels.
            """
    )

    @Argument(help: "Dataset folder.", completion: .directory)
    var path: String

    @Option(
        name: .customLong("out"),
        help: .value("file", "Output page. (default: NAME.html, after the folder)"),
        completion: .file(extensions: ["html"])
    )
    var output: String?

    @Option(help: .value("pixels", "Maximum long side of a spine, in pixels; three times that of a shelf."))
    var maxSide = 480

    @Option(help: ArgumentHelp("Maximum spines, the categories taking turns, and shelves. (default: all)"))
    var limit: Int?

    func validate() throws {
        guard (16...4_096).contains(maxSide) else {
            throw ValidationError("invalid --max-side \(maxSide): expected 16 to 4096 pixels")
        }
        if let limit, limit < 1 { throw ValidationError("invalid --limit \(limit): expected 1 or more") }
    }

    func run() throws {
        let file = URL(filePath: output ?? URL(filePath: path).standardizedFileURL.lastPathComponent + ".html")
        try refuse(file)
        let sheet = try ContactSheet(of: path, maximumSide: maxSide, limit: limit)
        let bar = ProgressDisplay()
        let outcome = try sheet.write(to: file) { done, total in bar.show(done, of: total) }
        bar.clear()
        print("\(file.relativePath): \(NumberText.megabytes(Double(outcome.bytes)))")
        if outcome.bytes > 50_000_000 {
            Console.standardError(
                "warning: browsers are slow with more than 50 MB; a smaller --max-side (now \(maxSide)) or --limit helps"
            )
        }
        if !outcome.faults.isEmpty {
            Console.error("\(DatasetError.faults(path: path, outcome.faults))")
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
        abstract: "Print statistics of a dataset.",
        discussion: """
            Counts spines by label and lines by role; sizes in pixels and lengths in characters, from minimum to \
            maximum.
            """
    )

    @Argument(help: "Dataset folders.", completion: .directory)
    var paths: [String]

    @Flag(help: "Print one line of JSON per dataset.")
    var json = false

    func run() throws {
        let statistics = try paths.map { DatasetStatistics(try DatasetLoader().load($0)) }
        if json {
            for statistics in statistics { StandardOutput.write([UInt8](try JSONLine.encode(statistics))) }
            return
        }
        print(Self.markdown(statistics), terminator: "")
        Console.standardError("View the pictures: spinebench dataset view \(paths[0])")
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
