package enum HarnessError: Error, Sendable, Equatable {
    /// An option, or a combination of options, that makes no run.
    case configuration(String)
    case runFolder(path: String, problem: String)
    /// A file of the run could not be written: the disk is full, or is not there any more.
    case storage(path: String, problem: String)
    /// A file that was asked for could not be written: the disk is full, or is not there any more.
    case unwritable(path: String, problem: String)
    /// The folder holds a run with other settings; `differences` names them.
    case resumeMismatch(path: String, differences: [String])
    case busy(path: String)
    /// A variant's engine or model is not there.
    case unavailable(variant: String, reason: String)
    case workerNeverReady(variant: String, starts: Int, last: String)
    case interrupted(signal: Int32)
}

extension HarnessError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .configuration(let message): message
        case .runFolder(let path, let problem): "\(path): \(problem)"
        case .storage(let path, let problem):
            "cannot write \(path): \(problem). Earlier results are saved; free some space, then continue: a run with "
                + "--resume, a part with the same command"
        case .unwritable(let path, let problem):
            "cannot write \(path): \(problem); free some space, or specify another folder"
        case .resumeMismatch(let path, let differences):
            "\(path) contains a run with other settings (\(differences.joined(separator: "; "))); resume with the same ones, "
                + "or start a new run in another folder"
        case .busy(let path): "\(path) is in use by another process; wait for it, or end it"
        case .unavailable(let variant, let reason): "variant \"\(variant)\" cannot run here: \(reason)"
        case .workerNeverReady(let variant, let starts, let last):
            "variant \"\(variant)\": its worker ended before it was ready, \(starts) times in a row; the last one \(last)"
        case .interrupted(let signal): "stopped by \(SignalName.of(signal))"
        }
    }
}

package enum SignalName {
    private static let names: [Int32: String] = [
        1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL",
        11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
    ]

    /// Returns "SIGKILL (9)", or "signal 40" without a name; the numbers are the same on Linux and on Darwin.
    package static func of(_ signal: Int32) -> String {
        names[signal].map { "\($0) (\(signal))" } ?? "signal \(signal)"
    }
}
