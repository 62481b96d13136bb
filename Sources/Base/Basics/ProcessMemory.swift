#if canImport(Darwin)
// Required for mach_task_self_, which is never set.
@preconcurrency import Darwin
#else
import Foundation
import Synchronization
#endif

/// Memory of a process in bytes: two figures of the same moment, each with its most.
public struct MemoryReading: Sendable, Equatable, Codable {
    /// Bytes now, and the most since the process began or since the peak was last reset.
    public struct Level: Sendable, Equatable, Codable {
        package var bytes: Int
        /// The largest value so far, in bytes.
        public var peak: Int

        package init(_ bytes: Int, peak: Int) { (self.bytes, self.peak) = (bytes, peak) }
    }

    /// All pages in memory, those of files included: `VmRSS` and `VmHWM`, Apple's `resident_size`.
    public var resident: Level?
    /// What a phone counts against an app.
    ///
    /// Anonymous and shared memory and what of it is swapped, without pages of
    /// files, such as the program, libraries and mapped networks, which the system drops and reads again. `RssAnon`,
    /// `RssShmem` and `VmSwap`, whose peak is that of the samples taken; Apple's `phys_footprint`, which has a peak.
    public var footprint: Level?
    /// Records of versions until 28 November 2026: `VmRSS` and `VmHWM`, less the `RssFile` of another moment.
    private var residentBytes: Int?
    private var peakBytes: Int?

    package init(resident: Level?, footprint: Level?) { (self.resident, self.footprint) = (resident, footprint) }

    /// The figure of records of versions until 28 November 2026; nil in others.
    public var earlier: Level? { peakBytes.flatMap { peak in residentBytes.map { Level($0, peak: peak) } } }

    /// The footprint, or what earlier versions took for it.
    public var counted: Level? { footprint ?? earlier }
}

#if os(Linux)
/// Memory of processes by the kernel's account.
public enum ProcessMemory {
    /// Returns this process's memory, which is a sample of its footprint; nil when `/proc` cannot be read.
    public static func current() -> MemoryReading? {
        let reading = reading(in: status)
        guard var reading, let now = reading.footprint else { return reading }
        reading.footprint?.peak = mostSampled.withLock { most in
            most = max(most, now.bytes)
            return most
        }
        return reading
    }

    /// Returns another process's memory, with its footprint now as its peak; nil when it is gone.
    public static func reading(of id: Int32) -> MemoryReading? {
        let file = open("/proc/\(id)/status", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        return reading(in: file)
    }

    private static func reading(in file: Int32) -> MemoryReading? {
        guard file >= 0 else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: 8_192, alignment: 1) { buffer in
            let count = pread(file, buffer.baseAddress, buffer.count, 0)
            return count > 0 ? parse(buffer[..<count]) : nil
        }
    }

    /// Open for the life of the process: opening takes longer than reading.
    private static let status = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    /// The most of the footprint's samples: Linux has no high-water mark of it.
    ///
    /// `smaps_rollup` has none either and walks
    /// all pages, for milliseconds; a control group's peak has the page cache, and all of its processes.
    private static let mostSampled = Mutex(0)

    /// Resets the peaks to the present memory.
    ///
    /// - Returns: false when the kernel does not let this process do so.
    public static func resetPeak() -> Bool {
        mostSampled.withLock { $0 = 0 }
        _ = current()
        return resetPeak(of: "self")
    }

    /// Resets the peak of the resident memory of a process, by its id or as `self`.
    public static func resetPeak(of process: String) -> Bool {
        // "5" sets VmHWM to VmRSS: Linux, Documentation/filesystems/proc.rst, "clear_refs".
        guard let handle = FileHandle(forWritingAtPath: "/proc/\(process)/clear_refs") else { return false }
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
        // Kernels before 4.5, and some sandboxes, have no parts.
        let footprint = bytes("RssAnon:", in: status).map { anonymous in
            anonymous + (bytes("RssShmem:", in: status) ?? 0) + (bytes("VmSwap:", in: status) ?? 0)
        }
        return MemoryReading(
            resident: .init(resident, peak: peak),
            footprint: footprint.map { .init($0, peak: $0) }
        )
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
public enum ProcessMemory {
    /// Returns both figures of `TASK_VM_INFO` with their maxima; nil when the kernel refuses.
    public static func current() -> MemoryReading? {
        info().map {
            MemoryReading(
                resident: .init(Int($0.resident_size), peak: Int($0.resident_size_peak)),
                footprint: .init(Int($0.phys_footprint), peak: Int($0.ledger_phys_footprint_peak))
            )
        }
    }

    /// Returns nil: another process's memory is not reported.
    public static func reading(of id: Int32) -> MemoryReading? { nil }

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
    public static func resetPeak() -> Bool { false }
    package static func resetPeak(of process: String) -> Bool { false }
}
#endif
