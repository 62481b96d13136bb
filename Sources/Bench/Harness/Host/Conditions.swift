/// State of the machine during a worker's lifetime.
package struct Conditions: Sendable, Equatable, Codable {
    /// Duration by a clock that continues while the machine is suspended.
    package var seconds: Double
    /// Difference between the time of day and that clock.
    package var wallJumpSeconds: Double
    /// Duration for which the machine was suspended.
    package var suspendedSeconds: Double
    /// Load average of the minute before the harness first looked; nil where the system has none.
    package var loadAverageBefore: Double?
    /// Share of all processors' time used by programs that the harness did not start, 0…1; nil when the system does
    /// not report it.
    package var otherShare: Double?
    /// Share of all processors' time that the host took from this virtual machine, 0…1; nil when the system does not
    /// report it.
    package var stealShare: Double?
    package var cores: Int

    /// Creates the conditions from two readings of a machine with `cores` processors.
    init(from first: MachineReading, to last: MachineReading, cores: Int) {
        seconds = last.continuousSeconds - first.continuousSeconds
        wallJumpSeconds = last.wallSeconds - first.wallSeconds - seconds
        // The two clocks are not read at one instant.
        suspendedSeconds = max(0, seconds - (last.awakeSeconds - first.awakeSeconds))
        loadAverageBefore = first.loadAverage
        self.cores = cores
        guard let a = first.processors, let b = last.processors, b.total > a.total else { return }
        let total = b.total - a.total
        let own = last.ownSeconds - first.ownSeconds
        otherShare = min(1, max(0, (b.busy - a.busy - own) / total))
        stealShare = min(1, max(0, (b.stolen - a.stolen) / total))
    }
}
