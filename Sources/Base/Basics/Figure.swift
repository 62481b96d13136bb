/// A number, or the reason for its absence.
///
/// A figure that cannot be computed is never 0, −1 or NaN.
package enum Figure: Sendable, Equatable {
    case value(Double)
    /// The reason, as a phrase that fits into a report: "n too small (needs ≥ 90)".
    case absent(String)

    package var value: Double? {
        guard case .value(let value) = self else { return nil }
        return value
    }

    package var reason: String? {
        guard case .absent(let reason) = self else { return nil }
        return reason
    }

    /// Returns the figure with its number put through `transform`; an absent figure keeps its reason.
    package func map(_ transform: (Double) -> Double) -> Figure {
        switch self {
        case .value(let value): .value(transform(value))
        case .absent: self
        }
    }

    /// Returns `numerator / denominator`, or absent for `reason` when the denominator is 0.
    package static func ratio(_ numerator: Int, _ denominator: Int, orAbsent reason: String) -> Figure {
        denominator == 0 ? .absent(reason) : .value(Double(numerator) / Double(denominator))
    }
}

/// Stored as `{"value": 1.5}` or `{"absent": "reason"}`.
extension Figure: Codable {
    private enum CodingKeys: String, CodingKey { case value, absent }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let value = try container.decodeIfPresent(Double.self, forKey: .value) {
            self = .value(value)
        } else {
            self = .absent(try container.decode(String.self, forKey: .absent))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .value(let value): try container.encode(value, forKey: .value)
        case .absent(let reason): try container.encode(reason, forKey: .absent)
        }
    }
}
