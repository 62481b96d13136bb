/// Outcome of a requirement over all that figures may plausibly be.
package enum PlausibleOutcome: Sendable, Equatable, Codable {
    case passesAlways
    case failsAlways
    /// The figures that decide it, each alone; none when only several together do.
    case depends(on: [String])
    /// Neither passed nor missed: the device's maximum power is below the limit, for any reading.
    ///
    /// `maximum` is the device's maximum at nominal figures, `worst` at all figures on their worse side.
    case cannotBeMissed(maximum: Double, worst: Double)
    case undecided(reason: String)

    /// A figure, and whether a requirement is met at its low and its high side, the others nominal; nil when there is
    /// nothing to judge.
    typealias Single = (name: String, low: Bool?, high: Bool?)

    /// Creates the outcome of a requirement that is met, or not, at each bound and with one figure elsewhere.
    init(_ isMet: Plausible<Bool>, singles: [Single]) {
        let nominal = isMet.nominal
        let deciding = singles.filter { ($0.low ?? nominal) != nominal || ($0.high ?? nominal) != nominal }
        // A figure may be good for one thing and bad for another: not only the two ends count.
        if isMet.favourable == nominal, isMet.adverse == nominal, deciding.isEmpty {
            self = nominal ? .passesAlways : .failsAlways
        } else {
            self = .depends(on: deciding.map(\.name))
        }
    }

    /// Text of the tables: "passes for every plausible value".
    package var text: String {
        switch self {
        case .passesAlways: "passes for every plausible value"
        case .failsAlways: "fails for every plausible value"
        case .depends(let names) where names.isEmpty: "depends on several figures together"
        case .depends(let names): "depends on: \(names.joined(separator: ", "))"
        case .cannotBeMissed(let maximum, let worst):
            "cannot be missed: the device's maximum is \(maximum.rounded(toDigits: 1)) % "
                + "(\(worst.rounded(toDigits: 1)) % with all figures at their worst)"
        case .undecided(let reason): "not decided: \(reason)"
        }
    }
}

/// A figure when all are nominal, all on their better side, and all on their worse one.
package struct Plausible<Value> {
    package var nominal: Value
    package var favourable: Value
    package var adverse: Value

    package init(_ value: (Bound) throws -> Value) rethrows {
        nominal = try value(.nominal)
        favourable = try value(.favourable)
        adverse = try value(.adverse)
    }

    package subscript(bound: Bound) -> Value {
        switch bound {
        case .favourable: favourable
        case .nominal: nominal
        case .adverse: adverse
        }
    }

    package func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Plausible<Other> {
        try Plausible<Other> { try transform(self[$0]) }
    }
}

extension Plausible {
    package init(nominal: Value, favourable: Value, adverse: Value) {
        (self.nominal, self.favourable, self.adverse) = (nominal, favourable, adverse)
    }

    /// Creates the three values; nil when one is missing.
    package init?(all values: Plausible<Value?>) {
        guard let nominal = values.nominal, let favourable = values.favourable, let adverse = values.adverse else {
            return nil
        }
        self.init(nominal: nominal, favourable: favourable, adverse: adverse)
    }
}

extension Plausible where Value: Comparable {
    /// Range from the least to the most of the three.
    ///
    /// A figure's order need not follow its setting: a device that is hotter on its worse side reads less, and may
    /// use less of its battery.
    package var range: ClosedRange<Value> { min(nominal, favourable, adverse)...max(nominal, favourable, adverse) }
}

extension Plausible: Sendable where Value: Sendable {}
extension Plausible: Equatable where Value: Equatable {}
extension Plausible: Codable where Value: Codable {}
