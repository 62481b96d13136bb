import Basics
import Foundation
import Synchronization

/// A reader whose command is started for every picture: its standard output is text, a line of the spine per line.
///
/// `{image}` in the command is the path of a file with the picture; without it, the picture is the standard input.
package final class EachReader: SystemUnderTest {
    package static let placeholder = "{image}"

    private let command: ReaderCommand
    private let groups: ProcessGroups

    /// Times of the first sample of a command's memory, and between two.
    private static let sampleIntervals = (first: Duration.milliseconds(2), later: Duration.milliseconds(10))

    private init(_ command: ReaderCommand) throws { (self.command, groups) = (command, try ProcessGroups()) }

    /// Returns the system; nothing is started before the first picture.
    ///
    /// - Throws: when its folder cannot be made.
    package static func load(_ command: ReaderCommand) throws -> WorkerLoop.Loaded {
        let reader = try EachReader(command)
        var meter = reader.groups.meter
        // It takes samples itself, while its command runs.
        meter.sample = {}
        return WorkerLoop.Loaded(system: reader, description: [:], memory: meter)
    }

    package func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        try groups.files.with(bytes, named: name) { path in
            let takesPath = command.line.contains(Self.placeholder)
            var command = command
            command.line.replace(Self.placeholder, with: path)
            let input = try FileHandle(forReadingFrom: URL(filePath: takesPath ? "/dev/null" : path))
            let lines = try output(of: command, input)
            return Prediction(lines: lines.map { Prediction.Line(text: $0) })
        }
    }

    /// Runs a command to its end, and returns its lines that are not blank.
    private func output(of command: ReaderCommand, _ input: FileHandle) throws -> [String] {
        let text = OutputText()
        let ends = BlockingQueue<WorkerEnd>()
        let child = try ChildProcess(
            command.launch,
            environment: command.variables,
            file: input,
            line: { text.add($0) },
            ended: { ends.push($0) }
        )
        groups.add(child.id)
        defer { groups.end(child.id) }
        let deadline = ContinuousClock.now + .seconds(command.timeout)
        var interval = Self.sampleIntervals.first
        while true {
            let now = ContinuousClock.now
            if let end = ends.next(until: min(deadline, now + interval)) {
                guard end.cause == .exit(code: 0) else {
                    let last = WorkerEnd(cause: end.cause, lastErrors: end.lastErrors.suffix(1))
                    throw ReaderFailure("the command \(last)")
                }
                try text.check()
                return text.lines
            }
            guard now < deadline else { throw WorkerFailure.silent(seconds: command.timeout) }
            groups.sample()
            interval = Self.sampleIntervals.later
            // A command that never stops writing is ended here.
            try text.check()
        }
    }
}

/// Text that a command has written so far.
private final class OutputText: Sendable {
    private let state = Mutex((lines: [[UInt8]](), bytes: 0))

    private static let limit = ReaderAnswer.longestText

    func add(_ line: [UInt8]) {
        state.withLock { state in
            state.bytes += line.count
            if state.bytes <= Self.limit { state.lines.append(line) }
        }
    }

    /// - Throws: `ReaderFailure` when the text is too long.
    func check() throws {
        guard state.withLock({ $0.bytes <= Self.limit }) else {
            throw ReaderFailure("the command wrote more than \(Self.limit >> 10) KB of text")
        }
    }

    /// Lines that are not blank, without byte order marks; those of UTF-16 with one become UTF-8.
    var lines: [String] {
        let bytes = Array(state.withLock(\.lines).joined(separator: [0x0A]))
        return (bytes.utf8OfMarkedUTF16 ?? bytes).split(separator: 0x0A).map { line in
            String(decoding: line.withoutByteOrderMark, as: UTF8.self).withoutControls
                .trimmingCharacters(in: .whitespaces)
        }.filter { !$0.isEmpty }
    }
}
