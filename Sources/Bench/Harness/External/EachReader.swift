import Basics
package import Evaluation
import Foundation

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
            return Prediction(lines: Self.lines(of: try output(of: command, input)).map { .init(text: $0) })
        }
    }

    /// Runs a command to its end, and returns what it wrote.
    private func output(of command: ReaderCommand, _ input: FileHandle) throws -> [[UInt8]] {
        let outputs = BlockingQueue<ChildProcess.Output>()
        let child = ChildProcess(command.launch, environment: command.variables, file: input)
        try child.start { outputs.push($0) }
        groups.add(child)
        defer { groups.end(child) }
        var (lines, bytes) = ([[UInt8]](), 0)
        let deadline = ContinuousClock.now + .seconds(command.timeout)
        var nextSample = ContinuousClock.now + Self.sampleIntervals.first
        while true {
            switch outputs.next(until: min(deadline, nextSample)) {
            case .line(let line):
                lines.append(line)
                bytes += line.count
                guard bytes <= ReaderAnswer.longestText else {
                    throw ReaderFailure("the command wrote more than \(ReaderAnswer.longestText >> 10) KB of text")
                }
            case .ended(let end):
                guard end.cause == .exit(code: 0) else {
                    let last = WorkerEnd(cause: end.cause, lastErrors: end.lastErrors.suffix(1))
                    throw ReaderFailure("the command \(last)", owner: end.owner)
                }
                return lines
            case .closed, nil: break
            }
            let now = ContinuousClock.now
            guard now < deadline else { throw ReaderFailure.silent(seconds: command.timeout) }
            guard now >= nextSample else { continue }
            groups.sample()
            nextSample = now + Self.sampleIntervals.later
        }
    }

    /// Returns the lines that are not blank, without byte order marks; those of UTF-16 with one become UTF-8.
    private static func lines(of output: [[UInt8]]) -> [String] {
        let bytes = Array(output.joined(separator: [0x0A]))
        return (bytes.utf8OfMarkedUTF16 ?? bytes).split(separator: 0x0A).map { line in
            String(decoding: line.withoutByteOrderMark, as: UTF8.self).withoutControls
                .trimmingCharacters(in: .whitespaces)
        }.filter { !$0.isEmpty }
    }
}
