#if os(Linux)
import Foundation

/// This process's memory by the kernel's account.
package enum ProcessMemory {
    /// `VmRSS` and `VmHWM` of `/proc/self/status`; nil when that cannot be read.
    package static func current() -> MemoryReading? {
        guard let data = FileManager.default.contents(atPath: "/proc/self/status") else { return nil }
        return parse(String(decoding: data, as: UTF8.self))
    }

    /// Sets the peak back to what is resident now.
    ///
    /// - Returns: false when the kernel does not let this process do so.
    package static func resetPeak() -> Bool {
        // "5" sets VmHWM to VmRSS: Linux, Documentation/filesystems/proc.rst, "clear_refs".
        guard let handle = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return false }
        do {
            try handle.write(contentsOf: Data("5\n".utf8))
            try handle.close()
            return true
        } catch {
            return false
        }
    }

    /// The reading in the text of `/proc/<pid>/status`, which gives kibibytes.
    static func parse(_ status: String) -> MemoryReading? {
        func bytes(_ key: String) -> Int? {
            guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key + ":") }) else { return nil }
            return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1_024 }
        }
        guard let resident = bytes("VmRSS"), let peak = bytes("VmHWM") else { return nil }
        return MemoryReading(residentBytes: resident, peakBytes: peak)
    }
}
#endif
