/// How the machine was while a worker lived.
package struct Conditions: Sendable, Equatable, Codable {
    /// How long, by a clock that goes on while the machine is suspended.
    package var seconds: Double
    /// By how much the time of day moved more than that clock.
    package var wallJumpSeconds: Double
    /// Of that time, how long the machine was suspended.
    package var suspendedSeconds: Double
    /// Load average of the minute before the harness first looked; nil where the system has none.
    package var loadAverageBefore: Double?
    /// Of all processors' time, the share that programs took which the harness did not start, 0…1; nil where the system does not say.
    package var otherShare: Double?
    /// Of all processors' time, the share that the host took from this virtual machine, 0…1; nil likewise.
    package var stealShare: Double?
    package var cores: Int

    /// What lies between two looks at a machine with `cores` processors.
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
