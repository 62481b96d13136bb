/// Error that keeps the server from starting.
package enum TalariaServerError: Error, Sendable, Equatable, CustomStringConvertible {
    case folder(String, reason: String)
    case inUse(path: String)
    case address(host: String, port: Int, reason: String)
    /// The address is none of this machine.
    case host(String)

    package var description: String {
        switch self {
        case .folder(let path, let reason): "\(path): \(reason); specify a writable folder with --data"
        case .inUse(let path): "\(path) is in use by another talaria; stop it, or specify another folder with --data"
        case .address(let host, let port, let reason):
            "cannot listen on \(host):\(port): \(reason); choose another with --host or --port"
        case .host(let host):
            "'\(host)' is not an address of this machine; specify one with --host, such as 127.0.0.1, or 0.0.0.0 for all"
        }
    }
}
