/// What keeps the server from starting or from doing a job.
package enum TalariaServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The database of jobs cannot be opened, read or written.
    case database(path: String, reason: String)
    /// A folder or file cannot be made, written or removed.
    case file(path: String, reason: String)
    /// The fault file is not what it should be.
    case faults(path: String, reason: String)
    /// Certificate and key do not make a TLS server.
    case tls(reason: String)
    /// An option is outside its range.
    case option(name: String, value: String, expected: String)

    /// What was wrong and what to do.
    package var description: String {
        switch self {
        case .database(let path, let reason):
            "the job database \(path) cannot be used: \(reason); name another folder with --data"
        case .file(let path, let reason):
            "\(path): \(reason); name a folder that can be written with --data or --images"
        case .faults(let path, let reason):
            "the fault file \(path) cannot be used: \(reason)"
        case .tls(let reason):
            "no TLS server can be made: \(reason); check --tls-certificate and --tls-key (PEM)"
        case .option(let name, let value, let expected):
            "\(name) is \(value); expected \(expected)"
        }
    }
}
