import Basics
import Foundation

/// A program with some commands of `spinebench`, which is built only on request.
package enum Companion: String, CaseIterable, Sendable {
    case apps = "spinebench-apps"
    case tools = "spinebench-tools"

    package var makeTarget: String { self == .apps ? "apps" : "tools" }

    /// Commands as typed after `spinebench`.
    package var commands: [String] {
        switch self {
        case .apps:
            ["capture", "sessions", "studio", "find", "open", "scan", "library", "label", "dataset agreement"]
        case .tools:
            ["stats", "view", "split", "merge", "fix", "import", "synth"].map { "dataset \($0)" }
                + [
                    "init", "baseline", "catalogue", "devices", "errors", "history", "match", "model",
                ]
                + ["model-probe", "rerun", "score", "slice", "watch"]
        }
    }

    /// "capture, sessions and open": the commands in help, without internal ones.
    package var commandList: String {
        let shown = commands.filter { $0 != "model-probe" }
        return shown.dropLast().joined(separator: ", ") + " and \(shown.last ?? "")"
    }

    /// Returns the program that has the command of these arguments, or its help; nil for a command of `spinebench` itself.
    package static func named(by arguments: [String]) -> Companion? {
        let arguments = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
        return allCases.first { companion in
            companion.commands.contains { arguments.starts(with: $0.split(separator: " ").map(String.init)) }
        }
    }

    /// Returns its path, in the folder of another program, whose symbolic links are followed.
    package func path(beside program: String = Process.ownProgram) -> String {
        Self.path(of: rawValue, beside: program)
    }

    /// Path of `spinebench`, in the folder of this program.
    package static var mainProgram: String { path(of: "spinebench", beside: Process.ownProgram) }

    private static func path(of name: String, beside program: String) -> String {
        URL(filePath: program).resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name).path
    }

    /// Fault and remedy of a missing program; nil if it exists.
    package var problem: String? {
        FileManager.default.isExecutableFile(atPath: path())
            ? nil : "\(rawValue) is not built: run 'make \(makeTarget)'"
    }

    /// Continues as this program; returns the fault when it cannot be started.
    package func runInstead(_ arguments: [String]) -> String {
        if let problem { return problem }
        var pointers = ([path()] + arguments).map { strdup($0) } + [nil]
        execv(path(), &pointers)
        return "\(path()) cannot be started: \(String(cString: strerror(errno)))"
    }
}
