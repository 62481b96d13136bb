/// Where in their ranges all figures of a model lie.
package enum Bound: String, Sendable, Codable, CaseIterable {
    /// Each on the side that is the better for latency, heat and battery.
    case favourable
    /// Each at its likeliest.
    case nominal
    /// Each on the side that is the worse.
    case adverse
}

extension DeviceProfile {
    /// The figures at a bound.
    package func values(at bound: Bound) -> DeviceValues {
        switch bound {
        case .favourable: values(adverse: false)
        case .nominal: values()
        case .adverse: values(adverse: true)
        }
    }
}
