#if canImport(Darwin)
// Required for mach_task_self_, which is never set.
@preconcurrency import Darwin
#else
import Basics
#endif

/// Memory of this process, as the system counts it against an app.
public enum ResidentMemory {
    /// Returns the resident bytes, on Apple's systems those that count against an app's limit; nil when they cannot
    /// be read.
    public static func bytes() -> Int? {
        #if canImport(Darwin)
        var info = task_vm_info_data_t()
        var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size)
        let result = withUnsafeMutablePointer(to: &info) { pointer in
            pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
            }
        }
        return result == KERN_SUCCESS ? Int(info.phys_footprint) : nil
        #else
        return ProcessMemory.current()?.residentBytes
        #endif
    }
}
