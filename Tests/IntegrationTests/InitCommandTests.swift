import Foundation
import TestSupport
import Testing

/// `spinebench init`, and what the workflow that it writes does to a pull request.
@Suite(.inTurns, .needsProgram, .serialized)
struct InitCommandTests {
    /// Runs a line of the shell in a folder of `folder`, with programs that a hosted machine needs replaced by nothing.
    private func shell(
        _ folder: Folder,
        _ script: String,
        in place: String = "repo",
        with variables: [String: String] = [:]
    ) throws -> Program.Outcome {
        let files = ["apt-get": "", "make": "", "git": #"[ "$1" = clone ] || exec /usr/bin/git "$@""#]
        for (name, line) in files where !folder.contains("bin/\(name)") {
            try folder.write("#!/bin/sh\n\(line)\n", to: "bin/\(name)")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder("bin/\(name)"))
        }
        try folder.write("cd \(folder(place)) || exit 1\n" + script, to: "script.sh")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-e", folder("script.sh")]
        let variables = ["BASE": "main"].merging(variables) { $1 }
        // The settings of git are those of this home.
        process.environment = ["PATH": "\(folder("bin")):\(path)", "HOME": folder.path].merging(variables) { $1 }
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Program.Outcome(
            code: process.terminationStatus,
            output: String(decoding: data, as: UTF8.self),
            errors: ""
        )
    }

    private func commit(_ folder: Folder, _ message: String) throws {
        let identity = "-c user.name=test -c user.email=test@localhost"
        let done = try shell(folder, "git add --all && git \(identity) commit --quiet --message '\(message)'")
        #expect(done.code == 0, "\(done.output)")
    }

    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path

    /// Scripts of the action, by the names of their steps: blocks below `run: |`.
    private func steps(_ action: String) -> [(name: String, script: String)] {
        var steps: [(name: String, script: String)] = []
        var (name, indent) = ("", Int?.none)
        for line in action.split(separator: "\n", omittingEmptySubsequences: false) {
            let depth = line.prefix { $0 == " " }.count
            if let inside = indent, depth >= inside {
                steps[steps.count - 1].script += line.dropFirst(inside) + "\n"
                continue
            }
            indent = nil
            if let match = line.firstMatch(of: /- name: (.+)/) { name = String(match.1) }
            if line.hasSuffix("run: |") { (indent, steps) = (depth + 2, steps + [(name, "")]) }
        }
        return steps
    }

    /// The inputs that a workflow gives the action: of a folded block, its only line.
    private func inputs(_ workflow: String) -> [String: String] {
        let lines = workflow.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return lines.indices.reduce(into: [:]) { inputs, index in
            guard let match = lines[index].wholeMatch(of: /(suite|run|prepare|compare): (.*)/) else { return }
            let isBlock = match.2 == "|" || match.2 == ">-"
            inputs[String(match.1)] = isBlock ? lines[index + 1] : match.2 == "\"\"" ? "" : String(match.2)
        }
    }

    @Test("a pull request passes, one that breaks the reader fails, and one comment has the result of both")
    func gate() throws {
        try #require(CommentServer.hasTools)
        try CommentServer.with { server in
            let folder = server.folder
            // A git repository with a dataset and a reader that reads everything.
            try folder.writeDataset(24, to: "repo/spines")
            try folder.write("echo '\(TextFixture.text)'\n", to: "repo/read.sh")
            #expect(try shell(folder, "git init --quiet --initial-branch main .").code == 0)
            let program = try #require(Program.path)
            try folder.write("", to: "repo/.spinebench/.build/release/x")
            let links = [".build/release/spinebench": program, "scripts": "\(Self.root)/scripts"]
            for (name, target) in links {
                let link = folder("repo/.spinebench/\(name)")
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            }
            try folder.write(".spinebench\n", to: "repo/.git/info/exclude")
            let made = try Program.run(["init", folder("repo"), "--ci", "github", "--system", "mine=each:sh read.sh"])
            #expect(made.code == 0, "\(made.errors)")
            #expect(made.lines.contains("Written: .github/workflows/spinebench.yml"))
            #expect(try Program.run("suites", "--check", folder("repo/spinebench.yaml")).code == 0)
            try commit(folder, "Add the gate")
            let workflow = try folder.text(of: "repo/.github/workflows/spinebench.yml")
            #expect(workflow.contains("- uses: ./.spinebench\n"), "\(workflow)")
            #expect(!workflow.replacing("@v4", with: "").contains("@"), "\(workflow)")
            let inputs = inputs(workflow)
            let steps = steps(try String(contentsOfFile: "\(Self.root)/action.yml", encoding: .utf8))
            #expect(steps.map(\.name) == ["Build", "Prepare", "Gate", "Comment"])
            var variables = server.variables(gitLab: false)
            variables["GITHUB_ACTION_PATH"] = folder("repo/.spinebench")
            for (name, key) in [("SUITE", "suite"), ("RUN", "run"), ("PREPARE", "prepare"), ("COMPARE", "compare")] {
                variables[name] = inputs[key] ?? ""
            }

            func outcomes(_ reader: String) throws -> [Program.Outcome] {
                _ = try shell(folder, "git checkout --quiet -B change main")
                try folder.write(reader, to: "repo/read.sh")
                try commit(folder, "Change the reader")
                let outcomes = try steps.map { try shell(folder, $0.script, with: variables) }
                _ = try shell(folder, "git worktree remove --force ../base; rm -r Reports/runs Reports/comparisons")
                return outcomes
            }
            let passed = try outcomes("echo '\(TextFixture.text)' # The same.\n")
            #expect(passed.map(\.code) == [0, 0, 0, 0], "\(passed.map(\.output))")
            #expect(passed[2].output.contains("PASS") && !passed[2].output.contains("24 lost"))
            #expect(passed[3].output == "Comment 1000 is new.\n")
            let failed = try outcomes("echo '?'\n")
            #expect(failed.map(\.code) == [0, 0, 1, 0], "\(failed.map(\.output))")
            #expect(failed[2].output.contains("24 lost") && failed[2].output.contains("FAIL"))
            #expect(failed[3].output == "Comment 1000 is up to date.\n")
            let bodies = try server.bodies()
            #expect(bodies.count == 1 && bodies[0].hasPrefix("<!-- spinebench -->\n# Gate: FAIL\n"))
            #expect(bodies[0].contains("# Comparison: REGRESSION"))
        }
    }
}
