import Evaluation
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.io), .inTurns) struct WorkerLoopTests {
    /// System that answers with the size of the file, and throws at an empty one.
    private struct Counter: SystemUnderTest {
        struct Empty: Error {}

        func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
            if bytes.isEmpty { throw Empty() }
            return Prediction(lines: [.init(text: "\(name): \(bytes.count)")])
        }
    }

    private func answers(
        to requests: [WorkerRequest],
        load: () throws -> WorkerLoop.Loaded
    ) throws -> [WorkerMessage] {
        let (input, output) = (Pipe(), Pipe())
        for request in requests { try input.fileHandleForWriting.write(contentsOf: JSONLine.encode(request)) }
        try input.fileHandleForWriting.close()
        try WorkerLoop(input: input.fileHandleForReading, output: output.fileHandleForWriting).run(load: { _ in
            try load()
        })
        try output.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        return try data.split(separator: 0x0A).map { try JSONDecoder().decode(WorkerMessage.self, from: $0) }
    }

    @Test func aWorkerAnswersInOrderUntilItsInputEnds() throws {
        let folder = try TemporaryFolder()
        try folder.write("12345", "a")
        try folder.write("", "empty")
        let messages = try answers(to: [
            .read(sequence: 1, path: folder.path + "/a", name: "a"), .begin,
            .read(sequence: 2, path: folder.path + "/empty", name: "empty"),
            .read(sequence: 3, path: folder.path + "/missing", name: "missing"),
        ]) { .init(system: Counter(), description: ["engine": "counter"]) }
        try #require(messages.count == 5)
        guard case .ready(["engine": "counter"], let loading, _) = messages[0] else {
            Issue.record("not ready: \(messages[0])")
            return
        }
        #expect(loading >= 0)
        guard case .result(1, let milliseconds, let prediction, _, nil) = messages[1] else {
            Issue.record("no result: \(messages[1])")
            return
        }
        #expect(milliseconds > 0)
        #expect(prediction.text == "a: 5")
        guard case .began = messages[2], case .failure(2, _, let empty, _, nil, .picture) = messages[3],
            case .failure(3, _, let reason, _, nil, .picture) = messages[4]
        else {
            Issue.record("\(messages)")
            return
        }
        #expect(empty == "Empty(); empty: the file is empty; expected a PNG, JPEG or HEIC image")
        #expect(reason == "\(folder.path)/missing: the file cannot be read")
    }

    @Test func aPartOfAFileIsReadAndARequestWithoutOneIsAsItWas() throws {
        let folder = try TemporaryFolder()
        try folder.write("123456789", "shard.tar")
        let part = FilePart(offset: 2, length: 4)
        let messages = try answers(to: [
            .read(sequence: 1, path: folder("shard.tar"), name: "a", part: part),
            .read(sequence: 2, path: folder("shard.tar"), name: "b", part: FilePart(offset: 2, length: 400)),
            .stream(lanes: 1, pictures: [WorkerPicture(path: folder("shard.tar"), part: part, name: "c")]),
        ]) { .init(system: Counter(), description: [:]) }
        try #require(messages.count == 4)
        guard case .result(1, _, let prediction, _, nil) = messages[1], case .failure(2, _, _, _, nil, _) = messages[2]
        else {
            Issue.record("\(messages)")
            return
        }
        #expect(prediction.text == "a: 4")
        #expect(messages[3] == .streaming(pictures: 1, bytes: 4, problem: nil))
        // Programs of before are compared with this one.
        let line = try JSONLine.encode(WorkerRequest.read(sequence: 1, path: "p", name: "n"))
        #expect(String(decoding: line, as: UTF8.self) == #"{"read":{"name":"n","path":"p","sequence":1}}"# + "\n")
    }

    @Test func aSystemThatCannotBeLoadedIsUnavailable() throws {
        let messages = try answers(to: []) {
            throw HarnessError.configuration("no model in .deps: run make setup")
        }
        #expect(messages == [.unavailable(reason: "no model in .deps: run make setup")])
    }

    @Test func aSystemThatReadsPicturesSaysThatItScansNoFrames() throws {
        let request = LiveRequest(spines: [], framesPerSecond: 30, seed: 1)
        let messages = try answers(to: [.scanLive(request)]) { .init(system: Counter(), description: [:]) }
        try #require(messages.count == 2)
        guard case .scannedLive(nil, let problem?) = messages[1] else {
            Issue.record("no refusal: \(messages[1])")
            return
        }
        #expect(problem.contains("reads pictures, not frames"))
    }
}
