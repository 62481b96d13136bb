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
        abstract: "Count what runs misread: lost words by kind, and characters confused.",
        discussion: """
            Kinds: nothing read, wrong way up, letters apart ("D I U N Y"), digits, hyphen or apostrophe, letters \
            misread, small word, not read; the first that fits counts. Characters are compared in words that were \
            read almost right. Manual: Docs/MEASURING.md#where-titles-are-missed.
            """
    )

    @Argument(help: .value("run", "Folders of runs."))
    var runs: [String]

    @Option(name: .customLong("dataset"), help: .value("dir", "Dataset folder, if it was moved (repeatable)."))
    var datasets: [String] = []

    @Option(help: "Confusions in the table.")
    var top = 20

    @Flag(help: "Print JSON instead of Markdown.")
    var json = false

    func validate() throws {
        try range("--top", top, 1...1_000_000)
        if runs.count > 1 && !datasets.isEmpty { throw ValidationError("--dataset requires a single run.") }
    }

    func run() throws {
        let scored = try runs.map { try RunContents.scored($0, datasets: datasets) }
        let ids = scored.flatMap { $0.result.measurements.map(\.id) }
        let measurements = scored.flatMap { run -> [(id: String, errors: ReadingErrors)] in
            let index = run.samples
            var errors: [String: ReadingErrors] = [:]
            for record in run.records where record.repetition == 1 {
                guard let sample = index.sample(of: record)?.sample, sample.shelf == nil else { continue }
                errors[record.measurement, default: ReadingErrors()].add(record.prediction, of: sample)
            }
            return run.result.measurements.map(\.id).compactMap { id in
                let isShared = ids.count { $0 == id } > 1
                return errors[id].map { (isShared ? "\(run.name):\(id)" : id, $0) }
            }
        }
        guard !measurements.isEmpty else {
            throw HarnessError.configuration("\(runs.joined(separator: ", ")): no reading of a legible spine")
        }
        if json {
            let errors = Dictionary(measurements.map { ($0.id, $0.errors) }) { first, _ in first }
            return StandardOutput.write(try JSONFile.bytes(errors))
        }
        print(Self.document(measurements, top: top).markdown(), terminator: "")
    }

    static func document(_ measurements: [(id: String, errors: ReadingErrors)], top: Int) -> Document {
        let (columns, all) = (measurements.map { Table.Column.number($0.id) }, measurements.map(\.errors))
        func row(_ head: [String], _ counts: [Int], _ examples: [[String]] = []) -> [String] {
            var seen: Set<String> = []
            let shown = examples.joined().filter { seen.insert($0).inserted }.prefix(3)
            return head + counts.map { "\($0)" } + [shown.joined(separator: "; ")]
        }
        func name(_ text: String, _ empty: String) -> String { text.isEmpty ? "(\(empty))" : "`\(text)`" }
        let kinds = ReadingErrors.Kind.allCases.enumerated().map { place, kind in
            let counts = all.map { $0.lostWords[place] }
            return row([kind.rawValue], counts.map(\.count), counts.map(\.examples))
        }
        let found = all.map { Dictionary(uniqueKeysWithValues: $0.confusions.map { ($0.item, $0) }) }
        let total = found.reduce(into: [:]) { $0.merge($1.mapValues(\.count), uniquingKeysWith: +) }
        let confusions = total.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(top).map { item, _ in
            row(
                [name(item.printed, "added"), name(item.read, "omitted")],
                found.map { $0[item]?.count ?? 0 },
                found.map { $0[item]?.examples ?? [] }
            )
        }
        let characters = all.map { "\($0.characters)" }.joined(separator: ", ")
        let lost = row(["all lost words"], all.map { $0.lostWords.reduce(0) { $0 + $1.count } })
        return Document(
            "What was misread",
            [
                Document.Section(
                    Table(
                        "Words of titles that were lost",
                        columns: ["kind"] + columns + ["examples"],
                        rows: kinds + [lost, row(["words of titles"], all.map(\.words))]
                    )
                ),
                Document.Section(
                    Table(
                        "Characters confused",
                        note: "Of \(characters) characters in words read right or almost right. "
                            + (total.count > top ? "The \(top) most frequent of \(total.count)." : ""),
                        columns: ["printed", "read"] + columns + ["examples"],
                        rows: confusions
                    )
                ),
            ]
        )
    }
}
