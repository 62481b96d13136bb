import Evaluation
import Foundation
import SpineDatasets
import Synchronization
import TestSupport
import Testing

@testable import Harness

/// The worker's side of a stream.
@Suite(.tags(.io), .inTurns) struct StreamTests {
    /// Recorder of the order in which names were read, and of the number of simultaneous readings.
    private final class Recorder: SystemUnderTest {
        private let state = Mutex((names: [String](), now: 0, most: 0))

        var names: [String] { state.withLock { $0.names } }
        var most: Int { state.withLock { $0.most } }

        func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
            state.withLock {
                $0.names.append(name)
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            usleep(2_000)
            state.withLock { $0.now -= 1 }
            if bytes.isEmpty { throw ReaderFailure(name) }
            return Prediction(lines: [.init(text: name)])
        }
    }

    private func run(_ requests: [WorkerRequest], system: any SystemUnderTest) throws -> [WorkerMessage] {
        let (input, output) = (Pipe(), Pipe())
        let collected = Collected<WorkerMessage>()
        let reader = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var splitter = LineSplitter()
            while true {
                let data = output.fileHandleForReading.availableData
                if data.isEmpty { break }
                for line in splitter.take(data) {
                    if let message = JSONLine.decode(WorkerMessage.self, from: line) { collected.add(message) }
                    // All readings are done: the worker may go.
                    let done = collected.values.count { if case .result = $0 { true } else { $0.isFailure } }
                    if done == requests.reduce(0, { $0 + $1.count }) { try? input.fileHandleForWriting.close() }
                }
            }
            reader.signal()
        }
        for request in requests { try input.fileHandleForWriting.write(contentsOf: JSONLine.encode(request)) }
        try WorkerLoop(input: input.fileHandleForReading, output: output.fileHandleForWriting)
            .run { _ in .init(system: system, description: [:]) }
        try output.fileHandleForWriting.close()
        reader.wait()
        return collected.values
    }

    private func pictures(_ names: [String], in folder: TemporaryFolder) throws -> [WorkerPicture] {
        try names.map { name in
            try folder.write(name == "empty" ? "" : "x", name)
            return WorkerPicture(path: folder.path + "/" + name, name: name)
        }
    }

    @Test func oneLaneReadsFirstInFirstOutAndNotBeforeItIsDue() throws {
        let folder = try TemporaryFolder()
        let system = Recorder()
        let messages = try run(
            [
                .stream(lanes: 1, pictures: pictures(["a", "b", "empty"], in: folder)),
                .enqueue(requests: [
                    StreamRequest(sequence: 0, picture: 1), StreamRequest(sequence: 1, picture: 2),
                ]),
                .enqueue(requests: [StreamRequest(sequence: 2, picture: 0, dueSeconds: 0.05)]),
            ],
            system: system
        )
        #expect(system.names == ["b", "empty", "a"] && system.most == 1)
        #expect(messages.contains(.streaming(pictures: 3, bytes: 2, problem: nil)))
        let started = messages.compactMap { if case .started(let sequence) = $0 { sequence } else { nil } }
        #expect(started == [0, 1, 2])
        guard case .result(2, _, let prediction, _, let timing?) = messages.last else {
            Issue.record("\(messages)")
            return
        }
        #expect(prediction.text == "a" && timing.startSeconds >= 0.05 && timing.endSeconds > timing.startSeconds)
        // Memory comes with the first answer and not with each.
        #expect(messages.count { if case .result(_, _, _, _?, _) = $0 { true } else { false } } == 1)
    }

    @Test func aPictureThatIsMissingIsTold() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/missing"
        let (input, output) = (Pipe(), Pipe())
        let request = WorkerRequest.stream(lanes: 1, pictures: [WorkerPicture(path: path, name: "m")])
        try input.fileHandleForWriting.write(contentsOf: JSONLine.encode(request))
        try input.fileHandleForWriting.close()
        try WorkerLoop(input: input.fileHandleForReading, output: output.fileHandleForWriting)
            .run { _ in .init(system: Recorder(), description: [:]) }
        try output.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.contains("\(path): the file cannot be read"))
    }

    @Test func whatHasNotBegunIsDropped() {
        let queue = StreamQueue { _ in }
        queue.append((0..<6).map { StreamRequest(sequence: $0, picture: 0) })
        #expect(queue.take()?.request.sequence == 0)
        #expect(queue.drop() == 5)
        #expect(queue.drop() == 0)
        queue.close()
        #expect(queue.take() == nil)
    }
}

extension WorkerRequest {
    /// Readings that it asks for.
    fileprivate var count: Int { if case .enqueue(let requests) = self { requests.count } else { 0 } }
}

extension WorkerMessage {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
