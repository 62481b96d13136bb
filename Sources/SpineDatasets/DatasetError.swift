/// Why a dataset cannot be used or written.
package enum DatasetError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Every fault of the dataset at `path`.
    case faults(path: String, faults: [DatasetFault])
    /// A dataset cannot be written, or what was asked of it cannot be done.
    case operation(path: String, problem: String)

    package var description: String {
        switch self {
        case .faults(let path, let faults):
            (["\(path): \(faults.count) fault\(faults.count == 1 ? "" : "s") in the dataset"]
                + faults.map { "  \($0)" }).joined(separator: "\n")
        case .operation(let path, let problem): "\(path): \(problem)"
        }
    }
}
