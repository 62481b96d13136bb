import Foundation

/// The share of time that work recently waited for memory: Linux's pressure stall information.
public struct MemoryPressure: Sendable, Equatable {
    /// The share of the last ten seconds in which something waited, in percent.
    public var somePercent: Double
    /// The share in which everything waited.
    public var fullPercent: Double

    /// Share of the time from which the system counts as short of memory.
    ///
    /// systemd-oomd ends programs from 60 % on by default, and an app should have freed memory long before.
    public static let warningPercent = 10.0

    /// Whether models should go.
    public var isWarning: Bool { somePercent >= Self.warningPercent }

    /// Reads the kernel's text; nil for any other text.
    ///
    /// - Parameter text: of `/proc/pressure/memory`; Linux, Documentation/accounting/psi.rst.
    public init?(_ text: String) {
        func tenSeconds(_ kind: String) -> Double? {
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(kind + " ") }) else { return nil }
            let field = line.split(separator: " ").first { $0.hasPrefix("avg10=") }
            return field.flatMap { Double($0.dropFirst("avg10=".count)) }
        }
        guard let some = tenSeconds("some"), let full = tenSeconds("full"), some.isFinite, full.isFinite else {
            return nil
        }
        (somePercent, fullPercent) = (some, full)
    }
}

#if os(Linux)
/// Detects whether this machine is short of memory.
public final class MemoryPressureSource: Sendable {
    private let path: String

    /// - Parameter path: of the kernel's account; another one in tests.
    public init(path: String = "/proc/pressure/memory") { self.path = path }

    /// Whether models should be unloaded; false if the kernel does not report it.
    public var hasWarning: Bool {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
        return MemoryPressure(text)?.isWarning ?? false
    }
}
#endif
