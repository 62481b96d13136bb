import ArgumentParser
import Basics
import CommandSupport
import Composition
import DatasetExchange
import Foundation
import Harness
import Reports
import Results
import SpineDatasets

struct ErrorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "errors",
        abstract: "Count what runs misread: lost words by kind, and characters confused.",
        discussion: """
            For example:

              spinebench errors Reports/runs/20260301T120000Z
              spinebench errors Reports/runs/before Reports/runs/after --top 30
              spinebench errors Reports/runs/ci --json | jq '.[].confusions[:5]'

            A word of a title is lost when the rule by which titles are scored does not find it. Each lost word has one kind, the \
            first that fits: nothing read, wrong way up, letters apart ("D I U N Y"), digits, hyphen or apostrophe, letters \
            misread, small word (three letters at most), not read. Characters are compared in words of the transcription that \
            were read almost right, case included. Only the first reading of each legible spine counts.

            A label that is wrong is corrected by 'spinebench dataset fix' or in 'spinebench label'.

            Exit codes: 0 written, 2 run not found, or its dataset is missing or changed.
            """
    )

    @Argument(help: .value("run", "Folders of runs."))
    var runs: [String]

    @Option(name: .customLong("dataset"), help: .value("dir", "Current folder of a run's dataset (repeatable)."))
    var datasets: [String] = []

    @Option(help: "Number of confusions in the table.")
    var top = 20

    @Flag(help: "Print JSON instead of Markdown.")
    var json = false

    func validate() throws {
        if top < 1 { throw ValidationError("Invalid --top \(top): expected at least 1.") }
        if runs.count > 1 && !datasets.isEmpty { throw ValidationError("--dataset requires a single run.") }
    }

    func run() throws {
        let contents = try RunContents.merged(runs.map { try RunContents.scored($0, datasets: datasets) })
        let index = contents.samples
        var errors: [String: ReadingErrors] = [:]
        for record in contents.records where record.repetition == 1 && record.phase == nil {
            guard let sample = index.sample(of: record)?.sample, sample.shelf == nil else { continue }
            errors[record.measurement, default: ReadingErrors()].add(record.prediction, of: sample)
        }
        let measurements = contents.result.measurements.map(\.id).compactMap { id in errors[id].map { (id, $0) } }
        guard !measurements.isEmpty else {
            throw HarnessError.configuration("\(runs.joined(separator: ", ")): no reading of a legible spine")
        }
        if json { return StandardOutput.write(try JSONFile.bytes(errors)) }
        print(Self.document(measurements, top: top).markdown(), terminator: "")
    }

    static func document(_ measurements: [(id: String, errors: ReadingErrors)], top: Int) -> Document {
        let names = measurements.map(\.id)
        let kinds = ReadingErrors.Kind.allCases.enumerated().map { place, kind in
            let counts = measurements.map { $0.errors.lostWords[place] }
            return [kind.rawValue] + counts.map { "\($0.count)" } + [examples(counts.map(\.examples))]
        }
        let all = ["all lost words"] + measurements.map { "\($0.errors.lostWords.reduce(0) { $0 + $1.count })" } + [""]
        let words = ["words of titles"] + measurements.map { "\($0.errors.words)" } + [""]
        let found = measurements.map { one in
            Dictionary(uniqueKeysWithValues: one.errors.confusions.map { ($0.item, $0) })
        }
        let total = found.reduce(into: [:]) { $0.merge($1.mapValues(\.count), uniquingKeysWith: +) }
        let rows = total.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(top).map { item, _ in
            [name(item.printed, "added"), name(item.read, "omitted")]
                + found.map { "\($0[item]?.count ?? 0)" } + [examples(found.map { $0[item]?.examples ?? [] })]
        }
        let confusions = Table(
            "Characters confused",
            note:
                "Of \(measurements.map { "\($0.errors.characters)" }.joined(separator: ", ")) characters in words read "
                + "right or almost right. \(total.count > top ? "The \(top) most frequent of \(total.count)." : "")",
            columns: [.text("printed"), .text("read")] + names.map { .number($0) } + [.text("examples")],
            rows: rows
        )
        return Document(
            "What was misread",
            [
                Document.Section(
                    Table(
                        "Words of titles that were lost",
                        columns: [.text("kind")] + names.map { .number($0) } + [.text("examples")],
                        rows: kinds + [all, words]
                    )
                ), Document.Section(confusions),
            ]
        )
    }

    private static func name(_ text: String, _ empty: String) -> String { text.isEmpty ? "(\(empty))" : "`\(text)`" }

    private static func examples(_ lists: [[String]]) -> String {
        var seen: Set<String> = []
        return lists.joined().filter { seen.insert($0).inserted }.prefix(3).joined(separator: "; ")
    }
}
