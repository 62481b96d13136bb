import ArgumentParser
import Basics
import CommandSupport
import Documents
import Foundation
import Harness
import RunHistory
import Systems

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Collect runs in one place, and find the commits where figures changed.",
        discussion: "Manual: Docs/COMPARING.md#history.",
        subcommands: [HistoryAdd.self, HistoryShow.self, HistoryPageCommand.self]
    )
}

struct HistoryAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add runs to a history.",
        discussion: "A run that was added before is skipped."
    )

    @Argument(help: .value("run", "Folders of runs."), completion: .directory)
    var runs: [String]

    @Option(help: .value("store", "Folder of the history."))
    var to: String

    @Option(help: .value("revision", "Commit that was measured. (default: HEAD)"))
    var commit: String?

    @Option(help: .value("name", "Branch that was measured. (default: the current one)"))
    var branch: String?

    @Option(help: .value("url", "Address of the job or change."))
    var link: String?

    func run() throws {
        let store = try HistoryFolder(to)
        let revision = try HistoryEntry.Revision.current(commit: commit, branch: branch, link: link)
        for path in runs {
            let entry = try HistoryEntry(RunContents.scored(path), revision)
            let name = try entry.name
            let isNew = try store.add(name, entry.bytes)
            print("\(path): \(isNew ? "added as" : "already in the history:") \(name)")
        }
    }
}

struct HistorySource: ParsableArguments {
    @Option(help: .value("store", "Folder of the history."))
    var from: String

    @Option(
        name: .customLong("baseline"),
        help: .value("file", "Baseline file (repeatable); 'none' disables. (default: all in Reports/baseline)")
    )
    var baselines: [String] = []

    @Option(help: .value("number", "Only the newest runs."))
    var last: Int?

    func validate() throws { try range("--last", last, 1...1_000_000) }

    /// Returns the runs in the order of time, and the baselines.
    func load() throws -> (entries: [HistoryEntry], baselines: [Baseline]) {
        let entries = try HistoryFolder(from).entries()
        guard !entries.isEmpty else {
            throw HarnessError.configuration(
                "No runs found in \(from): add one with 'spinebench history add RUN --to \(from)'"
            )
        }
        let files = baselines.isEmpty ? GateOptions.baselines(in: GateOptions.folder) : baselines
        return (entries.suffix(last ?? .max), try (baselines == ["none"] ? [] : files).map(Baseline.load))
    }
}

struct HistoryShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print the last figures of a history, and their newest steps.",
        discussion: "Later runs have to confirm a step marked 'new'."
    )

    @OptionGroup var source: HistorySource

    @Flag(help: "Print JSON with all runs, series and steps.")
    var json = false

    @Flag(help: "Print CSV, a line for each figure.")
    var csv = false

    func validate() throws {
        if json && csv { throw ValidationError("--json and --csv exclude each other; specify one.") }
    }

    func run() throws {
        let (entries, baselines) = try source.load()
        let history = History(entries, baselines: baselines)
        if json { return StandardOutput.write(try history.json) }
        if csv { return print(history.csv, terminator: "") }
        for table in history.tables { print(table.terminal(width: Console.width) + "\n") }
        print(history.method)
    }
}

struct HistoryPageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Write a history as one HTML page.",
        discussion: "The page index.html needs no network."
    )

    @OptionGroup var source: HistorySource

    @Option(name: .customLong("out"), help: .value("dir", "Output folder."), completion: .directory)
    var output: String

    func run() throws {
        let (entries, baselines) = try source.load()
        let bytes = try History(entries, baselines: baselines).page(entries)
        let file = try OutputFile("\(output)/index.html", option: "--out", over: source.baselines)
        try file.write(bytes)
        print("\(file.path): \(NumberText.megabytes(Double(bytes.count)))")
    }
}
