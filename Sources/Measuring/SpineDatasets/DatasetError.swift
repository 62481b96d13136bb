/// Why a dataset cannot be used or written.
package enum DatasetError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The first faults of the dataset at `path`, and how many `more` there are.
    case faults(path: String, faults: [DatasetFault], more: Int = 0)
    /// A dataset cannot be written, or what was asked of it cannot be done.
    case operation(path: String, problem: String)

    package var description: String {
        switch self {
        case .faults(let path, let faults, let more):
            (["\(path): \(faults.count + more) fault\(faults.count + more == 1 ? "" : "s") in the dataset"]
                + faults.map { "  \($0)" } + (more == 0 ? [] : ["  … and \(more) more"])).joined(separator: "\n")
        case .operation(let path, let problem): "\(path): \(problem)"
        }
    }
}
