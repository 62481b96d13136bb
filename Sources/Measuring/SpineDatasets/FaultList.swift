/// Faults in the order in which they were found: the first ones, and how many there are.
struct FaultList {
    /// More help nobody, and a million would take longer to print than to find.
    static let limit = 200

    /// At most `limit`.
    private(set) var listed: [DatasetFault] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func add(_ message: @autoclosure () -> String, in file: String, line: Int? = nil) {
        count += 1
        if listed.count < Self.limit { listed.append(DatasetFault(file: file, line: line, message: message())) }
    }

    mutating func add(_ faults: [DatasetFault]) {
        count += faults.count
        listed += faults.prefix(Self.limit - listed.count)
    }

    /// Adds what another list has, those that it does not list included.
    mutating func add(_ other: FaultList) {
        let unlisted = other.count - other.listed.count
        add(other.listed)
        count += unlisted
    }
}
