import Basics
import ScanningPolicies

struct SessionRecorder {
    struct Totals {
        var arrived = 0
        var dropped = 0
        var read = 0
        var books = 0
        var isPaused = false
    }

    private let step: Int?
    private let capacity: Double
    private(set) var minutes: [SessionOutcome.Minute] = []
    private(set) var timeline: [SessionOutcome.Point] = []
    private(set) var stateTimes = [Int](repeating: 0, count: ThermalStates.rising.count)
    private(set) var worst = 0
    var latencies: [Double] = []
    var answers: [Double] = []
    // At the end of the last minute.
    private var (minuteBegan, minuteEnergy, minuteRead, minuteBooks, minuteLatencies) = (0, 0.0, 0, 0, 0)
    private var minuteStates = [Int](repeating: 0, count: ThermalStates.rising.count)
    private var (lastTime, lastPoint) = (0, -1)

    /// `step` nanoseconds lie between points of the timeline, nil for none; the battery's `capacity` is in J.
    init(step: Int?, capacity: Double) { (self.step, self.capacity) = (step, capacity) }

    /// Notes how things stand; called at least at every full minute and at the end.
    mutating func note(_ meter: PowerMeter, state: Int, totals: Totals, isEnd: Bool) {
        let now = meter.now
        stateTimes[state] += now - lastTime
        worst = max(worst, state)
        lastTime = now
        if let step, now != lastPoint, now.isMultiple(of: step) || isEnd {
            addPoint(meter, state: state, totals: totals)
        }
        if now > minuteBegan, now.isMultiple(of: 60 * VirtualTime.second) || isEnd { endMinute(meter, totals: totals) }
    }

    private mutating func addPoint(_ meter: PowerMeter, state: Int, totals: Totals) {
        lastPoint = meter.now
        timeline.append(
            SessionOutcome.Point(
                second: VirtualTime.seconds(meter.now).rounded(toDigits: 6),
                chip: meter.temperatures.chip.rounded(toDigits: 6),
                skin: meter.temperatures.skin.rounded(toDigits: 6),
                state: ThermalStates.rising[state],
                percent: (100 * meter.energy.total / capacity).rounded(toDigits: 6),
                offered: totals.arrived + totals.dropped,
                skipped: totals.arrived + totals.dropped - totals.read,
                read: totals.read,
                books: totals.books,
                isPaused: totals.isPaused
            )
        )
    }

    private mutating func endMinute(_ meter: PowerMeter, totals: Totals) {
        let energy = meter.energy.total
        var minute = SessionOutcome.Minute()
        minute.seconds = VirtualTime.seconds(meter.now - minuteBegan).rounded(toDigits: 6)
        minute.reads = totals.read - minuteRead
        minute.books = totals.books - minuteBooks
        let sorted = latencies[minuteLatencies...].sorted()
        if !sorted.isEmpty {
            minute.p50 = Percentile.nearestRank(50, of: sorted)
            minute.p95 = Percentile.nearestRank(95, of: sorted)
        }
        minute.energy = (energy - minuteEnergy).rounded(toDigits: 6)
        minute.skin = meter.temperatures.skin.rounded(toDigits: 6)
        minute.chip = meter.temperatures.chip.rounded(toDigits: 6)
        minute.stateSeconds = SessionOutcome.StateSeconds(stateTimes, since: minuteStates)
        minutes.append(minute)
        (minuteBegan, minuteEnergy, minuteRead) = (meter.now, energy, totals.read)
        (minuteBooks, minuteLatencies, minuteStates) = (totals.books, latencies.count, stateTimes)
    }
}

extension SessionOutcome.StateSeconds {
    /// `times`: In nanoseconds, by state.
    init(_ times: [Int], since before: [Int] = [0, 0, 0, 0]) {
        let seconds = zip(times, before).map { VirtualTime.seconds($0 - $1).rounded(toDigits: 6) }
        (nominal, fair, serious, critical) = (seconds[0], seconds[1], seconds[2], seconds[3])
    }
}

extension Double {
    /// The nearest decimal number with `digits` after the point: the last bits of a platform's mathematics do not
    /// show.
    func rounded(toDigits digits: Int) -> Double {
        let scale = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6][digits]
        return (self * scale).rounded() / scale
    }
}
