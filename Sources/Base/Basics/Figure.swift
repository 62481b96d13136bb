/// A value, or the reason for its absence.
///
/// A figure that cannot be computed is never 0, −1 or NaN.
package enum Measured<Value> {
    case value(Value)
    /// The reason, as a phrase that fits into a report: "n too small (needs ≥ 90)".
    case absent(String)

    package var value: Value? { if case .value(let value) = self { value } else { nil } }

    package var reason: String? { if case .absent(let reason) = self { reason } else { nil } }

    /// Returns the figure with its value put through `transform`; an absent figure keeps its reason.
    package func map<Other>(_ transform: (Value) -> Other) -> Measured<Other> {
        switch self {
        case .value(let value): .value(transform(value))
        case .absent(let reason): .absent(reason)
        }
    }
}

extension Measured: Sendable where Value: Sendable {}
extension Measured: Equatable where Value: Equatable {}

package typealias Figure = Measured<Double>
package typealias IntervalFigure = Measured<ClosedRange<Double>>

extension Measured where Value == Double {
    /// Returns `numerator / denominator`, or absent for `reason` when the denominator is 0.
    package static func ratio(_ numerator: Int, _ denominator: Int, orAbsent reason: String) -> Figure {
        denominator == 0 ? .absent(reason) : .value(Double(numerator) / Double(denominator))
    }

    /// Returns the number, or absent for `reason` when it is infinite.
    package static func finite(_ value: Double, orAbsent reason: String) -> Figure {
        value.isFinite ? .value(value) : .absent(reason)
    }
}

extension Measured where Value == ClosedRange<Double> {
    package var lower: Figure { map(\.lowerBound) }
    package var upper: Figure { map(\.upperBound) }
}

package enum FigureKey: String, CodingKey { case value, lower, upper, absent }

/// Value of a figure, stored as numbers under its keys.
package protocol StoredFigure {
    static var keys: [FigureKey] { get }
    var numbers: [Double] { get }
    /// - Returns: nil for numbers that are no such value.
    init?(numbers: [Double])
}

extension Double: StoredFigure {
    package static var keys: [FigureKey] { [.value] }
    package var numbers: [Double] { [self] }
    package init?(numbers: [Double]) { self = numbers[0] }
}

extension ClosedRange: StoredFigure where Bound == Double {
    package static var keys: [FigureKey] { [.lower, .upper] }
    package var numbers: [Double] { [lowerBound, upperBound] }
    package init?(numbers: [Double]) {
        guard numbers[0] <= numbers[1] else { return nil }
        self = numbers[0]...numbers[1]
    }
}

/// Stored as `{"value": 1.5}`, `{"lower": 1.5, "upper": 2}` or `{"absent": "reason"}`.
extension Measured: Codable where Value: StoredFigure {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FigureKey.self)
        guard try container.decodeIfPresent(Double.self, forKey: Value.keys[0]) != nil else {
            self = .absent(try container.decode(String.self, forKey: .absent))
            return
        }
        let numbers = try Value.keys.map { try container.decode(Double.self, forKey: $0) }
        guard let value = Value(numbers: numbers) else {
            let problem = "an interval does not end (\(numbers[1])) before it begins (\(numbers[0]))"
            throw DecodingError.dataCorruptedError(forKey: .upper, in: container, debugDescription: problem)
        }
        self = .value(value)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FigureKey.self)
        switch self {
        case .value(let value):
            for (key, number) in zip(Value.keys, value.numbers) { try container.encode(number, forKey: key) }
        case .absent(let reason): try container.encode(reason, forKey: .absent)
        }
    }
}
