import Basics
import Foundation
import Harness
import SpineDatasets

/// Branch of a git repository whose commits add entries; no work tree is read or written.
struct GitStore: HistoryStore {
    /// Address of the repository; nil for that of the current folder.
    let remote: String?
    let branch: String
    private var reference: String { "refs/heads/\(branch)" }

    /// Tries until a busy branch is given up: others may add at the same time.
    private static let attempts = 60

    init(_ address: String) throws {
        let parts = address.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        branch = parts.last ?? ""
        remote = parts.count > 1 ? parts.dropLast().joined(separator: "#") : nil
        let isName = try Git().run("check-ref-format", "refs/heads/\(branch)").code == 0
        guard isName, remote?.isEmpty != true else {
            throw HarnessError.configuration(
                "Invalid store 'git:\(address)': expected git:BRANCH, of the current repository, or git:URL#BRANCH"
            )
        }
    }

    func names() throws -> [String] {
        try withRepository { git, tip in try tip.map { try names(git, $0) } ?? [] }
    }

    private func names(_ git: Git, _ tip: String) throws -> [String] {
        try git("ls-tree", "--name-only", tip).split(separator: "\n").filter(HistoryEntry.isName).map(String.init)
            .sorted()
    }

    func contents(of names: [String]) throws -> [[UInt8]] {
        try withRepository { git, tip in
            guard let tip else { return [] }
            let requests = names.map { "\(tip):\($0)\n" }.joined()
            let answer = try git.checked(["cat-file", "--batch"], input: Array(requests.utf8))
            var contents: [[UInt8]] = []
            var place = answer.startIndex
            // "<digest> blob <size>", the bytes and a line feed for each.
            while let end = answer[place...].firstIndex(of: UInt8(ascii: "\n")) {
                let head = String(decoding: answer[place..<end], as: UTF8.self).split(separator: " ")
                guard head.count == 3, let size = Int(head[2]), end + 1 + size < answer.endIndex else { break }
                contents.append(Array(answer[(end + 1)..<(end + 1 + size)]))
                place = end + 1 + size + 1
            }
            guard contents.count == names.count else {
                throw HarnessError.configuration(
                    "\(remote ?? "repository"), branch \(branch): an entry is missing or damaged"
                )
            }
            return contents
        }
    }

    func add(_ name: String, _ bytes: [UInt8]) throws -> Bool {
        var last = ""
        for attempt in 0..<Self.attempts {
            if attempt > 0 { Thread.sleep(forTimeInterval: Double.random(in: 0.02...0.1) * Double(min(attempt, 10))) }
            let outcome: Bool? = try withRepository { git, tip in
                if let tip, try names(git, tip).contains(name) { return false }
                let commit = try self.commit(name, bytes, on: tip, git)
                let push =
                    try remote.map { try git.run("push", "--quiet", $0, "\(commit):\(reference)") }
                    ?? git.run("update-ref", reference, commit, tip ?? String(repeating: "0", count: 40))
                last = push.errors
                return push.code == 0 ? true : nil
            }
            if let outcome { return outcome }
        }
        throw DatasetError.outage("the branch \(branch) cannot be written after \(Self.attempts) attempts: \(last)")
    }

    /// Returns a commit that has one entry more than `tip`.
    private func commit(_ name: String, _ bytes: [UInt8], on tip: String?, _ git: Git) throws -> String {
        let blob = try git.line(["hash-object", "-w", "--stdin"], input: bytes)
        let listing = try tip.map { try git("ls-tree", $0) } ?? ""
        let tree = try git.line(["mktree"], input: Array("\(listing)100644 blob \(blob)\t\(name)\n".utf8))
        let parents = tip.map { ["-p", $0] } ?? []
        return try git.line(["commit-tree", tree] + parents + ["-m", "Run \(name.prefix { $0 != "." })"])
    }

    /// Calls `body` with a repository that has the branch, and the branch's commit; nil when there is none yet.
    private func withRepository<Value>(_ body: (Git, _ tip: String?) throws -> Value) throws -> Value {
        guard let remote else {
            let git = Git()
            let tip = try git.run("rev-parse", "--verify", "--quiet", "\(reference)^{commit}")
            guard tip.code < 2 else {
                throw HarnessError.configuration(
                    "git:\(branch) requires a git repository in this folder: \(tip.errors)"
                )
            }
            return try body(git, tip.code == 0 ? Git.text(tip.output) : nil)
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "spinebench-history-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let git = Git(repository: folder.path)
        _ = try git.checked(["init", "--quiet", "--bare"])
        let heads = try git.run("ls-remote", remote, reference)
        guard heads.code == 0 else { throw DatasetError.outage("\(remote) cannot be read: \(heads.errors)") }
        guard let tip = Git.text(heads.output).split(whereSeparator: \.isWhitespace).first.map(String.init) else {
            return try body(git, nil)
        }
        let fetch = try git.run("fetch", "--quiet", "--no-tags", "--depth", "1", remote, reference)
        guard fetch.code == 0 else { throw DatasetError.outage("\(remote) cannot be read: \(fetch.errors)") }
        // Another job may have added to it since it was listed.
        return try body(git, try git.line(["rev-parse", "FETCH_HEAD"], or: tip))
    }
}

/// The program git, in one repository.
package struct Git {
    /// Options before the command that name the repository; none for that of the current folder.
    var options: [String] = []

    package struct Outcome {
        package var code: Int32
        package var output: [UInt8]
        package var errors: String
    }

    init(repository: String? = nil) { options = repository.map { ["--git-dir", $0] } ?? [] }

    /// Git in a work tree.
    package init(in workTree: String) { options = ["-C", workTree] }

    func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

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
        var environment = ProcessInfo.processInfo.environment
        // A job of CI often has no identity.
        for role in ["AUTHOR", "COMMITTER"] {
            environment["GIT_\(role)_NAME"] = environment["GIT_\(role)_NAME"] ?? "spinebench"
            environment["GIT_\(role)_EMAIL"] = environment["GIT_\(role)_EMAIL"] ?? "spinebench@localhost"
        }
        environment["GIT_TERMINAL_PROMPT"] = "0"
        process.environment = environment
        let (pipe, errors) = (Pipe(), try FileHandle(forWritingTo: URL(filePath: problems)))
        (process.standardInput, process.standardOutput) = (try FileHandle(forReadingFrom: URL(filePath: given)), pipe)
        process.standardError = errors
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let problem = Git.text([UInt8](FileManager.default.contents(atPath: problems) ?? Data()))
        return Outcome(code: process.terminationStatus, output: [UInt8](output), errors: problem)
    }

    func checked(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
        let outcome = try run(arguments, input: input)
        guard outcome.code == 0 else {
            throw DatasetError.outage("git \(arguments.prefix(1).joined()) failed: \(outcome.errors)")
        }
        return outcome.output
    }

    func callAsFunction(_ arguments: String...) throws -> String {
        String(decoding: try checked(arguments), as: UTF8.self)
    }

    func line(_ arguments: [String], input: [UInt8] = []) throws -> String {
        Self.text(try checked(arguments, input: input))
    }

    func line(_ arguments: [String], or other: String) throws -> String {
        let outcome = try run(arguments)
        return outcome.code == 0 ? Self.text(outcome.output) : other
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
