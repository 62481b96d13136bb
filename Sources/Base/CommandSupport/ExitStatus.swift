public import ArgumentParser
import Basics
import Foundation

/// Exit codes of all commands; the comments of the cases are the table in Docs/MEASURING.md.
public enum ExitStatus: Sendable, Equatable {
    /// 0: all targets are met, no regression; or no target gates and every measurement is valid.
    case success
    /// 1: a target was missed or a regression found; a picture, a capture or one of its sources failed; in `find`, a
    /// request has no result.
    case missed
    /// 2: invalid usage or settings; an input that is missing, unreadable or invalid; an output that cannot be written,
    /// or that is an input.
    case wrongInput
    /// 3: not enough data to decide, or an invalid measurement; in `scan`, something to be sent is still in the queue; in
    /// `watch`, the run was stopped; in `dataset agreement`, no common spine.
    case undecided
    /// 4: something is missing or full: an engine, a model, the back end, a free port, the disk, standard output; in
    /// `run`, a variant read nothing.
    case environment
    /// 130, 143, 141: stopped by a signal; 141 when the reader of standard output was closed.
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
