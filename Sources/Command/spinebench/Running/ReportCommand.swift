import ArgumentParser
import Basics
import CommandSupport
import Composition
import DeviceSimulation
import Evaluation
import Foundation
import Harness
import Reports
import Results

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Rewrite the reports of a run, or combine several runs in one report.",
        discussion: """
            For example:

              spinebench report Reports/runs/20260301T120000Z
              spinebench report Reports/runs/A Reports/runs/B/report.json --out Reports/both

            A run is specified by its folder or its report.json. Its readings are rescored when its datasets are in place \
            and unchanged; otherwise the reported figures are used, without pictures. Measurements with \
            the same name in two runs are prefixed with their run's name. Latencies of different machines are shown side by side and \
            never pooled.

            Exit codes: 0 written, 2 run not found or runs that cannot be combined.
            """
    )

    @Argument(help: .value("run", "Folders of runs, or their report.json."))
    var runs: [String]

    @Option(help: .value("dir", "Output folder. (default: the run's folder; required for several runs)"))
    var out: String?

    func validate() throws {
        if runs.count > 1 && out == nil {
            throw ValidationError("A report of several runs requires --out DIR.")
        }
    }

    func run() throws {
        let contents = try RunContents.merged(runs.map(RunContents.load))
        for warning in contents.warnings { Console.standardError("warning: \(warning)") }
        let own = runs.map { $0.hasSuffix(".json") ? URL(filePath: $0).deletingLastPathComponent().path : $0 }
        let folder = out ?? own[0]
        // A run's own folder takes its own report, and no other's.
        if out != nil, let target = FileIdentity(folder) {
            let isOwn = own.contains { FileIdentity($0) == target }
            let isRun = FileManager.default.fileExists(atPath: "\(folder)/config.json")
            guard !(isOwn && runs.count > 1), !isRun || isOwn else {
                throw HarnessError.configuration(
                    "--out \(folder) is the folder of a run, whose report would be overwritten; specify another folder"
                )
            }
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw HarnessError.runFolder(path: folder, problem: "cannot be made: \(error.systemReason)")
        }
        try RunReports(contents).write(to: folder)
        print(RunSummary(result: contents.result, folder: folder, run: own.count == 1 ? own[0] : nil).text)
    }
}

struct RunSummary {
    let result: RunResult
    let folder: String
    /// Folder of the run, for continuing it; nil for several runs.
    let run: String?
    var width = Console.width

    var text: String {
        let verdict = VerdictText(result)
        let matrix = RequirementMatrix(result)
        let sentence = TextWidth.wrapped("\(verdict.word)  \(verdict.sentence)", to: width).joined(separator: "\n")
        let parts =
            (result.compliance.isEmpty ? [] : [matrix.table.terminal(width: width)])
            + [Console.coloured(verdict.word, result.verdict.colour) + " " + sentence.dropFirst(verdict.word.count)]
            + (matrix.legend.isEmpty ? [] : [Document.Section(nil, [.list(matrix.legend)]).terminal(width: width)])
            + RunPlots(result).bars.map { Document.Section(nil, [.bars($0)]).terminal(width: min(width, 100)) }
            + RunDocument(result).glance.map { $0.terminal(width: width) }
        return """
            \(parts.joined(separator: "\n\n"))

            Report: \(folder)/\(RunReports.Name.html), and \(RunReports.Name.markdown) for a pull request
            Next:   \(next)
            """
    }

    private var next: String {
        switch result.verdict {
        case .pass: "read the report, and archive it with the release"
        case .fail
        where result.compliance.contains { $0.gates && $0.judgement.verdict == .fail && $0.metric.isOfShelves }:
            "check the photos whose books were missed: \(folder)/\(RunReports.Name.html)#samples"
        case .fail
        where result.compliance.contains { $0.gates && $0.judgement.verdict == .fail && $0.rate != nil }:
            "check the spines that were not read: title_read is false in \(folder)/\(RunReports.Name.samples)"
        case .fail: "find the slow or large stage in the report"
        case .inconclusive where result.isPartial:
            "finish the run and check it again: spinebench run --resume \(run ?? "RUN")"
        case .inconclusive:
            if let repetitions = repetitionsForP95, repetitions > result.configuration.repetitions {
                "run again with --repetitions \(repetitions), enough for a P95"
            } else {
                "add spines to the categories that are too small, and run again"
            }
        case nil where result.compliance.isEmpty: "open the report, or get a verdict: spinebench run --suite standard"
        case nil: "run again with --gate \(result.configuration.variants.map(\.name).joined(separator: ","))"
        }
    }

    private var repetitionsForP95: Int? {
        let spines = result.datasets.map(\.samplesRead).min() ?? 0
        return spines == 0 ? nil : (Percentile.minimumCount(for: 95) + spines - 1) / spines
    }
}
