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
        self.plan = plan
        self.values = values
        self.costs = costs
        let states = ThermalStates(values)
        self.states = states
        let lowPower = values[.lowPowerSpeed]
        speeds = [1, lowPower].flatMap { factor in ThermalStates.rising.map { states.speed($0) * factor } }
        let lowPowerPower = pow(lowPower, values[.throttlePowerExponent])
        powers = [1, lowPowerPower].flatMap { factor in ThermalStates.rising.map { states.power($0) * factor } }
    }

    /// Simulates one session.
    ///
    /// `pointsEvery`: Seconds between the points of the timeline; nil for none.
    ///
    /// - Returns: the same for the same seed.
    package func run(seed: UInt64, pointsEvery: Int? = 10) -> SessionOutcome {
        var run = SessionRun(self, seed: seed, pointsEvery: pointsEvery)
        return run.outcome()
    }
}

/// A part of many sessions: those of some numbers, and what they came to.
///
/// A session's seed depends on its number alone, so that a run over all numbers and the merged parts of it are the same bytes.
package struct SessionShard: Sendable, Equatable, Codable {
    /// Why parts do not belong together.
    package enum Fault: Error, Equatable, CustomStringConvertible {
        case differentRuns(String)
        case doubled(Int)
        case nothing

        package var description: String {
            switch self {
            case .differentRuns(let what):
                "the parts belong to different runs, as they differ in their \(what); merge parts of one run only"
            case .doubled(let session): "duplicate session \(session) in two parts: specify each part once"
            case .nothing: "no parts to merge"
            }
        }
    }

    /// Session numbers from `from` up to `to`, without that.
    package struct Span: Sendable, Equatable, Codable {
        package var from: Int
        package var to: Int
    }

    package var plan: SessionPlan
    package var values: DeviceValues
    package var costs: [ReadingCost]
    /// That all sessions' seeds are made of.
    package var seed: UInt64
    /// Title of the device and the costs, for people.
    package var title: String
    /// Which sessions are in `tally`, in ascending order, and none beside the next.
    package private(set) var spans: [Span] = []
    package private(set) var tally = SessionTally()

    package init(_ simulator: SessionSimulator, seed: UInt64, title: String) {
        plan = simulator.plan
        values = simulator.values
        costs = simulator.costs
        self.seed = seed
        self.title = title
    }

    /// The sessions of a part.
    ///
    /// `part`: From 1.
    ///
    /// - Returns: as many as in any other part, or one more or less; none when there are more parts than sessions.
    package static func numbers(ofPart part: Int, of parts: Int, sessions: Int) -> Range<Int> {
        precondition((1...max(1, parts)).contains(part), "a part is one of all")
        func start(_ index: Int) -> Int { index * (sessions / parts) + min(index, sessions % parts) }
        return start(part - 1)..<start(part)
    }

    /// The seed of a session.
    ///
    /// `number`: Of the session, from 0.
    ///
    /// - Returns: another one for each number.
    package static func seed(ofSession number: Int, seed: UInt64) -> UInt64 {
        var first = SplitMix64(state: seed)
        var second = SplitMix64(state: first.next() ^ UInt64(number))
        return second.next()
    }

    /// Simulates more of its sessions.
    ///
    /// `done`: Called after each.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, with nothing added.
    package mutating func run(_ numbers: Range<Int>, done: () -> Void = {}) throws {
        let simulator = try SessionSimulator(plan: plan, values: values, costs: costs)
        var part = self
        part.spans = numbers.isEmpty ? [] : [Span(from: numbers.lowerBound, to: numbers.upperBound)]
        part.tally = SessionTally()
        for number in numbers {
            try Task.checkCancellation()
            part.tally.add(simulator.run(seed: Self.seed(ofSession: number, seed: seed), pointsEvery: nil))
            done()
        }
        self = try Self.merged([self, part])
    }

    /// The parts as one, in whatever order they are.
    ///
    /// - Returns: what one run over all of their sessions would have come to.
    /// - Throws: ``Fault`` when they are of different runs, or have a session twice.
    package static func merged(_ parts: [SessionShard]) throws(Fault) -> SessionShard {
        guard var merged = parts.first else { throw .nothing }
        for part in parts.dropFirst() {
            if part.seed != merged.seed { throw .differentRuns("seeds") }
            if part.plan != merged.plan { throw .differentRuns("plans") }
            if part.values != merged.values { throw .differentRuns("devices' figures") }
            if part.costs != merged.costs { throw .differentRuns("costs") }
            if part.title != merged.title { throw .differentRuns("titles") }
            merged.tally.merge(part.tally)
        }
        var spans: [Span] = []
        for span in parts.flatMap(\.spans).sorted(by: { $0.from < $1.from }) {
            guard let last = spans.last, last.to >= span.from else {
                spans.append(span)
                continue
            }
            if last.to > span.from { throw .doubled(span.from) }
            spans[spans.count - 1].to = span.to
        }
        merged.spans = spans
        return merged
    }
}
