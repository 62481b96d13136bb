import ArgumentParser
import Foundation
import Judging

/// `spinebench baseline`.
struct BaselineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline",
        abstract: "Keeps what later runs are measured by.",
        subcommands: [BaselineUpdate.self]
    )

    /// Where baselines are committed.
    static let folder = "Reports/baseline"
}

/// `spinebench baseline update`.
struct BaselineUpdate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Writes runs as a baseline, and prints what that changes.",
        discussion: """
            For example:

              spinebench baseline update Reports/runs/1 Reports/runs/2 Reports/runs/3 --name fast
              spinebench baseline update Reports/runs/1 --name fast --dry-run

            The runs are of the same build over the same dataset, on one machine: accuracy is taken from the first, latencies \
            from all of them, and how far they differ is the noise that a later run has to exceed. With one run, latency \
            and memory cannot gate; with two the noise is known badly; five are good.

            Reports/baseline/NAME.json is to be committed; what is printed is to be reviewed.
            """
    )

    @Argument(help: ArgumentHelp("Folders of runs.", valueName: "run"))
    var runs: [String]

    @Option(help: "The baseline's name: letters, digits, '-', '_' and '.'.")
    var name: String

    @Option(help: ArgumentHelp("Where baselines lie.", valueName: "dir"))
    var folder = BaselineCommand.folder

    @Flag(help: "Print what would change, and write nothing.")
    var dryRun = false

    func validate() throws {
        guard !name.isEmpty, !name.hasPrefix("."),
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
        else { throw ValidationError("--name is \"\(name)\"; expected letters, digits, '-', '_' and '.'") }
    }

    func run() throws {
        let path = "\(folder)/\(name).json"
        let file = try OutputFile(path, option: "--folder and --name:", over: runs.flatMap(RunFiles.all))
        let new = try Baseline(name: name, runs: runs.map { try RunContents.scored($0) })
        let old = FileManager.default.fileExists(atPath: path) ? try Baseline.load(path) : nil
        print(new.diff(from: old))
        if dryRun {
            print("Nothing was written. Next: the same without --dry-run")
            return
        }
        try file.write(new.bytes)
        print("Written: \(path)\nNext:    review the changes above, and commit the file")
    }
}
