import Basics

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
                "the parts are of different runs: they differ in their \(what); merge parts of one run only"
            case .doubled(let session):
                "session \(session) is in two parts: give each part once"
            case .nothing: "there are no parts to merge"
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

    /// None of its sessions yet.
    ///
    /// - Parameters:
    ///   - simulator: runs them.
    ///   - seed: that all sessions' seeds are made of.
    ///   - title: what the device and the costs are, for people.
    package init(_ simulator: SessionSimulator, seed: UInt64, title: String) {
        plan = simulator.plan
        values = simulator.values
        costs = simulator.costs
        self.seed = seed
        self.title = title
    }

    /// The sessions of a part.
    ///
    /// - Parameters:
    ///   - part: from 1.
    ///   - parts: how many there are.
    ///   - sessions: in all.
    /// - Returns: as many as in any other part, or one more or less; none when there are more parts than sessions.
    package static func numbers(ofPart part: Int, of parts: Int, sessions: Int) -> Range<Int> {
        precondition((1...max(1, parts)).contains(part), "a part is one of all")
        func start(_ index: Int) -> Int { index * (sessions / parts) + min(index, sessions % parts) }
        return start(part - 1)..<start(part)
    }

    /// The seed of a session.
    ///
    /// - Parameters:
    ///   - number: of the session, from 0.
    ///   - seed: of all sessions.
    /// - Returns: another one for each number.
    package static func seed(ofSession number: Int, seed: UInt64) -> UInt64 {
        var first = SplitMix64(state: seed)
        var second = SplitMix64(state: first.next() ^ UInt64(number))
        return second.next()
    }

    /// Simulates more of its sessions.
    ///
    /// - Parameters:
    ///   - numbers: of sessions that are not there yet.
    ///   - done: called after each.
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
    /// - Parameter parts: of one run.
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
