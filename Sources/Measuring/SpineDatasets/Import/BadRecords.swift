/// Records that cannot be imported, and what is wrong with them: so many faults are kept, the others are counted.
package struct BadRecords: Sendable, Equatable {
    /// More than anybody reads, less than memory has.
    private static let limit = 10_000

    package private(set) var faults: [DatasetFault] = []
    package private(set) var count = 0
    private var more = 0

    package var isEmpty: Bool { count == 0 }

    /// Adds what is wrong with one record.
    mutating func add(_ faults: [DatasetFault]) {
        count += 1
        let room = Self.limit - self.faults.count
        self.faults += faults.prefix(room)
        more += max(0, faults.count - room)
    }

    /// A line for each fault, and one for those that are not kept.
    package var lines: [String] { faults.map(\.description) + (more > 0 ? ["… and \(more) more"] : []) }

    /// The error that lists them.
    func error(path: String) -> DatasetError { .faults(path: path, faults: faults, more: more) }
}
