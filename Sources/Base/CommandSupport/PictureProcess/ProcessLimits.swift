import Foundation

/// Limits of memory and time of the process that decodes a HEIC.
enum ProcessLimits {
    /// Memory beside the program's own: for the file, the threads' stacks and the libraries.
    static let memoryAtLeast = 1 << 30
    /// Bytes per pixel: libheif's for `DecodingOptions.maximumPixels`, and the written copies.
    static let memoryPerPixel = 17 + 3 * 3
    /// CPU time of all threads together: more than ten times that of a picture of 100 MP.
    static let cpuSeconds = 120

    /// Sets them to this process, and to nothing that it is started by, for pictures of `pixels` at most.
    static func set(pixels: Int) throws {
        // A gigapixel and more are limited alike: no machine has memory for them.
        let memory = min(pixels, 1 << 30) * memoryPerPixel
        try limit(addressSpace, to: memoryNow() + memoryAtLeast + memory)
        try limit(processorTime, to: cpuSeconds)
        try limit(coreFile, to: 0)
    }

    #if canImport(Glibc)
    private typealias Resource = __rlimit_resource_t
    private static let (addressSpace, processorTime) = (Resource(RLIMIT_AS.rawValue), Resource(RLIMIT_CPU.rawValue))
    private static let coreFile = Resource(RLIMIT_CORE.rawValue)
    #else
    private typealias Resource = Int32
    private static let (addressSpace, processorTime, coreFile) = (RLIMIT_AS, RLIMIT_CPU, RLIMIT_CORE)
    #endif

    private static func limit(_ resource: Resource, to amount: Int) throws {
        var limits = rlimit(rlim_cur: rlim_t(amount), rlim_max: rlim_t(amount))
        // A limit that is lower already stays.
        var present = rlimit()
        if getrlimit(resource, &present) == 0 {
            limits.rlim_max = min(limits.rlim_max, present.rlim_max)
            limits.rlim_cur = min(limits.rlim_cur, present.rlim_cur, limits.rlim_max)
        }
        guard setrlimit(resource, &limits) == 0 else { throw POSIXError.last }
    }

    /// Returns the address space of this process, in bytes (proc(5), statm); 0 if the system does not report it.
    private static func memoryNow() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
