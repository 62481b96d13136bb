import Foundation

/// Error that keeps the server from starting or from doing a job.
package enum TalariaServerError: Error, Sendable, Equatable, CustomStringConvertible {
    case database(path: String, reason: String)
    case file(path: String, reason: String)
    /// The disk, or this user's quota of it, is full.
    case noSpace(path: String)
    case inUse(path: String)
    /// The folder for pictures contains files of another origin.
    case foreignContent(path: String, name: String)
    case address(host: String, port: Int, reason: String)
    /// The address is none of this machine.
    case host(String)
    case faults(path: String, reason: String)
    case option(name: String, value: String, expected: String)

    init(errno: CInt, path: String) {
        self =
            errno == ENOSPC || errno == EDQUOT
            ? .noSpace(path: path) : .file(path: path, reason: String(cString: strerror(errno)))
    }

    package var description: String {
        switch self {
        case .database(let path, let reason):
            "the job database \(path) cannot be used: \(reason); specify another folder with --data"
        case .file(let path, let reason):
            "\(path): \(reason); specify a writable folder with --data or --images"
        case .noSpace(let path):
            "\(path): no space left; free some space, or specify a folder on another disk with --data and --images"
        case .inUse(let path):
            "\(path) is in use by another talaria; stop it, or specify another folder with --data or --images"
        case .foreignContent(let path, let name):
            "\(path) contains '\(name)', which this server did not create; nothing was changed: specify another folder "
                + "with --images"
        case .address(let host, let port, let reason):
            "cannot listen on \(host):\(port): \(reason); choose another with --host or --port"
        case .host(let host):
            "'\(host)' is not an address of this machine; specify one with --host, such as 127.0.0.1, or 0.0.0.0 for all"
        case .faults(let path, let reason):
            "the fault file \(path) cannot be used: \(reason)"
        case .option(let name, let value, let expected):
            "\(name) is \(value); expected \(expected)"
        }
    }

    /// Whether an option, or a file that it names, is wrong; else the machine lacks a requirement.
    package var isOfInput: Bool {
        switch self {
        case .host, .faults, .option: true
        case .database, .file, .noSpace, .inUse, .foreignContent, .address: false
        }
    }
}
