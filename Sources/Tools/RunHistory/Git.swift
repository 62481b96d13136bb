import Basics
import Foundation
import Harness
import SpineDatasets

/// The program git, in one repository.
package struct Git {
    /// Options before the command that name the repository; none for that of the current folder.
    var options: [String] = []

    package struct Outcome {
        package var code: Int32
        package var output: [UInt8]
        package var errors: String
    }

    init() {}

    /// Git in a work tree.
    package init(in workTree: String) { options = ["-C", workTree] }

    /// Input and errors go through files, so that no pipe is full while nobody reads it.
    package func run(_ arguments: [String], input: [UInt8] = []) throws -> Outcome {
        let base = FileManager.default.temporaryDirectory.appending(path: "spinebench-git-\(UUID().uuidString)").path
        let (given, problems) = ("\(base).in", "\(base).err")
        defer { for file in [given, problems] { unlink(file) } }
        try Data(input).write(to: URL(filePath: given))
        try Data().write(to: URL(filePath: problems))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git"] + options + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["GIT_TERMINAL_PROMPT": "0"]) { $1 }
        let (pipe, errors) = (Pipe(), try FileHandle(forWritingTo: URL(filePath: problems)))
        (process.standardInput, process.standardOutput) = (try FileHandle(forReadingFrom: URL(filePath: given)), pipe)
        process.standardError = errors
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let problem = Git.text([UInt8](FileManager.default.contents(atPath: problems) ?? Data()))
        return Outcome(code: process.terminationStatus, output: [UInt8](output), errors: problem)
    }

    package static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension HistoryEntry.Revision {
    /// Returns the state of the current folder's repository, unless it is given; members that git does not know are nil.
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` for a revision with other characters than git's.
    package static func current(commit: String?, branch: String?, link: String?) throws -> HistoryEntry.Revision {
        if let commit, commit.isEmpty || commit.hasPrefix("-") {
            throw HarnessError.configuration(
                "Invalid --commit '\(commit)': expected a commit, such as HEAD or 0123abcd"
            )
        }
        func ask(_ arguments: String...) -> String? {
            guard let outcome = try? Git().run(arguments), outcome.code == 0 else { return nil }
            let text = Git.text(outcome.output)
            return text.isEmpty ? nil : text
        }
        let asked = commit ?? "HEAD"
        let found = ask("rev-parse", "--verify", "--quiet", "\(asked)^{commit}")
        return HistoryEntry.Revision(
            commit: found ?? commit,
            branch: branch ?? (commit == nil ? ask("symbolic-ref", "--short", "--quiet", "HEAD") : nil),
            subject: found.flatMap { ask("log", "-1", "--format=%s", $0) },
            link: link
        )
    }
}
