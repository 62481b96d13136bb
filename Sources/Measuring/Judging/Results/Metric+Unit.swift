import Documents
package import Evaluation

extension Metric.Unit {
    package func text(_ value: Double) -> String {
        switch self {
        case .share: NumberText.percent(value)
        case .score: NumberText.fixed(value, 3)
        case .milliseconds: NumberText.milliseconds(value)
        case .bytes, .byteDifference: NumberText.megabytes(value)
        case .bytesPerScan: NumberText.bytes(value)
        case .count: NumberText.fixed(value, 0)
        }
    }

    /// A limit, with no digits that it has not.
    package func limit(_ value: Double) -> String {
        switch self {
        // Tenths of a percent; a target of 0.29 is 28.999… otherwise.
        case .share: "\(NumberText.short((value * 1_000).rounded() / 10)) %"
        case .milliseconds: "\(NumberText.short(value)) ms"
        case .bytes, .byteDifference: "\(NumberText.short(value / 1e6)) MB"
        case .score, .bytesPerScan, .count: NumberText.short(value)
        }
    }

    /// A change without its sign: "5.0 %", "2.0 points".
    package func size(_ change: Double) -> String {
        switch self {
        case .share: NumberText.fixed(abs(change) * 100, 1) + " points"
        case .milliseconds, .bytes: NumberText.percent(abs(change))
        case .score, .byteDifference, .bytesPerScan, .count: text(abs(change))
        }
    }

    /// Whether a change is a ratio less 1, and no difference.
    package var isRelative: Bool { self == .milliseconds || self == .bytes }

    package var decimals: Int {
        switch self {
        case .share, .score: 4
        case .milliseconds: 3
        case .bytesPerScan: 1
        case .bytes, .byteDifference, .count: 0
        }
    }

    /// As charts have it, with what a value is multiplied with.
    package var chart: (name: String, factor: Double) {
        switch self {
        case .share: ("%", 100)
        case .milliseconds: ("ms", 1)
        case .bytes, .byteDifference: ("MB", 1e-6)
        case .bytesPerScan: ("B", 1)
        case .score, .count: ("", 1)
        }
    }
}
