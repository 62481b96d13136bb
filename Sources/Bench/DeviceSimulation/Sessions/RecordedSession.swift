package import ScanningPolicies

/// Session of scanning a camera's frames, as its recording tells it: what the session simulator is checked against.
package struct RecordedSession: Sendable, Equatable {
    /// From the first record to that of the frames.
    package private(set) var seconds: Double
    /// By what became of them.
    package private(set) var frames: [FrameFate: Int]
    /// Times of readings on the device, in ms, in the order of the recording: what readings cost in the simulation.
    package var readings: [Double]

    /// `text`: The whole file, as `TraceRecorder` wrote it.
    ///
    /// - Throws: `DeviceError.trace` for the first line that is wrong, and for a recording without frames.
    package init(trace text: [UInt8], file: String) throws(DeviceError) {
        let log = try TraceLog(text, file: file)
        guard let end = log.records.last(where: { $0.frames != nil }), let frames = end.frames else {
            throw .trace(
                file: file,
                line: log.records.count + 1,
                problem: "the recording has no frame outcomes; record a session with 'spinebench scan --frames'"
            )
        }
        self.frames = frames
        seconds = end.time - (log.records.first?.time ?? 0)
        let tiers = ["fast", "accurate"]
        readings = log.records.compactMap(\.reading).filter { tiers.contains($0.tier) }.map(\.milliseconds)
    }

    /// Frames of one kind, as recorded and as simulated.
    package struct Comparison: Sendable, Equatable, Codable {
        /// For people: "dropped", "no spine in sight", "read", "read, new spine".
        package var name: String
        package var recorded: Int
        /// The mean of the simulated sessions, and their least and most.
        package var simulated: Double
        package var least: Int
        package var most: Int

        /// By how much the simulator has more, of all frames that were due: 0.05 for a twentieth.
        package func difference(of all: Int) -> Double { all > 0 ? (simulated - Double(recorded)) / Double(all) : 0 }
    }

    /// Compares the recording with sessions of the same length, for each kind of frames.
    ///
    /// Readings cost what they cost in the recording. `plan` has the frames' pace, the gate's rates and time, and how
    /// long spines are in sight; the device of `values` is taken to be as fast as the recording's.
    ///
    /// - Throws: when a figure of the plan is out of its range, or nothing was read.
    package func comparisons(
        with plan: SessionPlan,
        on values: DeviceValues,
        sessions: Int = 20
    ) throws(SessionError) -> [Comparison] {
        var (plan, values) = (plan, values)
        plan.seconds = seconds
        values[.cpuSpeed] = 1
        let costs = readings.map { ReadingCost(imageSeconds: 0, inferenceSeconds: $0 / 1_000) }
        let simulator = try SessionSimulator(plan: plan, values: values, costs: costs)
        let outcomes = (1...sessions).map { simulator.run(seed: UInt64($0), pointsEvery: nil) }
        func row(_ name: String, _ recorded: Int, _ simulated: (SessionOutcome) -> Int) -> Comparison {
            let counts = outcomes.map(simulated)
            return Comparison(
                name: name,
                recorded: recorded,
                simulated: Double(counts.reduce(0, +)) / Double(sessions),
                least: counts.min() ?? 0,
                most: counts.max() ?? 0
            )
        }
        func count(_ fate: FrameFate) -> Int { frames[fate] ?? 0 }
        return [
            row("due", frames.values.reduce(0, +)) { $0.offered },
            row(FrameFate.dropped.text, count(.dropped)) { $0.dropped },
            row(FrameFate.thermal.text, count(.thermal)) { $0.counts.thermal },
            row(FrameFate.noSpine.text, count(.noSpine)) { $0.counts.noSpine },
            row(FrameFate.moving.text, count(.moving)) { $0.counts.moving },
            row("read", FrameFate.allCases.filter(\.isRead).reduce(0) { $0 + count($1) }) { $0.counts.read },
            row("read, nothing new", count(.noText) + count(.sameSpine)) { $0.counts.noNews },
            row(FrameFate.scanned.text, count(.scanned)) { $0.counts.read - $0.counts.noNews },
        ]
    }
}
