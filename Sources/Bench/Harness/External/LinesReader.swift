import Basics
package import Evaluation
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

    /// Starts the processes side by side, and returns the system when they are ready; one of several that does not start
    /// fails its readings.
    ///
    /// - Throws: `ReaderFailure` when none starts; another error when its folder cannot be made.
    package static func load(_ command: ReaderCommand) throws -> WorkerLoop.Loaded {
        let reader = try LinesReader(command)
        let started = Mutex<[Result<String, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: reader.lanes.count) { number in
            let name = Result { try reader.lanes[number].process().name }
            started.withLock { $0.append(name) }
        }
        let names = started.withLock { $0 }
        let name = try (names.first { (try? $0.get()) != nil } ?? names[0]).get()
        return WorkerLoop.Loaded(system: reader, description: ["reader": name], memory: reader.groups.meter)
    }

    package func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        let number = load.withLock { load in
            let least = load.indices.min { load[$0] < load[$1] } ?? 0
            load[least] += 1
            return least
        }
        defer { load.withLock { $0[number] -= 1 } }
        let lane = lanes[number]
        let process = try lane.process()
        let answer: ReaderAnswer
        do {
            answer = try groups.files.with(bytes, named: name) { try process.ask($0, within: timeout) }
        } catch {
            process.end(because: "was killed, as another reading failed: \(error)", owner: FaultOwner(error))
            // A failed reading has no latency, so the next one need not wait for the start.
            _ = try? lane.process()
            throw error
        }
        return try answer.prediction()
    }

    /// Starts a process that has ended.
    package func conclude(_ prediction: inout Prediction) throws { for lane in lanes { _ = try? lane.process() } }
}

/// A place of a process, which is started again when it has ended.
private final class ReaderLane: Sendable {
    private let command: ReaderCommand
    private let groups: ProcessGroups
    private let state = Mutex(State())

    private struct State {
        var process: ReaderProcess?
        /// Starts in a row without a ready message.
        var failedStarts = 0
        var failedSeconds = 0.0
        /// Reason for which no other process is started.
        var end: ReaderFailure?
    }

    /// Failed starts in a row after which readings fail at once; also after the time that one start may take.
    private static let mostFailedStarts = 3

    init(_ command: ReaderCommand, _ groups: ProcessGroups) { (self.command, self.groups) = (command, groups) }

    /// Returns a process that is ready.
    func process() throws -> ReaderProcess {
        try state.withLock { state in
            if let process = state.process, process.isOpen { return process }
            state.process?.end(because: "ended")
            state.end = state.end ?? state.process?.refusal
            state.process = nil
            if let end = state.end { throw end }
            let start = ContinuousClock.now
            do {
                let process = try ReaderProcess(command, groups)
                (state.process, state.failedStarts, state.failedSeconds) = (process, 0, 0)
                return process
            } catch {
                state.failedStarts += 1
                state.failedSeconds += start.duration(to: .now).milliseconds / 1_000
                if state.failedStarts >= Self.mostFailedStarts || state.failedSeconds >= command.startTimeout {
                    let starts = NumberText.count(state.failedStarts, "failed start")
                    state.end = ReaderFailure("not started again after \(starts): \(error)", owner: FaultOwner(error))
                }
                throw error
            }
        }
    }
}

/// One process of a reader, and the requests that it has not answered.
private final class ReaderProcess: Sendable {
    private typealias Answers = BlockingQueue<Result<ReaderAnswer, ReaderFailure>>

    private struct State {
        /// Requests by their numbers; the ready message answers number 0.
        var open: [Int: Answers]
        var last = 0
        /// Name and version as the process states them; nil before its ready message.
        var name: String?
        var hasAnswered = false
        /// Reason why the process was killed, or ended; nil while it works.
        var end: ReaderFailure?
        /// Reason for which the process is not started again.
        var refusal: ReaderFailure?
        /// The first line since the last answer that is none, and the number of such lines before the ready message.
        var stray: StrayLine?
        var straysBeforeReady = 0
    }

    private let child: ChildProcess
    private let groups: ProcessGroups
    private let report: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// Time in which a process that has closed its input or its output should end, which then is the reason.
    private static let grace = 0.5
    /// Time in which an answer may follow a line that was meant as one.
    private static let answerGrace = 2.0
    /// Lines before the ready message after which the reader is refused.
    private static let mostStrays = 1_000

    /// Starts the process.
    ///
    /// - Throws: `ReaderFailure` when it ends or takes too long before it is ready.
    init(_ command: ReaderCommand, _ groups: ProcessGroups) throws {
        let ready = Answers()
        (self.groups, report) = (groups, command.report)
        state = Mutex(State(open: [0: ready]))
        child = ChildProcess(command.launch, environment: command.variables)
        try child.start { [weak self] in self?.take($0) }
        groups.add(child)
        let answer = ready.next(until: .now + .seconds(command.startTimeout))
        if case .success? = answer { return }
        groups.end(child)
        throw refusal ?? failure(of: answer, command)
    }

    var name: String { state.withLock { $0.name ?? "" } }

    var isOpen: Bool { state.withLock { $0.end == nil } }

    /// Why no other process is started; nil when one may be.
    var refusal: ReaderFailure? { state.withLock { $0.refusal } }

    /// Has the picture in a file read.
    func ask(_ path: String, within seconds: Double) throws -> ReaderAnswer {
        let answers = Answers()
        let id = try state.withLock { state in
            if let end = state.end { throw end }
            state.last += 1
            state.open[state.last] = answers
            // Within the lock, so that two lines do not mix.
            let line = Data("{\"id\":\(state.last),\"image\":\"\(path)\"}\n".utf8)
            if (try? child.input.write(contentsOf: line)) == nil {
                close(because: "closed its standard input", after: Self.grace)
            }
            return state.last
        }
        guard let answer = answers.next(until: .now + .seconds(seconds)) else {
            let stray = state.withLock { state in
                state.open[id] = nil
                return state.stray.map { "; it printed: \($0.text) (\($0.remedy))" }
            }
            throw ReaderFailure("\(ReaderFailure.silent(seconds: seconds))\(stray ?? "")")
        }
        return try answer.get()
    }

    /// Kills the process and what it started; does nothing if that was done.
    func end(because reason: String, owner: FaultOwner? = nil) {
        close(because: reason, owner: owner)
        groups.end(child)
        try? child.input.close()
    }

    // MARK: Output

    private func take(_ output: ChildProcess.Output) {
        switch output {
        case .line(let line) where line.count >= LineSplitter.standardLimit:
            close(because: "wrote a line of more than \(LineSplitter.standardLimit >> 20) MB")
        case .line(let line): take(line)
        case .closed: close(because: "closed its standard output", after: Self.grace)
        case .ended(let end): close(because: reason(of: end), owner: end.owner)
        }
    }

    private func take(_ line: [UInt8]) {
        guard !line.allSatisfy({ $0 <= 0x20 }) else { return }
        let answer = ReaderAnswer(line)
        let answers = state.withLock { state -> Answers? in
            guard let answer, answer.reader != nil || state.name != nil else { return nil }
            state.name = answer.reader ?? state.name
            // An invalid answer has no number, and needs none where one reading is asked for at a time.
            let isOnly = answer.problem != nil && state.open.count == 1
            let id = answer.reader != nil ? 0 : isOnly ? state.open.keys.first : answer.id
            guard let answers = id.flatMap({ state.open.removeValue(forKey: $0) }) else { return nil }
            (state.stray, state.hasAnswered) = (nil, answer.reader == nil)
            return answers
        }
        if let answer, let answers { return answers.push(.success(answer)) }
        if answer?.reader != nil { return }
        strayed(StrayLine(line, problem: answer.map { $0.problem ?? "its id is not that of an open request" }))
        let what = answer == nil ? "a line that is not a JSON object" : "an answer to no open request"
        report("\(what): \(String(decoding: line.prefix(200), as: UTF8.self))")
    }

    /// Takes a line that is not a message: a line meant as the ready message refuses the reader at once, one that was
    /// meant as an answer does so if none follows.
    private func strayed(_ line: StrayLine) {
        let delay = state.withLock { state -> Double? in
            state.stray = state.stray ?? line
            if state.name != nil {
                let isMeant = line.mentions("lines", "text", "error") && !state.hasAnswered && !state.open.isEmpty
                return isMeant ? Self.answerGrace : nil
            }
            state.straysBeforeReady += 1
            return line.mentions("ready") || state.straysBeforeReady > Self.mostStrays ? 0 : nil
        }
        guard let delay else { return }
        if delay == 0 { return refuse(line) }
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) {
            if self.state.withLock({ !$0.hasAnswered }) { self.refuse(line) }
        }
    }

    private func refuse(_ line: StrayLine) {
        let reason = state.withLock { state in
            // The first line of a message over several ones, and of a flood.
            let shown = line.remedy == state.stray?.remedy ? state.stray ?? line : line
            let reason = "printed a line that is not an answer: \(shown.text) (\(line.remedy))"
            if state.end == nil { state.refusal = ReaderFailure("the reader \(reason)") }
            return reason
        }
        close(because: reason)
    }

    // MARK: End

    private func close(because reason: String, after seconds: Double) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
            if !self.child.hasExited { self.close(because: reason) }
        }
    }

    /// Fails what is open, and what is asked from now on; an earlier reason remains.
    private func close(because reason: String, owner: FaultOwner? = nil) {
        let failure = ReaderFailure("the reader \(reason)", owner: owner)
        let (open, end) = state.withLock { state in
            state.end = state.end ?? failure
            defer { state.open = [:] }
            return (Array(state.open.values), state.end ?? failure)
        }
        for answers in open { answers.push(.failure(end)) }
    }

    /// "ended before its ready message, with exit code 7", or "exited with code 7; its last output: no model".
    private func reason(of end: WorkerEnd) -> String {
        let memory = end.cause == .signal(SIGKILL) ? ", as the system does when memory runs out" : ""
        guard state.withLock({ $0.name == nil }) else { return "\(end)\(memory)" }
        let how =
            switch end.cause {
            case .exit(code: 0): ""
            case .exit(let code): ", with exit code \(code)"
            case .signal(let signal): ", killed by \(SignalName.of(signal))"
            }
        return "ended before its ready message\(how)\(memory)"
    }

    /// Why the process is not ready: with the first line that is not a message, or else the last one of standard error.
    private func failure(of answer: Result<ReaderAnswer, ReaderFailure>?, _ command: ReaderCommand) -> ReaderFailure {
        let error = child.lastErrors.last { !$0.allSatisfy(\.isWhitespace) }
        let printed = state.withLock { $0.stray?.text } ?? error
        let hint = command.isGuessed ? ". A command for single pictures contains \(EachReader.placeholder)" : ""
        if case .failure(let failure)? = answer {
            let printed = printed.map { "; it printed: \($0)" } ?? ""
            return ReaderFailure(failure.description + printed + hint, owner: failure.owner)
        }
        let late = "the reader was not ready within \(NumberText.short(command.startTimeout)) s; it printed"
        let others = command.isGuessed ? "; another one first prints {\"ready\": {}}, then JSON lines" : ""
        return ReaderFailure(late + (printed.map { ": \($0)" } ?? " nothing") + hint + others)
    }
}
