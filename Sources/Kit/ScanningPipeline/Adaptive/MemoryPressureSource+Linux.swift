#if os(Linux)
import Foundation

/// Tells whether this machine is short of memory.
public final class MemoryPressureSource: Sendable {
    private let path: String

    /// - Parameter path: of the kernel's account; another one in tests.
    public init(path: String = "/proc/pressure/memory") { self.path = path }

    /// Whether models should go; false where the kernel does not say.
    public var hasWarning: Bool {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
        return MemoryPressure(text)?.isWarning ?? false
    }
}
#endif
