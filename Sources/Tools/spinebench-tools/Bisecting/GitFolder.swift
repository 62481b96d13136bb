import Basics
import Foundation
import Harness
import RunHistory

/// A repository or a worktree, in which git is called.
struct GitFolder: Sendable {
    var path: String

    /// Returns what git prints, without the ends of its lines.
    ///
    /// - Throws: ``HarnessError`` with git's own words when it ends with another code than `accepting`.
    @discardableResult
    func git(_ arguments: String..., accepting codes: [Int32] = [0]) throws -> String {
        let outcome = try Git(in: path).run(arguments)
        let text = String(decoding: outcome.output, as: UTF8.self)
        guard codes.contains(outcome.code) else {
            let words = (outcome.errors + text).trimmingCharacters(in: .whitespacesAndNewlines)
            throw HarnessError.configuration("git \(arguments.joined(separator: " ")) failed in \(path): \(words)")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the commit that a name means.
    func commit(_ name: String) throws -> String {
        do { return try git("rev-parse", "--verify", "--quiet", "\(name)^{commit}") } catch {
            throw HarnessError.configuration("commit not found: \(name); 'git log --oneline' lists commits")
        }
    }

    /// Returns the first line of a commit's message, after its short name.
    func title(_ commit: String) -> String {
        (try? git("log", "-1", "--format=%h %s", commit)) ?? String(commit.prefix(10))
    }

    /// Returns a worktree at `folder` with a commit checked out, which is made when it is missing.
    func worktree(_ folder: String, at commit: String) throws -> GitFolder {
        let worktree = GitFolder(path: folder)
        if FileManager.default.fileExists(atPath: folder + "/.git") {
            try worktree.checkOut(commit)
        } else {
            try git("worktree", "prune")
            try git("worktree", "add", "--force", "--detach", folder, commit)
        }
        return worktree
    }

    /// Checks a commit out; changes of tracked files, as builds make them, are lost.
    func checkOut(_ commit: String) throws { try git("checkout", "--quiet", "--force", "--detach", commit) }

    /// Runs a command of a shell with its output in a file, and returns whether it succeeded.
    func shell(_ command: String, output path: String, interruption: Interruption) throws -> Bool {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let log = FileHandle(forWritingAtPath: path) else {
            throw HarnessError.configuration("cannot write \(path)")
        }
        let line = "cd \"$0\" && eval \"$1\""
        let process = try Process.start("/bin/sh", ["-c", line, self.path, command], output: log, errors: log)
        interruption.onStop { process.terminate() }
        process.waitUntilExit()
        interruption.onStop(nil)
        if let signal = interruption.signal { throw HarnessError.interrupted(signal: signal) }
        return process.terminationReason == .exit && process.terminationStatus == 0
    }
}
