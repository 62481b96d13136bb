/// Faults as they come up: so many are kept, the others are counted.
package struct FaultList: Sendable, Equatable {
    /// More than anybody reads, less than memory has.
    private static let limit = 10_000

    package private(set) var kept: [DatasetFault] = []
    /// How many records they are of.
    package private(set) var records = 0
    private var others = 0

    package var isEmpty: Bool { records == 0 }

    /// Adds what is wrong with one record.
    mutating func add(_ faults: [DatasetFault]) {
        records += 1
        let room = max(0, Self.limit - kept.count)
        kept += faults.prefix(room)
        others += max(0, faults.count - room)
    }

    /// "and 3 more", when not all are kept.
    package var rest: String? { others > 0 ? "and \(others) more" : nil }

    /// The error that lists them all, and says what can be done.
    func error(path: String) -> DatasetError {
        let hint = rest.map { "\($0); " } ?? ""
        let advice = DatasetFault(
            file: path,
            message: "\(hint)\(records) record\(records == 1 ? " is" : "s are") bad: mend the labels, or leave "
                + "\(records == 1 ? "it" : "them") out by --skip-bad"
        )
        return .faults(path: path, faults: kept + [advice])
    }
}
