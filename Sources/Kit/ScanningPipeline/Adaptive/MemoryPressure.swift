#if os(Linux)
import Foundation

/// Detects whether this machine is short of memory, by Linux's pressure stall information.
public final class MemoryPressureSource: Sendable {
    private let path: String

    /// Share of the last ten seconds in percent, in which work waited for memory, from which the system counts as short
    /// of it.
    ///
    /// systemd-oomd ends programs from 60 % on by default, and an app should have freed memory long before.
    public static let warningPercent = 10.0

    /// - Parameter path: of the kernel's account; another one in tests.
    public init(path: String = "/proc/pressure/memory") { self.path = path }

    /// Whether models should be unloaded; false if the kernel does not report it.
    public var hasWarning: Bool {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
        return Self.waitingPercent(text).map { $0 >= Self.warningPercent } ?? false
    }

    /// Returns the share of the last ten seconds in which something waited, in percent, by the text of
    /// `/proc/pressure/memory`; nil for any other text.
    ///
    /// Source: Linux, Documentation/accounting/psi.rst.
    static func waitingPercent(_ text: String) -> Double? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("some ") }),
            let field = line.split(separator: " ").first(where: { $0.hasPrefix("avg10=") }),
            let percent = Double(field.dropFirst("avg10=".count)), percent.isFinite
        else { return nil }
        return percent
    }
}
#endif
