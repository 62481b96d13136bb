import Foundation

/// Formats numbers for reports: a point for the decimals whatever the locale.
public enum NumberText {
    /// Returns a number with exactly `decimals` digits after the point.
    public static func fixed(_ value: Double, _ decimals: Int) -> String { String(format: "%.\(decimals)f", value) }

    /// Returns a number without trailing zeros: "30", "0.5".
    public static func short(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
    }

    /// Returns "12.3 ms", "1235 ms".
    public static func milliseconds(_ value: Double) -> String { bareMilliseconds(value) + " ms" }

    /// Returns "12.3", "1235", for use with a unit elsewhere.
    public static func bareMilliseconds(_ value: Double) -> String { fixed(value, value < 999.5 ? 1 : 0) }

    /// Returns "0.5 s", "12 s", "3 min 20 s", "2 h 5 min".
    public static func span(seconds: Double) -> String {
        if seconds < 9.95 { return fixed(seconds, 1) + " s" }
        let whole = Int(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3_600) h \(whole % 3_600 / 60) min"
    }

    /// Returns a p value: "0.012", "< 0.0001".
    public static func p(_ p: Double) -> String { p < 0.0001 ? "< 0.0001" : fixed(p, p < 0.1 ? 4 : 2) }

    /// Returns "87.2 %" for 0.872.
    public static func percent(_ share: Double) -> String { fixed(share * 100, 1) + " %" }

    /// Returns "148.3 MB"; a megabyte is 1,000,000 bytes.
    public static func megabytes(_ bytes: Double) -> String { fixed(bytes / 1e6, 1) + " MB" }

    /// Returns "0 B", "812 B", "1.2 kB", "148.3 kB", "2.0 MB"; a kilobyte is 1,000 bytes.
    public static func bytes(_ bytes: Double) -> String {
        if abs(bytes) < 999.5 { return fixed(bytes, 0) + " B" }
        return abs(bytes) < 999_950 ? fixed(bytes / 1e3, 1) + " kB" : fixed(bytes / 1e6, 1) + " MB"
    }

    /// Returns the figure as `text` prints it, or the reason for there being none.
    package static func figure(_ figure: Figure, _ text: (Double) -> String) -> String {
        switch figure {
        case .value(let value): text(value)
        case .absent(let reason): reason
        }
    }

    /// Returns "1 spine", "2 spines".
    public static func count(_ count: Int, _ noun: String, plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}
