import Foundation

/// Commands of a user as they are started.
package struct ReaderCommand: Sendable {
    /// Line of a shell.
    var line: String
    /// All variables: this process's and those of the user.
    let variables: [String: String]
    /// Seconds for a reading.
    var timeout: Double
    /// Seconds until the command is ready.
    var startTimeout: Double
    /// Processes of a command that answers lines.
    var lanes: Int
    /// Whether it is only supposed that the command answers lines, so that a failed start says what else there is.
    var isGuessed: Bool

    /// Receives output that is not an answer.
    var report: @Sendable (String) -> Void

    package init(
        line: String,
        environment: [String: String] = [:],
        timeout: Double,
        startTimeout: Double,
        lanes: Int = 1,
        isGuessed: Bool = false,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.line, variables) = (line, ProcessInfo.processInfo.environment.merging(environment) { $1 })
        (self.timeout, self.startTimeout, self.lanes, self.report) = (timeout, startTimeout, lanes, report)
        self.isGuessed = isGuessed
    }

    /// A shell, which a single command takes the place of.
    var launch: WorkerLaunch {
        let program = String(line.prefix { $0 != " " })
        let isOfShell = program.contains("=") || ["exec", "eval", "!"].contains(program)
        let isSingle = !isOfShell && !line.contains { ";&|<>()`#\n".contains($0) }
        return WorkerLaunch(executable: "/bin/sh", arguments: ["-c", (isSingle ? "exec " : "") + line])
    }
}
