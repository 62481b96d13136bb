/// An interval, or the reason for its absence.
package enum IntervalFigure: Sendable, Equatable {
    case value(ClosedRange<Double>)
    /// The reason, as a phrase that fits into a report: "needs ≥ 10 photos".
    case absent(String)

    package var value: ClosedRange<Double>? {
        guard case .value(let value) = self else { return nil }
        return value
    }

    package var reason: String? {
        guard case .absent(let reason) = self else { return nil }
        return reason
    }

    package var lower: Figure { end(\.lowerBound) }

    package var upper: Figure { end(\.upperBound) }

    private func end(_ end: KeyPath<ClosedRange<Double>, Double>) -> Figure {
        switch self {
        case .value(let value): .value(value[keyPath: end])
        case .absent(let reason): .absent(reason)
        }
    }
}

/// Stored as `{"lower": 1.5, "upper": 2}` or `{"absent": "reason"}`.
extension IntervalFigure: Codable {
    private enum CodingKeys: String, CodingKey { case lower, upper, absent }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let lower = try container.decodeIfPresent(Double.self, forKey: .lower) {
            let upper = try container.decode(Double.self, forKey: .upper)
            guard lower <= upper else {
                let problem = "an interval does not end (\(upper)) before it begins (\(lower))"
                throw DecodingError.dataCorruptedError(forKey: .upper, in: container, debugDescription: problem)
            }
            self = .value(lower...upper)
        } else {
            self = .absent(try container.decode(String.self, forKey: .absent))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .value(let value):
            try container.encode(value.lowerBound, forKey: .lower)
            try container.encode(value.upperBound, forKey: .upper)
        case .absent(let reason): try container.encode(reason, forKey: .absent)
        }
    }
}
