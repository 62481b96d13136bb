package import Basics

package enum DatasetError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Faults of the dataset at `path`.
    case faults(path: String, [Fault])
    case operation(path: String, problem: String)

    package var description: String {
        switch self {
        case .faults(let path, let faults):
            (["\(path): \(NumberText.count(faults.count, "fault")) in the dataset"]
                + Faults(faults).lines.map { "  \($0)" }).joined(separator: "\n")
        case .operation(let path, let problem): "\(path): \(problem)"
        }
    }

    package var faults: [Fault] {
        switch self {
        case .faults(_, let faults): faults
        case .operation(let path, let problem): [Fault(file: path, message: problem)]
        }
    }
}

extension DatasetError {
    package static func reading<Value>(_ path: String, _ read: () throws -> Value) throws(DatasetError) -> Value {
        do {
            return try read()
        } catch {
            throw .operation(path: path, problem: "cannot be read: \(error.systemReason)")
        }
    }

    package static func writing<Value>(_ path: String, _ write: () throws -> Value) throws(DatasetError) -> Value {
        do {
            return try write()
        } catch {
            throw .operation(path: path, problem: "cannot be written: \(error.systemReason)")
        }
    }

    /// Returns the error of a single fault in a file outside datasets.
    package static func fault(_ message: String, in file: String, line: Int? = nil) -> DatasetError {
        .faults(path: file, [Fault(file: file, line: line, message: message)])
    }
}
