import Basics
import Foundation

/// A program with some commands of `spinebench`, which is built only on request.
package enum Companion {
    /// Its name, beside `spinebench`.
    package static let name = "spinebench-tools"

    /// Commands as typed after `spinebench`.
    package static let commands =
        ["agreement", "stats", "view", "split", "merge", "fix", "import", "fetch", "synth"].map { "dataset \($0)" }
        + ["init", "baseline", "catalogue", "devices", "errors", "history", "label", "match", "model"]
        + ["model-probe", "score", "slice", "watch"]

    /// "init, baseline and catalogue": the commands in help, without internal ones.
    package static var commandList: String {
        let shown = commands.filter { $0 != "model-probe" }
        return shown.dropLast().joined(separator: ", ") + " and \(shown.last ?? "")"
    }

    /// Whether it has the command of these arguments, or its help.
    package static func has(_ arguments: [String]) -> Bool {
        let arguments = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
        return commands.contains { arguments.starts(with: $0.split(separator: " ").map(String.init)) }
    }

    /// Path of a program in the folder of this one, whose symbolic links are followed.
    private static func path(of name: String) -> String {
        URL(filePath: Process.ownProgram).resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name)
            .path
    }

    /// Fault and remedy of a missing program; nil if it exists.
    package static var problem: String? {
        FileManager.default.isExecutableFile(atPath: path(of: name)) ? nil : "\(name) is not built: run 'make tools'"
    }

    /// Continues as this program; returns the fault when it cannot be started.
    package static func runInstead(_ arguments: [String]) -> String {
        if let problem { return problem }
        let path = path(of: name)
        // Its texts name the program that was called.
        var pointers = (CommandLine.arguments.prefix(1) + arguments).map { strdup($0) } + [nil]
        execv(path, &pointers)
        return "\(path) cannot be started: \(String(cString: strerror(errno)))"
    }
}
