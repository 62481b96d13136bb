import Foundation

/// Party that a failed or missed spine is owed to.
package enum FaultOwner: String, Sendable, Codable, CodingKeyRepresentable, CaseIterable {
    case reader, label, harness
    /// No room, no memory, a broken disk, or somebody who killed a process.
    case machine
    /// A picture that is missing or damaged, or on which nothing is legible.
    case picture
}

extension FaultOwner {
    /// Errors of a machine that has no room, no process and no file left, or whose disk fails.
    private static let machineErrors = [ENOSPC, EDQUOT, EIO, ENFILE]

    /// Returns the owner of what the system refused with this `errno`; nil where that may be anybody's.
    package init?(errno number: Int32?) {
        guard let number, (Self.machineErrors + [ENOMEM, EAGAIN]).contains(number) else { return nil }
        self = .machine
    }

    /// Returns the owner of an end by a signal that the harness did not send: no process sends itself one of these, but the
    /// system does when memory runs out, and so do people; nil for others, which a process brings upon itself.
    package init?(signal: Int32) {
        guard [SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT].contains(signal) else { return nil }
        self = .machine
    }

    /// Returns the owner of a failure of which a program's message has the system's reason; nil without such a reason.
    package init?(reason text: String) {
        guard Self.machineErrors.contains(where: { text.contains(String(cString: strerror($0))) }) else { return nil }
        self = .machine
    }
}
