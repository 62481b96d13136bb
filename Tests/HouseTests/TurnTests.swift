import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// Tests that block their threads, more of them than there are threads of the concurrency runtime.
@Suite(.inTurns, .endsWhatHangs) struct TurnTests {
    private static let running = Mutex((now: 0, most: 0))

    /// Blocks until a task of the runtime's own threads has run: a test that blocked one of those would wait for ever.
    @Test(arguments: 0..<64)
    func aTestThatBlocksKeepsNoTaskWaiting(_ number: Int) {
        Self.running.withLock { running in
            running.now += 1
            running.most = max(running.most, running.now)
        }
        let done = DispatchSemaphore(value: 0)
        Task { done.signal() }
        done.wait()
        #expect(
            Self.running.withLock { running in
                running.now -= 1
                return running.most
            } <= max(4, ProcessInfo.processInfo.activeProcessorCount)
        )
    }
}
