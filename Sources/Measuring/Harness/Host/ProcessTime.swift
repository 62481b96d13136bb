import Foundation

/// Processor time of this process.
enum ProcessTime {
    /// Of all threads since the process began, in milliseconds; nil where the system does not tell.
    static func cpuMilliseconds() -> Double? {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1e6
    }
}
