package import Basics
import ScanningPolicies

package struct SessionTally: Sendable, Equatable, Encodable {
    package private(set) var sessions = 0
    /// Frames by what became of them.
    package private(set) var frames: [String: Int] = [:]
    package private(set) var energy = EnergyUse()
    /// Of all sessions together, in µs.
    package private(set) var microseconds = 0
    /// In each of `ThermalStates.rising`, in µs.
    package private(set) var stateMicroseconds = [0, 0, 0, 0]
    /// Sessions by the worst of `ThermalStates.rising` that they saw.
    package private(set) var worstStates = [0, 0, 0, 0]
    /// Sessions whose battery was empty before their end.
    package private(set) var emptied = 0
    /// Sessions whose books of energy and heat did not agree; none, unless the simulator is wrong.
    package private(set) var unbalanced = 0
    package private(set) var books = FigureSpread()
    package private(set) var percentPerMinute = FigureSpread()
    package private(set) var seedPercentPerMinute = FigureSpread()
    package private(set) var skin = FigureSpread()
    /// From a frame to its first result, in µs.
    package private(set) var latencies = LogHistogram()
    /// From a frame to the back end's answer, in µs.
    package private(set) var answers = LogHistogram()
    /// Percent of the battery a minute by the energy model, in millionths of a percent: one number a session.
    package private(set) var drains = LogHistogram()

    package mutating func add(_ outcome: SessionOutcome) {
        sessions += 1
        let counts = outcome.counts
        let fates = [
            "offered": outcome.offered, "dropped": outcome.dropped, "arrived": counts.arrived,
            "noReader": counts.noReader,
            "shutterClosed": counts.shutterClosed, "thermal": counts.thermal, "tooSoon": counts.tooSoon,
            "examined": counts.examined, "noSpine": counts.noSpine, "moving": counts.moving, "noNews": counts.noNews,
            "read": counts.read,
        ]
        frames.merge(fates, uniquingKeysWith: +)
        energy.add(outcome.energy)
        microseconds += Self.millionths(outcome.seconds)
        let seconds = outcome.stateSeconds
        let states = [seconds.nominal, seconds.fair, seconds.serious, seconds.critical].map(Self.millionths)
        stateMicroseconds = zip(stateMicroseconds, states).map(+)
        if let worst = ThermalStates.rising.firstIndex(of: outcome.worstState) { worstStates[worst] += 1 }
        if outcome.seconds < outcome.plan.seconds { emptied += 1 }
        if !outcome.isBalanced { unbalanced += 1 }
        books.add(Double(outcome.books))
        percentPerMinute.add(outcome.percentPerMinute)
        seedPercentPerMinute.add(outcome.seedPercentPerMinute)
        skin.add(outcome.skin)
        for latency in outcome.latencies { latencies.add(Int((latency * 1e3).rounded())) }
        for answer in outcome.answers { answers.add(Int((answer * 1e3).rounded())) }
        drains.add(Self.millionths(outcome.percentPerMinute))
    }

    static func millionths(_ value: Double) -> Int { Int((value * 1e6).rounded()) }
}

/// Mean, deviation and range of numbers, without the numbers themselves.
///
/// Source: B. P. Welford, "Note on a method for calculating corrected sums of squares and products", Technometrics 4 (1962),
/// 419–420.
package struct FigureSpread: Sendable, Equatable, Encodable {
    package private(set) var count = 0
    /// nil without numbers.
    package private(set) var mean: Double?
    package private(set) var smallest: Double?
    package private(set) var largest: Double?
    /// The sum of the squared differences from the mean.
    private var squares = 0.0

    package mutating func add(_ number: Double) {
        count += 1
        smallest = min(smallest ?? number, number)
        largest = max(largest ?? number, number)
        let before = mean ?? 0
        let after = before + (number - before) / Double(count)
        squares += (number - before) * (number - after)
        mean = after
    }

    /// The estimate from a sample; nil below two numbers.
    package var standardDeviation: Double? { count > 1 ? (squares / Double(count - 1)).squareRoot() : nil }
}
