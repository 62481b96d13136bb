package struct SuitePlace: Sendable, Equatable {
    /// Counted from 1.
    package var line: Int
    /// Counted from 1, in Unicode scalars.
    package var column: Int
    /// The keys that lead there, such as `variants[1].settings.threads`; empty for the file as a whole.
    package var path = ""
}

package struct SuiteFault: Sendable, Equatable, CustomStringConvertible {
    package var file: String
    package var place: SuitePlace
    package var problem: String

    package var description: String {
        let keys = place.path.isEmpty ? "" : "\(place.path): "
        return "\(file):\(place.line):\(place.column): \(keys)\(problem)"
    }
}

/// Error of a suite that cannot be run: all faults of its file, in the order of its lines.
package struct SuiteFaults: Error, Sendable, Equatable, CustomStringConvertible {
    static let limit = 100

    /// Faults, `limit` at most, and not empty.
    package private(set) var faults: [SuiteFault]
    package private(set) var more: Int

    init(_ all: [SuiteFault]) {
        let sorted = all.sorted { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) }
        faults = Array(sorted.prefix(Self.limit))
        more = sorted.count - faults.count
    }

    package var description: String {
        (faults.map(\.description) + (more == 0 ? [] : ["… and \(more) more"])).joined(separator: "\n")
    }
}
