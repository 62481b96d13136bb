#if canImport(Darwin)
import Darwin

/// This process's memory by the kernel's account.
package enum ProcessMemory {
    /// The resident size and its maximum of `MACH_TASK_BASIC_INFO`; nil when the kernel refuses.
    package static func current() -> MemoryReading? {
        var info = mach_task_basic_info()
        var count = mach_msg_type_number_t(MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
        let status = withUnsafeMutablePointer(to: &info) { pointer in
            pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
            }
        }
        guard status == KERN_SUCCESS else { return nil }
        return MemoryReading(residentBytes: Int(info.resident_size), peakBytes: Int(info.resident_size_max))
    }

    /// Darwin keeps one maximum for the life of a process.
    package static func resetPeak() -> Bool { false }
}
#endif
