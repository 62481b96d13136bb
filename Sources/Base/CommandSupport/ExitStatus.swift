public import ArgumentParser
import Basics
import Foundation

/// Exit codes of all commands: the one table, which "Exit codes" in Docs/MEASURING.md repeats.
public enum ExitStatus: Sendable, Equatable {
    /// 0: done, every target met, nothing to complain about.
    case success
    /// 1: done, and not as wanted: a target missed, something worse than before, a picture that could not be read.
    case missed
    /// 2: the request is invalid: wrong usage or settings; an input that is missing, unreadable or not of its kind,
    /// whether a file, a folder, a dataset, a catalogue, a library or a run; an output at an invalid path.
    case wrongInput
    /// 3: not enough to decide, or the measurement is not valid.
    case undecided
    /// 4: something around the command is missing or full: an engine, a model, a back end, a free port, the disk, the
    /// reader of standard output.
    case environment
    /// 128 and the signal's number: stopped by it; 141 when the reader of standard output has closed it (SIGPIPE).
    case signal(Int32)

    package var code: Int32 {
        switch self {
        case .success: 0
        case .missed: 1
        case .wrongInput: 2
        case .undecided: 3
        case .environment: 4
        case .signal(let number): 128 + number
        }
    }

    /// The code for ArgumentParser.
    public var exitCode: ExitCode { ExitCode(code) }
}

extension ParsableCommand {
    /// Runs the command that the program was started with, whose arguments may begin paths with `~`.
    public static func runParsed() async throws {
        var command = try parseAsRoot(CommandLine.arguments.dropFirst().map(\.withHomeFolder))
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }
}

package enum ProgramVersion {
    package static let text = "0.1.0"
    package static let tool = "spinebench \(text)"
}

/// Identity of the file at a path: two paths of one file, by symbolic or hard links, are the same.
public struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Returns nil for a missing file.
    public init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// Returns whether the item at `path` is neither a file nor a folder.
    public static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }
}
