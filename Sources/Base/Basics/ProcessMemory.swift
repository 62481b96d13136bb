#if canImport(Darwin)
// Required for mach_task_self_, which is never set.
@preconcurrency import Darwin
#else
import Foundation
#endif

/// Memory that a process holds, in bytes.
package struct MemoryReading: Sendable, Equatable, Codable {
    package var residentBytes: Int
    /// The most that was resident since the process began, or since the peak was last reset.
    package var peakBytes: Int

    package init(residentBytes: Int, peakBytes: Int) {
        (self.residentBytes, self.peakBytes) = (residentBytes, peakBytes)
    }
}

#if os(Linux)
/// This process's memory by the kernel's account.
package enum ProcessMemory {
    /// Returns `VmRSS` and `VmHWM` of `/proc/self/status`; nil when that cannot be read.
    package static func current() -> MemoryReading? {
        guard status >= 0 else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: 8_192, alignment: 1) { buffer in
            let count = pread(status, buffer.baseAddress, buffer.count, 0)
            return count > 0 ? parse(buffer[..<count]) : nil
        }
    }

    /// Returns the memory that a phone counts against an app: the resident memory without clean pages of files.
    ///
    /// Libraries, the program and mapped networks are such pages: the system drops them when it is short of memory,
    /// and their resident number differs by machine. `VmRSS` and `VmHWM` less `RssFile`, which hardly changes once a
    /// reader is warm; nil when the kernel does not report it.
    package static func footprint() -> MemoryReading? {
        guard let whole = current(), let text = FileManager.default.contents(atPath: "/proc/self/status"),
            let files = bytes("RssFile:", in: text)
        else { return nil }
        return MemoryReading(
            residentBytes: max(0, whole.residentBytes - files),
            peakBytes: max(0, whole.peakBytes - files)
        )
    }

    /// Open for the life of the process: opening takes longer than reading.
    private static let status = open("/proc/self/status", O_RDONLY | O_CLOEXEC)

    /// Resets the peak to the present resident memory.
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

    /// Returns the reading in the text of `/proc/<pid>/status`, which gives kibibytes.
    static func parse(_ status: some Collection<UInt8>) -> MemoryReading? {
        guard let resident = bytes("VmRSS:", in: status), let peak = bytes("VmHWM:", in: status) else { return nil }
        return MemoryReading(residentBytes: resident, peakBytes: peak)
    }

    /// Returns the number in the line that begins with `key`.
    static func bytes(_ key: StaticString, in status: some Collection<UInt8>) -> Int? {
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

#if canImport(Darwin)
/// This process's memory by the kernel's account.
package enum ProcessMemory {
    /// Returns the resident size and its maximum of `TASK_VM_INFO`; nil when the kernel refuses.
    package static func current() -> MemoryReading? {
        info().map { MemoryReading(residentBytes: Int($0.resident_size), peakBytes: Int($0.resident_size_peak)) }
    }

    /// Returns the memory that counts against an app's limit, and its maximum; nil when the kernel refuses.
    package static func footprint() -> MemoryReading? {
        info().map {
            MemoryReading(residentBytes: Int($0.phys_footprint), peakBytes: Int($0.ledger_phys_footprint_peak))
        }
    }

    private static func info() -> task_vm_info_data_t? {
        var info = task_vm_info_data_t()
        var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size)
        let status = withUnsafeMutablePointer(to: &info) { pointer in
            pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
            }
        }
        return status == KERN_SUCCESS ? info : nil
    }

    /// Returns false: Darwin has one maximum for the life of a process.
    package static func resetPeak() -> Bool { false }
}
#endif
