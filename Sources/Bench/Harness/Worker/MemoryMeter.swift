package import Basics
import Foundation

/// Taking of the memory of the processes that a system works in.
package struct MemoryMeter: Sendable {
    /// Returns the memory now, with the peak of all samples; nil when the system does not report it.
    package var read: @Sendable () -> MemoryReading?
    /// Takes a sample while a reading is timed, and so nothing that takes long.
    var sample: @Sendable () -> Void = {}
    /// Resets the peak; false where the kernel cannot do it.
    package var resetPeak: @Sendable () -> Bool
    /// Whether the system works in this process, so that its processor time is the system's, too.
    fileprivate(set) var isOwn = false

    /// No memory: the system works on another machine, or in a process that it did not start.
    package static let elsewhere = MemoryMeter(read: { nil }, resetPeak: { false })
    static let own = MemoryMeter(
        read: ProcessMemory.current,
        sample: { _ = ProcessMemory.current() },
        resetPeak: ProcessMemory.resetPeak,
        isOwn: true
    )
}

/// Thread that takes samples every 10 ms while something works, so that a footprint has a peak.
///
/// A peak between two samples is missed. A sample takes 10 µs, a thousandth of the time of a core, beside the reading:
/// more of them would be felt in latencies. One of many processes or threads takes longer, and comes less often: never
/// more than a hundredth. Unchecked, as `condition` protects all state.
final class MemorySampler: @unchecked Sendable {
    private static let interval: UInt32 = 10_000
    /// Largest share of a core's time.
    private static let mostCost = 0.01
    /// Intervals without work after which the thread waits: readings that follow each other are sampled at any of their
    /// moments, and not always at the same.
    private static let mostIdle = 10

    private let condition = NSCondition()
    private var working = 0
    private var isClosed = false

    init(_ sample: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            while self.waitForWork() {
                var idle = 0
                while idle < Self.mostIdle {
                    let isWorking = self.condition.withLock { self.working > 0 }
                    idle = isWorking ? 0 : idle + 1
                    let before = ProcessTime.cpuMilliseconds(CLOCK_THREAD_CPUTIME_ID) ?? 0
                    if isWorking { sample() }
                    let cost = (ProcessTime.cpuMilliseconds(CLOCK_THREAD_CPUTIME_ID) ?? 0) - before
                    usleep(max(Self.interval, UInt32(cost * 1_000 / Self.mostCost)))
                }
            }
        }
    }

    func during<Value>(_ work: () throws -> Value) rethrows -> Value {
        begin()
        defer { condition.withLock { working -= 1 } }
        return try work()
    }

    func begin() {
        condition.withLock {
            working += 1
            condition.signal()
        }
    }

    /// Ends the thread.
    func close() {
        condition.withLock {
            (working, isClosed) = (0, true)
            condition.signal()
        }
    }

    /// Waits for work to begin; false when the thread is to end.
    private func waitForWork() -> Bool {
        condition.withLock {
            while working == 0, !isClosed { condition.wait() }
            return !isClosed
        }
    }
}
