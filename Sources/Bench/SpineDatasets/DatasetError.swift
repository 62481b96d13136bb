package import Basics

package enum DatasetError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The first faults of the dataset at `path`, and how many `more` there are.
    case faults(path: String, faults: [Fault], more: Int = 0)
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

    /// Returns the error with the faults that `place` moves to the file that has to be mended.
    package func traced(_ place: (Fault) -> Fault?) -> DatasetError {
        guard case .faults(let path, let faults, let more) = self else { return self }
        return .faults(path: path, faults: faults.map { place($0) ?? $0 }, more: more)
    }

    /// Returns the error of a single fault in a file outside datasets.
    package static func fault(_ message: String, in file: String, line: Int? = nil) -> DatasetError {
        .faults(path: file, faults: [Fault(file: file, line: line, message: message)])
    }
}

/// Faults in the order in which they were found: the first ones, and how many there are.
package struct FaultList: Sendable, Equatable {
    /// Maximum number of listed faults; a million would take longer to print than to find.
    private let limit: Int
    package private(set) var listed: [Fault] = []
    private(set) var count = 0

    package init(limit: Int = 200) { self.limit = limit }

    package var isEmpty: Bool { count == 0 }

    mutating func add(_ message: @autoclosure () -> String, in file: String, line: Int? = nil) {
        count += 1
        if listed.count < limit { listed.append(Fault(file: file, line: line, message: message())) }
    }

    package mutating func add(_ faults: [Fault]) {
        count += faults.count
        listed += faults.prefix(limit - listed.count)
    }

    /// Adds the faults of another list, including those that it does not list.
    package mutating func add(_ other: FaultList) {
        listed += other.listed.prefix(limit - listed.count)
        count += other.count
    }

    mutating func add(_ error: DatasetError) {
        switch error {
        case .faults(_, let found, _): add(found)
        case .operation(let path, let problem): add(problem, in: path)
        }
    }

    /// A line for each listed fault, and one for the others.
    package var lines: [String] {
        listed.map(\.description) + (count > listed.count ? ["… and \(count - listed.count) more"] : [])
    }

    package func error(path: String) -> DatasetError {
        .faults(path: path, faults: listed, more: count - listed.count)
    }
}
