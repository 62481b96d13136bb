#if os(Linux)
import Foundation

/// This process's memory by the kernel's account.
package enum ProcessMemory {
    /// `VmRSS` and `VmHWM` of `/proc/self/status`; nil when that cannot be read.
    package static func current() -> MemoryReading? {
        guard status >= 0 else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: 8_192, alignment: 1) { buffer in
            let count = pread(status, buffer.baseAddress, buffer.count, 0)
            return count > 0 ? parse(buffer[..<count]) : nil
        }
    }

    /// Open for the life of the process: opening takes longer than reading.
    private static let status = open("/proc/self/status", O_RDONLY | O_CLOEXEC)

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
    static func parse(_ status: some Collection<UInt8>) -> MemoryReading? {
        guard let resident = bytes("VmRSS:", in: status), let peak = bytes("VmHWM:", in: status) else { return nil }
        return MemoryReading(residentBytes: resident, peakBytes: peak)
    }

    /// The number in the line that begins with `key`.
    private static func bytes(_ key: StaticString, in status: some Collection<UInt8>) -> Int? {
        let key = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        var rest = status[...]
        while !rest.isEmpty {
            if rest.starts(with: key) {
                let digits = rest.dropFirst(key.count).drop { $0 == 0x20 || $0 == 0x09 }.prefix {
                    (0x30...0x39).contains($0)
                }
                return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } * 1_024
            }
            guard let end = rest.firstIndex(of: 0x0A) else { return nil }
            rest = rest[rest.index(after: end)...]
        }
        return nil
    }
}
#endif
