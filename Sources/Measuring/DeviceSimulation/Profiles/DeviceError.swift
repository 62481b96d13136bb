/// Why devices, or what was recorded on one, cannot be used.
package enum DeviceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Everything that is wrong with profiles, file by file in the order of lines; not empty.
    case profiles([ProfileFault])
    /// There is no device of that name; the hint says which there are.
    case unknown(String, hint: String)
    /// A file or folder cannot be read, or is not what it should be.
    case unreadable(path: String, reason: String)
    /// A line of a recording is wrong; lines are counted from 1.
    case trace(file: String, line: Int, problem: String)

    package var description: String {
        switch self {
        case .profiles(let faults): faults.map(\.description).joined(separator: "\n")
        case .unknown(let name, let hint): "there is no device \"\(name)\"; \(hint)"
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .trace(let file, let line, let problem): "\(file):\(line): \(problem)"
        }
    }
}

/// One thing that is wrong with a profile, and where.
package struct ProfileFault: Sendable, Equatable, CustomStringConvertible {
    /// As the caller named it.
    package var file: String
    /// Counted from 1.
    package var line: Int
    /// The keys that lead there, such as `figures.battery.capacity.value`; empty for the file as a whole.
    package var key: String
    /// Message: what was found and what was expected.
    package var problem: String

    /// `file:line: key: problem`.
    package var description: String { "\(file):\(line): \(key.isEmpty ? "" : key + ": ")\(problem)" }
}
