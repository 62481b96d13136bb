#if os(Linux)
import Foundation

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
