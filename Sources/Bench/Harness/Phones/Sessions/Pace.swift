import Foundation
import ScanningPolicies

/// Work that a session expects in a second of one thermal state.
struct Pace {
    /// Frames that the camera offers, and those that the reader gets.
    var frames = 0.0, readings = 0.0
    /// Spines that are read for the first time, or pictures that are sent.
    var scans = 0.0
    /// Busy seconds of a thread of the CPU and of the compute unit.
    var cpu = 0.0, unit = 0.0
    /// Share of the time that the camera runs.
    var camera = 1.0

    /// Seconds until an owner who goes on scanning sees that the camera has paused, and wakes it by a touch.
    private static let touch = 2.0
    /// Time without a spine or a frame after which a first frame is followed, and not read.
    private static let gap = SpineFollower<Int>.gap / .seconds(1)

    /// Creates the pace at a speed of the device beside its full speed; `pressure` is the factor by which inference is
    /// slower.
    init(
        _ plan: SessionPlan,
        _ values: DeviceValues,
        costs: [ReadingCost],
        in state: ThermalState,
        speed: Double,
        pressure: Double
    ) {
        let count = Double(costs.count)
        let image = costs.reduce(0) { $0 + $1.imageSeconds } / count / speed
        let inference = costs.reduce(0) { $0 + $1.inferenceSeconds } / count * pressure / speed
        let (hold, share) = (plan.holdSeconds, plan.spineShare)
        frames = Double(plan.framesPerSecond)
        if let rhythm = Rhythm(plan, in: state) {
            // Chance that a spine has a frame before it leaves.
            func isSeen(every step: Double) -> Double { (1 - exp(-step / hold)) / (step / hold) }
            let found: Double
            if plan.strategy.readsFirst {
                let step = rhythm.step(costs.map { ($0.imageSeconds + $0.inferenceSeconds * pressure) / speed })
                // After a long time without a frame the first one is followed, and the next one read.
                readings = share / step + (1 - share) / (step + (step > Self.gap ? 1 / frames : 0))
                found = isSeen(every: step)
            } else {
                let step = rhythm.step([0])
                let seen = isSeen(every: step)
                readings = max(0, share / step - share / hold * seen)
                // The first frame of a spine is followed, and the next one sent, once the last spine is missing for a while.
                found = seen * exp(-step / hold) * exp(-Self.gap / hold)
            }
            scans = share / hold * found
            // What cannot be sent for long is not captured: the shutter is closed.
            if plan.strategy == .talariaOnly, let limit = plan.rateLimit {
                scans = min(scans, Double(limit.requests) / limit.windowSeconds)
            }
        }
        if let limit = plan.idleLimit { pause(after: limit, hold: hold, gap: hold * (1 - share) / share) }
        let worked = plan.strategy.readsFirst ? readings : scans
        cpu = worked * image
        unit = plan.strategy == .talariaOnly ? 0 : worked * inference
    }

    /// Lets the camera pause in gaps between spines that are longer than a limit, until the owner touches it.
    private mutating func pause(after limit: Double, hold: Double, gap: Double) {
        let isLong = exp(-limit / gap)
        let pauses = isLong / (1 - isLong)
        camera = scans > 0 ? max(0, 1 - Self.touch * pauses / (hold + gap)) : limit / (limit + Self.touch)
        // Few spines come while it pauses.
        for count in [\Pace.frames, \.readings] { self[keyPath: count] *= camera }
    }
}

/// Frames that a thermal policy and a shortest interval allow to be read.
private struct Rhythm {
    /// Time of a frame in s.
    private let frame: Double
    /// Frames of which the policy lets one be read.
    private let every: Int
    /// Fewest frames from one that is read to the next.
    private let least: Int

    /// nil when none is read.
    init?(_ plan: SessionPlan, in state: ThermalState) {
        frame = 1 / Double(plan.framesPerSecond)
        // Policies read one of one, two or three frames: of six, they read six, three or two.
        let read = (1...6).filter { plan.thermalPolicy.processes(state: state, frameCount: $0, sinceLast: nil) }
        guard let last = read.last else { return nil }
        every = 6 / read.count
        let interval = max(1, ((plan.minimumInterval ?? 0) / frame - 1e-9).rounded(.up))
        var frames = Int(interval)
        while !plan.thermalPolicy.processes(
            state: state,
            frameCount: last,
            sinceLast: .seconds(Double(frames) * frame)
        ) { frames += 1 }
        least = frames
    }

    /// Returns the mean time between frames that take works in turn.
    ///
    /// The newest frame waits for a reader that was busy, and the others are dropped; a policy that leaves frames out
    /// counts that one, too. Times are in s, and in frames while they are counted.
    func step(_ works: [Double]) -> Double {
        let count = min(4_000, max(50, works.count))
        var (now, taken) = (0.0, 0)
        for number in 0..<count {
            now += works[number % works.count] / frame
            // Rounding does not make a frame late that is due just then.
            var index = max(Int((now + 1e-9).rounded(.down)), taken + 1) + every - 1
            if index < taken + least {
                index = every == 1 ? taken + least : taken + (least + every - 1) / every * every
            }
            taken = index
            now = max(now, Double(index))
        }
        return now * frame / Double(count)
    }
}
