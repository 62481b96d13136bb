import ArgumentParser
import Basics
import CommandSupport
import DatasetExchange
import Documents
import Evaluation
import Foundation
import Harness
import Reports
import SpineDatasets
import Systems

struct ErrorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "errors",
        abstract: "State whose fault each failed or missed spine is, and count lost words by kind.",
        discussion: """
            Owners: reader, label, harness, machine, picture; the more readers of a dataset are given, the more is \
            known of its labels. Kinds: nothing read, wrong way up, letters apart ("D I U N Y"), digits, hyphen or \
            apostrophe, letters misread, small word, not read; the first that fits counts. \
            Manual: Docs/MEASURING.md#where-titles-are-missed.
            """
    )

    @Argument(help: .value("run", "Folders of runs."))
    var runs: [String]

    @Option(name: .customLong("dataset"), help: .value("dir", "Dataset folder, if it was moved (repeatable)."))
    var datasets: [String] = []

    @Option(help: "Spines in the table.")
    var top = 50

    @Flag(help: "Print JSON instead of Markdown.")
    var json = false

    func validate() throws {
        try range("--top", top, 1...1_000_000)
        if runs.count > 1 && !datasets.isEmpty { throw ValidationError("--dataset requires a single run.") }
    }

    func run() throws {
        let measurements = ReadingErrors.of(try runs.map { try RunContents.scored($0, datasets: datasets) })
            .filter { $0.errors.words > 0 || !$0.errors.faults.isEmpty }
        guard !measurements.isEmpty else {
            throw HarnessError.configuration("\(runs.joined(separator: ", ")): no reading of a legible spine")
        }
        if json {
            let errors = Dictionary(measurements.map { ($0.id, $0.errors) }) { first, _ in first }
            return StandardOutput.write(try JSONFile.bytes(errors))
        }
        print(Self.document(measurements, top: top).markdown(), terminator: "")
    }

    /// Owners in the order in which their spines are listed: a reader's fault is the usual one.
    private static let owners: [FaultOwner] = [.harness, .machine, .label, .picture, .reader]

    static func document(_ measurements: [(id: String, errors: ReadingErrors)], top: Int) -> Document {
        let (columns, all) = (measurements.map { Table.Column.number($0.id) }, measurements.map(\.errors))
        func row(_ head: String, _ counts: [Int]) -> [String] { [head] + counts.map { "\($0)" } }
        let faults = owners.flatMap { owner in
            measurements.flatMap { id, errors in errors.faults.filter { $0.owner == owner }.map { (id, $0) } }
        }
        let kinds = ReadingErrors.Kind.allCases.map { kind in row(kind.rawValue, all.map { $0.lostWords[kind] ?? 0 }) }
        let sums = [
            row("all lost words", all.map { $0.lostWords.values.reduce(0, +) }),
            row("words of titles", all.map(\.words)),
        ]
        return Document(
            "What was missed, and whose fault it is",
            [
                Document.Section(
                    Table(
                        "Failed and missed spines by owner",
                        columns: ["owner"] + columns,
                        rows: owners.map { owner in
                            row(owner.rawValue, all.map { $0.faults.count { $0.owner == owner } })
                        }
                    )
                ),
                Document.Section(
                    Table(
                        "Failed and missed spines",
                        note: faults.count > top ? "The first \(top) of \(faults.count); --top lists more." : "",
                        columns: ["spine", "measurement", "owner", "evidence"],
                        rows: faults.prefix(top).map { [$1.id, $0, $1.owner.rawValue, Markdown.literal($1.evidence)] },
                        numbersFrom: 4
                    )
                ),
                Document.Section(
                    Table("Words of titles that were lost", columns: ["kind"] + columns, rows: kinds + sums)
                ),
            ]
        )
    }
}
