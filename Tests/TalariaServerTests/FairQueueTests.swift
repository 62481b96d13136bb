import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns, .endsWhatHangs) struct FairQueueTests {
    private final class Order: Sendable {
        private let state = Mutex<[String]>([])

        func append(_ name: String) { state.withLock { $0.append(name) } }
        var names: [String] { state.withLock { $0 } }
    }

    @Test func whoHadTheLeastGoesFirst() async throws {
        let queue = FairQueue(label: "test", width: 1)
        let (gate, order) = (Gate(), Order())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await queue.run(for: "greedy") { gate.wait() } }
            await gate.untilWaiting(1)
            for index in 0..<5 {
                group.addTask { try await queue.run(for: "greedy") { order.append("greedy") } }
                try await until { queue.waiting == index + 1 }
            }
            group.addTask { try await queue.run(for: "modest") { order.append("modest") } }
            try await until { queue.waiting == 6 }
            gate.open()
            try await group.waitForAll()
        }
        #expect(order.names == ["modest", "greedy", "greedy", "greedy", "greedy", "greedy"])
    }

    @Test func nobodyHasAllThreads() async throws {
        let queue = FairQueue(label: "test", width: 3)
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await queue.run(for: "greedy") { gate.wait() } } }
            await gate.untilWaiting(2)
            // Not held up by the four.
            #expect(try await queue.run(for: "modest") { 7 } == 7)
            #expect(gate.waiting == 2)
            #expect(queue.waiting == 2)
            gate.open()
            try await group.waitForAll()
        }
        #expect(queue.waiting == 0)
    }

    @Test func whatIsCancelledInLineIsNotDone() async throws {
        let queue = FairQueue(label: "test", width: 1)
        let (gate, order) = (Gate(), Order())
        let first = Task { try await queue.run(for: "a") { gate.wait() } }
        await gate.untilWaiting(1)
        let second = Task { try await queue.run(for: "b") { order.append("b") } }
        try await until { queue.waiting == 1 }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(queue.waiting == 0)
        gate.open()
        try await first.value
        #expect(order.names.isEmpty)
    }

    @Test func whatIsCancelledAtWorkCanTell() async throws {
        let queue = FairQueue(label: "test", width: 1)
        let begun = SharedFlag()
        let task = Task {
            try await queue.run(for: "a") {
                begun.set()
                while !Task.isCancelled { usleep(200) }
                try Task.checkCancellation()
            }
        }
        try await until { begun.isSet }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func whatIsThrownIsPassedOnAndItsPlaceIsFree() async throws {
        struct Failure: Error {}
        let queue = FairQueue(label: "test", width: 1)
        await #expect(throws: Failure.self) { try await queue.run(for: "a") { throw Failure() } }
        #expect(try await queue.run(for: "a") { 1 } == 1)
    }
}
