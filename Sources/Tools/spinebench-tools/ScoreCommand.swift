import ArgumentParser
import Basics
import CommandSupport
import Composition
import DatasetExchange
import Evaluation
import Foundation
import Harness
import Reports
import SpineDatasets

struct ScoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "score",
        abstract: "Score readings that were made elsewhere: on a phone, by another OCR program, or in another run.",
        discussion: """
            For example:

              spinebench score --dataset Datasets/spines-1 phone=phone.jsonl --gate phone
              spinebench score --dataset Datasets/spines-1 tess=out/tesseract --format hocr
              spinebench score --dataset Datasets/spines-1 Reports/runs/20260301T120000Z
              spinebench score --dataset Datasets/spines-1 fast=phone.jsonl --suite mine.yaml
              spinebench score --dataset Datasets/spines-1 new=b.jsonl old=a.jsonl --out Reports/runs/phones

            NAME=FILE names a variant; else the system and version in the file do, or the file's name. Files of one name make one \
            variant. A FILE is a file, or a folder with a file for each picture: JSON Lines (readings), a run, or with --format the \
            output of another tool (a program of the folder Formats) or of your own program (./PROGRAM). Docs/YOUR-READER.md lists \
            the formats, and every field.

            The output is the folder of a run. Latency, memory, energy, battery and heat are marked as reported, and gate only where \
            the suite says so, or when the recording is signed with a key that the suite names. Samples without a reading failed.

            Exit codes: 0 all targets of the gating variants met, or none gates, 1 a target missed, 2 invalid usage, dataset or file, 3 not \
            enough data to decide.
            """
    )

    @Argument(help: .value("[name=]file", "Files or folders of readings."))
    var files: [String]

    @Option(help: .value("dir", "Dataset folder."))
    var dataset: String

    @Option(help: .value("name", "Format of all files: one of these, or the path of a program."))
    var format: String?

    @Option(help: .value("dir", "Output folder: a new run. (default: Reports/runs/<UTC time>)"))
    var out: String?

    @Option(
        help: .value("names", "Gating variants, whose targets decide the verdict. (default: those of runs that did)")
    )
    var gate: NameList?

    @Option(name: .customLong("tier"), help: .value("name=tier", "Tier whose targets hold for a variant (repeatable)."))
    var tiers: [String] = []

    @Option(help: "Suite with the targets, the tiers of variants, and the keys that sign recordings.")
    var suite: String?

    @Option(help: .value("file", "COCO file with the images that COCO-Text results number."), completion: .file())
    var annotations: String?

    @Option(
        help: .value(
            "rule",
            "Compare targets with the figure (point) or with its whole interval (interval). (default: point)"
        )
    )
    var decideBy: DecisionRule?

    @Flag(help: "Leave out readings of samples that the dataset lacks, instead of failing.")
    var ignoreUnknown = false

    private static let knownTiers = Set(Target.standard.compactMap(\.tier)).sorted()

    func run() throws {
        var options = ReadingScore.Options()
        (options.annotations, options.ignoresUnknown, options.formats) = (
            annotations, ignoreUnknown, FormatLibrary.names
        )
        options.format = try format.map {
            $0 == "readings" ? .readings : $0 == "run" ? .run : .program(try FormatLibrary.program($0))
        }
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
        print(summary.text(width: Console.width) { Console.coloured($0, contents.result.verdict.colour) })
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
