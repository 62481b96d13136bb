import Foundation
import Harness

/// The program git.
package enum Git {
    /// Returns git's answer in a folder, or else the current one; nil without an answer, or without git.
    package static func answer(_ arguments: [String], in folder: String = ".") -> String? {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git", "-C", folder] + arguments
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return nil }
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return process.terminationStatus == 0 && !text.isEmpty ? text : nil
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
        let found = Git.answer(["rev-parse", "--verify", "--quiet", "\(commit ?? "HEAD")^{commit}"])
        return HistoryEntry.Revision(
            commit: found ?? commit,
            branch: branch ?? (commit == nil ? Git.answer(["symbolic-ref", "--short", "--quiet", "HEAD"]) : nil),
            subject: found.flatMap { Git.answer(["log", "-1", "--format=%s", $0]) },
            link: link
        )
    }
}
