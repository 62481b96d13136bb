import Basics
import Evaluation
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness

/// Time that the harness itself takes of a reading: a system that does nothing, read by the harness's own worker over pipes.
@Suite(.inTurns) struct OverheadTests {
    private struct Nothing: SystemUnderTest {
        func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) -> Prediction {
            Prediction(lines: [])
        }
    }

    /// In a stream with one lane, as 'offline' has it: inside the timed interval, and the wall time of each reading.
    @Test(.measured) func aReadingCostsTwentyMicroseconds() throws {
        let folder = try TemporaryFolder()
        try folder.write([0], "picture")
        let (input, output) = (Pipe(), Pipe())
        Thread.detachNewThread {
            try? WorkerLoop(input: input.fileHandleForReading, output: output.fileHandleForWriting)
                .run { _ in WorkerLoop.Loaded(system: Nothing(), description: [:]) }
            try? output.fileHandleForWriting.close()
        }
        let count = 20_000
        func send(_ request: WorkerRequest) throws {
            try input.fileHandleForWriting.write(contentsOf: JSONLine.encode(request))
        }
        try send(.stream(lanes: 1, pictures: [WorkerPicture(path: folder("picture"), name: "null")]))
        try send(.enqueue(requests: (0..<count).map { StreamRequest(sequence: $0, picture: 0) }))
        var inside: [Double] = []
        var end = 0.0
        LineSplitter.lines(of: output.fileHandleForReading) { line in
            guard case .result(_, let milliseconds, _, _, let timing?) = JSONLine.decode(WorkerMessage.self, from: line)
            else { return }
            inside.append(milliseconds * 1_000)
            end = timing.endSeconds
            if inside.count == count { try? input.fileHandleForWriting.close() }
        }
        #expect(inside.count == count)
        let (median, wall) = (Percentile.nearestRank(50, of: inside.sorted()), end * 1e6 / Double(count))
        print("µs a reading: \(median) inside the timed interval, \(wall) in all")
        #expect(median <= 20 && wall <= 20)
    }
}
