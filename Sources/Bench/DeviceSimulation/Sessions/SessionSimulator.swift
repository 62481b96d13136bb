import Basics
import Foundation
import ScanningPolicies

/// Simulates sessions of scanning in virtual time, with the policies that the app itself decides by.
///
/// An event follows another: a frame is due, the gate or a stage of the reader is done, an answer comes, the radio falls
/// asleep, a second is over. Between two events the power does not change, so that the heat is computed exactly. Frames go as
/// they go through `FrameSource` and `ScanningCoordinator`: those that are due while the reader is busy are dropped for the
/// newest; what is read and new is finished beside the next frames.
///
/// What is simpler than the world: the gate errs in each frame on its own; a spine has one text, read right or not, so that it
/// is known when it is seen again; a reading without a spine costs as much as any other; a stage keeps the speed and the power
/// at which it began; a request that is under way is not cut off when the network goes. A scan that waits is a book when its
/// answer is there, and not before.
///
/// Times are whole nanoseconds, and what is drawn uses no logarithm, so that a seed gives the same session on every machine.
/// Temperatures go through `expm1`, whose last bit may differ between platforms; a session differs by more than that only if a
/// temperature then lies on the other side of a thermal threshold, at one of the full seconds at which the state is told.
package struct SessionSimulator: Sendable {
    package let plan: SessionPlan
    let values: DeviceValues
    let costs: [ReadingCost]
    /// By `PowerMeter.Work.level`.
    let speeds: [Double]
    let powers: [Double]
    let states: ThermalStates

    /// `costs`: One of them is drawn for each reading.
    ///
    /// - Throws: when there are no costs, or a figure is out of its range.
    package init(plan: SessionPlan, values: DeviceValues, costs: [ReadingCost]) throws(SessionError) {
        if costs.isEmpty { throw .noCosts }
        try plan.check()
        for cost in costs { try cost.check() }
        (self.plan, self.values, self.costs) = (plan, values, costs)
        let states = ThermalStates(values)
        self.states = states
        let lowPower = values[.lowPowerSpeed]
        speeds = [1, lowPower].flatMap { factor in ThermalStates.rising.map { states.speed($0) * factor } }
        let lowPowerPower = pow(lowPower, values[.throttlePowerExponent])
        powers = [1, lowPowerPower].flatMap { factor in ThermalStates.rising.map { states.power($0) * factor } }
    }

    /// Simulates one session, the same for the same seed; `pointsEvery` are the seconds between the points of the
    /// timeline, nil for none.
    package func run(seed: UInt64, pointsEvery: Int? = 10) -> SessionOutcome {
        var run = SessionRun(self, seed: seed, pointsEvery: pointsEvery)
        return run.outcome()
    }
}

package struct SessionSeries: Sendable, Equatable, Encodable {
    package let plan: SessionPlan
    package let values: DeviceValues
    package let costs: [ReadingCost]
    /// That all sessions' seeds are made of.
    package let seed: UInt64
    package let title: String
    package private(set) var tally = SessionTally()

    /// Simulates a number of sessions; `done` is called after each.
    package init(_ simulator: SessionSimulator, sessions: Int, seed: UInt64, title: String, done: () -> Void = {}) {
        (plan, values, costs) = (simulator.plan, simulator.values, simulator.costs)
        (self.seed, self.title) = (seed, title)
        for number in 0..<sessions {
            tally.add(simulator.run(seed: Self.seed(ofSession: number, seed: seed), pointsEvery: nil))
            done()
        }
    }

    /// The seed of a session, another one for each number; `number` is the session's, from 0.
    static func seed(ofSession number: Int, seed: UInt64) -> UInt64 {
        var first = SplitMix64(state: seed)
        var second = SplitMix64(state: first.next() ^ UInt64(number))
        return second.next()
    }
}
