import Foundation

/// Reading of the machine's clocks and processors.
struct MachineReading: Sendable, Equatable {
    var wallSeconds: Double
    /// Monotonic clock that continues while the machine is suspended.
    var continuousSeconds: Double
    /// Monotonic clock that stops while the machine is suspended.
    var awakeSeconds: Double
    /// Load average of the minute before the first reading: this process itself raises it later.
    var loadAverage: Double?
    /// Processor time of this process and of all that it started, back ends and workers too, whether they still run
    /// or not.
    var ownSeconds: Double
    var processors: ProcessorTimes?

    static func now() -> MachineReading {
        MachineReading(
            wallSeconds: Date().timeIntervalSince1970,
            continuousSeconds: origin.continuous.duration(to: .now).milliseconds / 1_000,
            awakeSeconds: origin.awake.duration(to: .now).milliseconds / 1_000,
            loadAverage: origin.load,
            // RUSAGE_SELF and RUSAGE_CHILDREN, whose types differ from system to system.
            ownSeconds: usage(0) + usage(-1) + ProcessTree.secondsOfDescendants(),
            processors: ProcessorTimes.current()
        )
    }

    private static let origin = {
        var average = 0.0
        let isKnown = getloadavg(&average, 1) == 1
        return (continuous: ContinuousClock.now, awake: SuspendingClock.now, load: isKnown ? average : nil)
    }()

    /// Returns the processor time of this process, or of its children that have ended.
    private static func usage(_ who: Int32) -> Double {
        var usage = rusage()
        guard getrusage(who, &usage) == 0 else { return 0 }
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
}

/// Times of all processors together since the machine was started, in seconds.
struct ProcessorTimes: Sendable, Equatable {
    var busy: Double
    /// Taken by the host of a virtual machine.
    var stolen: Double
    var total: Double

    /// Returns the first line of `/proc/stat`; nil without the file.
    static func current() -> ProcessorTimes? {
        FileManager.default.contents(atPath: "/proc/stat").flatMap { parse(String(decoding: $0, as: UTF8.self)) }
    }

    /// Parses user, nice, system, idle, iowait, irq, softirq, steal in hundredths of a second; time of guests is in
    /// user and nice.
    ///
    /// Source: Linux, Documentation/filesystems/proc.rst, section 1.7. The unit is USER_HZ, which is 100 on the
    /// architectures that Swift runs on.
    static func parse(_ text: String) -> ProcessorTimes? {
        guard let line = text.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
        let times = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0).map { $0 / 100 } }
        guard times.count == 8 else { return nil }
        let busy = times[0] + times[1] + times[2] + times[5] + times[6]
        return ProcessorTimes(busy: busy, stolen: times[7], total: busy + times[3] + times[4] + times[7])
    }
}
