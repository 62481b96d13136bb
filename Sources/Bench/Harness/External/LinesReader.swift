import Basics
import Foundation
import Synchronization

/// A reader that is a process, or several: requests go in and answers come out, a JSON object a line.
///
/// A process that ends, closes its output or takes too long fails the readings it has, and is started again.
package final class LinesReader: SystemUnderTest {
    private let groups: ProcessGroups
    private let timeout: Double
    private let lanes: [ReaderLane]
    /// Readings that each lane has now.
    private let load: Mutex<[Int]>

    private init(_ command: ReaderCommand) throws {
        let groups = try ProcessGroups()
        (self.groups, timeout) = (groups, command.timeout)
        lanes = (0..<command.lanes).map { _ in ReaderLane(command, groups) }
        load = Mutex(lanes.map { _ in 0 })
    }

    /// Starts the processes side by side, and returns the system when they are ready; one that does not start fails its
    /// readings.
    ///
    /// - Throws: when its folder cannot be made.
    package static func load(_ command: ReaderCommand) throws -> WorkerLoop.Loaded {
        let reader = try LinesReader(command)
        DispatchQueue.concurrentPerform(iterations: reader.lanes.count) { _ = try? reader.lanes[$0].connected() }
        let name = (try? reader.lanes[0].connected())?.reader
        let description = name.map { ["reader": $0] } ?? [:]
        return WorkerLoop.Loaded(system: reader, description: description, memory: reader.groups.meter)
    }

    package func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        let number = load.withLock { load in
            let least = load.indices.min { load[$0] < load[$1] } ?? 0
            load[least] += 1
            return least
        }
        defer { load.withLock { $0[number] -= 1 } }
        let lane = lanes[number]
        let connection = try lane.connected()
        let answer: ReaderAnswer
        do {
            answer = try groups.files.with(bytes, named: name) { try connection.ask($0, within: timeout) }
        } catch {
            connection.end(because: "was killed, as another reading failed: \(error)")
            // A failed reading has no latency, so the next one need not wait for the start.
            _ = try? lane.connected()
            throw error
        }
        return try answer.prediction()
    }

    /// Starts a process that has ended.
    package func conclude(_ prediction: inout Prediction) throws { for lane in lanes { _ = try? lane.connected() } }
}

/// A place of a process, which is started again when it has ended.
private final class ReaderLane: Sendable {
    private let command: ReaderCommand
    private let groups: ProcessGroups
    private let state = Mutex(State())

    private struct State {
        var connection: ReaderConnection?
        /// Starts in a row without a ready message.
        var failedStarts = 0
        var lastProblem = ""
    }

    /// Failed starts in a row after which readings fail at once.
    private static let mostFailedStarts = 3

    init(_ command: ReaderCommand, _ groups: ProcessGroups) { (self.command, self.groups) = (command, groups) }

    /// Returns a process that is ready.
    func connected() throws -> ReaderConnection {
        try state.withLock { state in
            if let connection = state.connection, connection.isOpen { return connection }
            state.connection?.end(because: "ended")
            state.connection = nil
            guard state.failedStarts < Self.mostFailedStarts else {
                throw ReaderFailure(
                    "not started again after \(Self.mostFailedStarts) failed starts in a row: \(state.lastProblem)"
                )
            }
            do {
                let connection = try ReaderConnection(command, groups)
                (state.connection, state.failedStarts) = (connection, 0)
                return connection
            } catch {
                state.failedStarts += 1
                state.lastProblem = "\(error)"
                throw error
            }
        }
    }
}

/// One process of a reader, and the requests that it has not answered.
private final class ReaderConnection: Sendable {
    private typealias Answers = BlockingQueue<Result<ReaderAnswer, ReaderFailure>>

    /// Name and version as the process states them.
    let reader: String
    private let child: ChildProcess
    private let groups: ProcessGroups
    private let requests: Requests

    /// Time in which a process that has closed its input or its output should end, which then is the reason.
    private static let grace = 0.5

    /// Requests by their numbers, and the end of the process.
    private final class Requests: Sendable {
        struct State {
            var open: [Int: Answers] = [:]
            var last = 0
            /// Reason why the process was killed, or ended; nil while it works.
            var end: String?
        }

        let state = Mutex(State())
        let ready = Answers()

        func close(because reason: String, after seconds: Double) {
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { self.close(because: reason) }
        }

        /// Fails what is open, and what is asked from now on; an earlier reason remains.
        func close(because reason: String) {
            let (open, reason) = state.withLock { state in
                state.end = state.end ?? reason
                defer { state.open = [:] }
                return (Array(state.open.values), state.end ?? reason)
            }
            for answers in open + [ready] { answers.push(.failure(ReaderFailure("the reader \(reason)"))) }
        }
    }

    /// Starts the process.
    ///
    /// - Throws: `ReaderFailure` when it ends or takes too long before it is ready.
    init(_ command: ReaderCommand, _ groups: ProcessGroups) throws {
        let requests = Requests()
        let child = try ChildProcess(
            command.launch,
            environment: command.variables,
            line: { line in
                guard line.count < LineSplitter.standardLimit else {
                    return requests.close(because: "wrote a line of more than \(LineSplitter.standardLimit >> 20) MB")
                }
                Self.take(line, requests, command.report)
            },
            closed: { requests.close(because: "closed its standard output", after: Self.grace) },
            ended: { requests.close(because: "\($0)") }
        )
        groups.add(child.id)
        (self.child, self.groups, self.requests) = (child, groups, requests)
        let deadline = ContinuousClock.now + .seconds(command.startTimeout)
        switch requests.ready.next(until: deadline) {
        case .success(let answer)?: reader = answer.reader ?? ""
        case .failure(let failure)?:
            groups.end(child.id)
            throw failure
        case nil:
            groups.end(child.id)
            throw ReaderFailure("the reader was not ready within \(NumberText.short(command.startTimeout)) s")
        }
    }

    var isOpen: Bool { requests.state.withLock { $0.end == nil } }

    /// Kills the process and what it started; does nothing if that was done.
    func end(because reason: String) {
        requests.close(because: reason)
        groups.end(child.id)
        try? child.input.close()
    }

    /// Has the picture in a file read.
    func ask(_ path: String, within seconds: Double) throws -> ReaderAnswer {
        let answers = Answers()
        let id = try requests.state.withLock { state in
            if let end = state.end { throw ReaderFailure("the reader \(end)") }
            state.last += 1
            state.open[state.last] = answers
            // Within the lock, so that two lines do not mix.
            let line = Data("{\"id\":\(state.last),\"image\":\"\(path)\"}\n".utf8)
            if (try? child.input.write(contentsOf: line)) == nil {
                requests.close(because: "closed its standard input", after: Self.grace)
            }
            return state.last
        }
        guard let answer = answers.next(until: .now + .seconds(seconds)) else {
            requests.state.withLock { $0.open[id] = nil }
            throw WorkerFailure.silent(seconds: seconds)
        }
        return try answer.get()
    }

    private static func take(_ line: [UInt8], _ requests: Requests, _ report: (String) -> Void) {
        let text = String(decoding: line.prefix(200), as: UTF8.self)
        guard let answer = ReaderAnswer(line) else {
            if !line.isEmpty { report("a line that is not a JSON object: \(text)") }
            return
        }
        if answer.reader != nil { return requests.ready.push(.success(answer)) }
        let answers = requests.state.withLock { state in
            // An invalid answer has no number, and needs none where one reading is asked for at a time.
            let id = answer.isInvalid && state.open.count == 1 ? state.open.keys.first : answer.id
            return id.flatMap { state.open.removeValue(forKey: $0) }
        }
        guard let answers else { return report("an answer to no open request: \(text)") }
        answers.push(.success(answer))
    }
}
