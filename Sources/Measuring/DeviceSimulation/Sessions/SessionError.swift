/// Why a session cannot be simulated.
package enum SessionError: Error, Equatable, CustomStringConvertible {
    /// There is no reading to draw from.
    case noCosts
    /// A figure of the plan or of a cost is out of its range, or no number.
    case outOfRange(String, Double, ClosedRange<Double>)

    package var description: String {
        switch self {
        case .noCosts: "there are no costs of readings to draw from: give at least one"
        case .outOfRange(let name, let value, let range):
            "\(name): \(value) is not in \(range.lowerBound)...\(range.upperBound)"
        }
    }
}
