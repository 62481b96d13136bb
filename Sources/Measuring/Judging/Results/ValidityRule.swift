/// What has to hold for a measurement to count, with what was required and what was seen.
package struct ValidityRule: Sendable, Equatable, Codable {
    /// "no worker lost".
    package var name: String
    package var required: String
    package var seen: String
    package var isMet: Bool
    /// Whether the measurement is invalid when this is not met.
    ///
    /// If not, only misses of latency targets are in doubt: a busy machine makes readings longer, never shorter.
    package var invalidates: Bool

    package init(_ name: String, required: String, seen: String, isMet: Bool, invalidates: Bool = true) {
        self.name = name
        self.required = required
        self.seen = seen
        self.isMet = isMet
        self.invalidates = invalidates
    }

    /// "no worker lost: required 0, seen 2".
    package var text: String { "\(name): required \(required), seen \(seen)" }
}

extension MeasurementResult {
    /// The rules that are not met and make the measurement invalid, in words; nil when it is valid.
    package var invalidReason: String? { Self.reason(validity.filter { !$0.isMet && $0.invalidates }) }

    /// The rules that are not met and make readings longer than they would be, in words; nil when there are none.
    package var doubtReason: String? { Self.reason(validity.filter { !$0.isMet && !$0.invalidates }) }

    private static func reason(_ rules: [ValidityRule]) -> String? {
        rules.isEmpty ? nil : rules.map(\.text).joined(separator: "; ")
    }
}
