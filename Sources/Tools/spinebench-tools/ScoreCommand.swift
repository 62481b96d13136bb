import ArgumentParser
import Basics
import CommandSupport
import DatasetExchange
import Evaluation
import Foundation
import Harness
import Reports
import SpineDatasets
import Systems

struct ScoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "score",
        abstract: "Score readings that were made elsewhere: on a phone, by another OCR program, or in another run.",
        discussion: """
            Examples:

              spinebench score --dataset Datasets/spines-1 phone=phone.jsonl --gate phone
              spinebench score --dataset Datasets/spines-1 mine=mine.csv    # id,text[,milliseconds]
              spinebench score --dataset Datasets/spines-1 tess=out/tesseract --format hocr
              spinebench score --dataset Datasets/spines-1 fast=phone.jsonl --suite mine.yaml

            Files of one name make one variant; without NAME=, the file's system does. The output is the folder of a \
            run. Manual: Docs/YOUR-READER.md#readings-made-elsewhere. Exit codes: Docs/MEASURING.md#exit-codes.
            """
    )

    @Argument(help: .value("[name=]file", "Files or folders of readings."))
    var files: [String]

    @Option(help: .value("dir", "Dataset folder."))
    var dataset: String

    @Option(help: .value("name", "Format of all files, or ./PROGRAM."))
    var format: String?

    @Option(help: .value("dir", "New output folder. (default: Reports/runs/<UTC time>)"))
    var out: String?

    @Option(
        help: .value("names", "Variants whose targets decide the verdict. (default: those of runs that did)")
    )
    var gate: NameList?

    @Option(name: .customLong("tier"), help: .value("name=tier", "Tier of a variant's targets (repeatable)."))
    var tiers: [String] = []

    @Option(help: "Suite with targets, tiers, and keys of recordings.")
    var suite: String?

    @Option(help: .value("file", "COCO file with the images of COCO-Text results."), completion: .file())
    var annotations: String?

    @Option(
        help: .value(
            "rule",
            "Compare targets with the figure or its whole interval. (default: point)"
        )
    )
    var decideBy: DecisionRule?

    @Flag(help: "Leave out readings of unknown samples, instead of failing.")
    var ignoreUnknown = false

    private static let knownTiers = Set(Claim.standard.compactMap(\.tier)).sorted()

    func run() throws {
        var options = ReadingScore.Options()
        (options.annotations, options.ignoresUnknown, options.formats) = (
            annotations, ignoreUnknown, FormatLibrary.names
        )
        options.format = try format.map {
            $0 == "readings" ? .readings : $0 == "run" ? .run : .program(try FormatLibrary.program($0))
        }
        options.tables = FormatLibrary.reader("table")
        options.suite = try suite.map(SuiteLibrary.suite)
        (options.gates, options.decideBy) = (gate?.compactNames, decideBy ?? options.suite?.decideBy ?? .point)
        options.tiers = try Dictionary(tiers.map(Self.tier)) { $1 }
        let sources = try files.map(Self.source)
        let dataset = try DatasetLoader().labelled(dataset)
        Console.standardError(DatasetText.summary(dataset))
        let score = try ReadingScore(sources, over: dataset, tool: ProgramVersion.tool, options: options)
        for remark in score.remarks { Console.standardError("warning: \(remark)") }
        let path = out ?? "Reports/runs/\(RunClock.folderName())"
        let folder = try score.write(to: path)
        let contents = try RunContents.scored(folder.path, datasets: [dataset.path])
        try RunReports(contents).write(to: folder.path)
        let summary = RunSummary(result: contents.result, folder: folder.path, run: folder.path)
        print(summary.text(width: Console.width) { Console.coloured($0, contents.result.verdict.colour) }.typed)
        throw ExitCode(contents.result.exitCode)
    }

    /// Parses `NAME=FILE`, or a path, which may contain a "=".
    private static func source(_ argument: String) throws -> ReadingScore.Source {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !FileManager.default.fileExists(atPath: argument) else {
            return ReadingScore.Source(name: nil, path: argument)
        }
        let isName = parts[0].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        guard isName, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw HarnessError.configuration(
                "\"\(argument)\" is neither a file nor NAME=FILE; a name has letters, digits, '-', '_' and '.'"
            )
        }
        return ReadingScore.Source(name: parts[0], path: parts[1])
    }

    private static func tier(_ argument: String) throws -> (String, String) {
        let parts = argument.split(separator: "=").map(String.init)
        guard parts.count == 2, knownTiers.contains(parts[1]) else {
            throw HarnessError.configuration(
                "invalid --tier \"\(argument)\": expected NAME=TIER, with one of \(knownTiers.joined(separator: ", "))"
            )
        }
        return (parts[0], parts[1])
    }
}
