import Foundation

/// Limits of memory and time of the process that decodes a HEIC.
struct ProcessLimits {
    /// Beside what the program takes already: for the file, the threads' stacks and the libraries' own.
    static let memoryAtLeast = 1 << 30
    /// `DecodingOptions.maximumPixels` says what libheif takes; the copies that are written come on top.
    static let memoryPerPixel = 17 + 3 * 3
    /// Of all its threads together: more than ten times what a picture of 100 MP takes.
    static let cpuSeconds = 120

    /// - Parameter pixels: of the largest picture accepted.
    init(pixels: Int) { self.pixels = pixels }

    private let pixels: Int

    /// Sets them to this process, and to nothing that it is started by.
    ///
    /// - Throws: `POSIXError` where the system refuses.
    func set() throws {
        // A gigapixel and more are limited alike: no machine has memory for them.
        let memory = min(pixels, 1 << 30) * Self.memoryPerPixel
        try Self.limit(.memory, to: Self.memoryNow() + Self.memoryAtLeast + memory)
        try Self.limit(.cpu, to: Self.cpuSeconds)
        try Self.limit(.core, to: 0)
    }

    private enum Resource { case memory, cpu, core }

    private static func limit(_ resource: Resource, to amount: Int) throws {
        var limits = rlimit(rlim_cur: rlim_t(amount), rlim_max: rlim_t(amount))
        #if canImport(Glibc)
        let kind =
            switch resource {
            case .memory: __rlimit_resource_t(RLIMIT_AS.rawValue)
            case .cpu: __rlimit_resource_t(RLIMIT_CPU.rawValue)
            case .core: __rlimit_resource_t(RLIMIT_CORE.rawValue)
            }
        #else
        let kind =
            switch resource {
            case .memory: RLIMIT_AS
            case .cpu: RLIMIT_CPU
            case .core: RLIMIT_CORE
            }
        #endif
        // A limit that is lower already stays.
        var present = rlimit()
        if getrlimit(kind, &present) == 0 {
            limits.rlim_max = min(limits.rlim_max, present.rlim_max)
            limits.rlim_cur = min(limits.rlim_cur, present.rlim_cur, limits.rlim_max)
        }
        guard setrlimit(kind, &limits) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL) }
    }

    /// The address space of this process, in bytes (proc(5), statm); 0 where the system does not say.
    private static func memoryNow() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
