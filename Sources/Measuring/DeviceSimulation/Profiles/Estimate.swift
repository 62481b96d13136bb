/// A figure that is not known exactly, and where it comes from.
package struct Estimate: Sendable, Hashable, Codable {
    /// Origin of a figure.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// Somebody measured it on the device, and the source says who.
        case measured
        /// Computed from measured figures, and the source says how.
        case derived
        /// Nobody is known to have measured it.
        case assumed
    }

    /// Which of its three figures is meant.
    package enum Side: String, Sendable, Codable, CaseIterable {
        case low, nominal, high
    }

    /// The likeliest.
    package var value: Double
    /// The lowest that is plausible; not above `value`.
    package var low: Double
    /// The highest that is plausible; not below `value`.
    package var high: Double
    /// For people: where it is from, or what it was computed from.
    package var source: String
    /// Origin of the figure.
    package var kind: Kind

    /// - Parameters:
    ///   - value: the likeliest.
    ///   - low: the lowest that is plausible.
    ///   - high: the highest that is plausible.
    ///   - source: where it is from.
    ///   - kind: how it came about.
    package init(_ value: Double, low: Double, high: Double, source: String, kind: Kind) {
        self.value = value
        self.low = low
        self.high = high
        self.source = source
        self.kind = kind
    }

    /// One of the three.
    package subscript(side: Side) -> Double {
        switch side {
        case .low: low
        case .nominal: value
        case .high: high
        }
    }
}
