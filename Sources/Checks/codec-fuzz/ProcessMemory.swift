#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The resident memory of this process, as Linux counts it.
///
/// Other systems give nil, and nothing is bounded.
enum ProcessMemory {
    /// Bytes resident now.
    static var resident: Int? { field("VmRSS:") }

    /// The most bytes resident since ``resetPeak()``.
    static var peak: Int? { field("VmHWM:") }

    /// Begins a new peak.
    static func resetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// Lets the address space grow by no more than `bytes` from now on: an allocation beyond that ends the process.
    static func limitGrowth(to bytes: Int) {
        #if os(Linux)
        guard let size = field("VmSize:") else { return }
        var limit = rlimit(rlim_cur: rlim_t(size + bytes), rlim_max: rlim_t(size + bytes))
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        #endif
    }

    private static func field(_ name: String) -> Int? {
        guard let file = fopen("/proc/self/status", "r") else { return nil }
        defer { fclose(file) }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
            while fgets(room.baseAddress, Int32(room.count), file) != nil {
                let line = String(decoding: room.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                guard line.hasPrefix(name) else { continue }
                let digits = line.drop { !$0.isNumber }.prefix { $0.isNumber }
                return Int(digits).map { $0 << 10 }
            }
            return nil
        }
    }
}
