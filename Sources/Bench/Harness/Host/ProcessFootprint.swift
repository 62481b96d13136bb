package import Basics

#if canImport(Darwin)
// Required by mach_task_self_, which is never set.
@preconcurrency import Darwin
#else
import Foundation
#endif

extension ProcessMemory {
    /// Returns the memory that a phone counts against an app: the resident memory without clean pages of files.
    ///
    /// Libraries, the program and mapped networks are such pages: the system drops them when it is short of memory,
    /// and their resident number differs by machine. On Linux `VmRSS` and `VmHWM` less `RssFile`, which hardly
    /// changes once a reader is warm; on Apple's systems the footprint of `TASK_VM_INFO` and its maximum. Nil when
    /// the system does not report it.
    package static func footprint() -> MemoryReading? {
        #if canImport(Darwin)
        var info = task_vm_info_data_t()
        var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size)
        let result = withUnsafeMutablePointer(to: &info) { pointer in
            pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
            }
        }
        guard result == KERN_SUCCESS else { return nil }
        return MemoryReading(
            residentBytes: Int(info.phys_footprint),
            peakBytes: Int(info.ledger_phys_footprint_peak)
        )
        #else
        guard let whole = current(), let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let files = fileBytes(status)
        else { return nil }
        return MemoryReading(
            residentBytes: max(0, whole.residentBytes - files),
            peakBytes: max(0, whole.peakBytes - files)
        )
        #endif
    }

    /// Returns the memory of another process, likewise; nil where the system has no file of its status.
    static func footprint(of id: Int32) -> MemoryReading? {
        guard let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8),
            let files = fileBytes(status), let resident = bytes("VmRSS:", status), let peak = bytes("VmHWM:", status)
        else { return nil }
        return MemoryReading(residentBytes: max(0, resident - files), peakBytes: max(0, peak - files))
    }

    /// Returns `RssFile` from the text of `/proc/<pid>/status`; nil without it.
    static func fileBytes(_ status: String) -> Int? { bytes("RssFile:", status) }

    /// Returns a line's number of `/proc/<pid>/status`, which gives kibibytes; nil without the line.
    private static func bytes(_ key: String, _ status: String) -> Int? {
        let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
        return line.flatMap { Int($0.dropFirst(key.count).filter(\.isNumber)) }.map { $0 * 1_024 }
    }
}
