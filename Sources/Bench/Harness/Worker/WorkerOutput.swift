import Basics
import Foundation
import SpineDatasets
import Synchronization

/// Output of a worker's answers: encoded and written by a separate thread, so that no reading waits for it.
final class WorkerOutput: Sendable {
    private let queue = BlockingQueue<WorkerMessage>()
    private let done = DispatchSemaphore(value: 0)
    private let failure = Mutex<(any Error)?>(nil)
    /// Locked, as lines of two threads must not mix.
    private let handle: Mutex<FileHandle>
    /// Sent and not written yet.
    private let pending = Mutex(0)
    let memory = Mutex(MemoryMeter.own)

    /// Starts the thread, which calls `broken` once when it cannot write.
    init(_ handle: FileHandle, broken: @escaping @Sendable () -> Void = {}) {
        self.handle = Mutex(handle)
        Thread.detachNewThread {
            var memoryTaken: ContinuousClock.Instant?
            while let messages = self.queue.all() {
                var data = Data()
                do {
                    for message in messages { data += try Self.line(self.withMemory(message, since: &memoryTaken)) }
                    try self.handle.withLock { try $0.write(contentsOf: data) }
                    self.pending.withLock { $0 -= messages.count }
                } catch {
                    self.failure.withLock { $0 = error }
                    self.queue.close()
                    broken()
                    break
                }
            }
            self.done.signal()
        }
    }

    /// Messages about stray lines that may wait.
    private static let mostNoise = 1_000

    /// Sends a message; a reader that floods its output waits, so that its lines do not fill the memory.
    func send(_ message: WorkerMessage) {
        if case .noise = message {
            while pending.withLock({ $0 > Self.mostNoise }), failure.withLock({ $0 == nil }) { usleep(1_000) }
        }
        pending.withLock { $0 += 1 }
        queue.push(message)
    }

    /// Writes a message at once, after those sent before, so that its receiver does not wait for another thread too; not to
    /// be called while others send.
    func write(_ message: WorkerMessage) throws {
        guard pending.withLock({ $0 == 0 }) else { return send(message) }
        let line = try Self.line(message)
        try handle.withLock { try $0.write(contentsOf: line) }
    }

    func close() throws {
        queue.close()
        done.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Returns a message's line; the one that is sent most is put together without an encoder.
    private static func line(_ message: WorkerMessage) throws -> Data {
        if case .started(let sequence) = message { return Data("{\"started\":{\"sequence\":\(sequence)}}\n".utf8) }
        return try JSONLine.encode(message)
    }

    /// Adds the memory to some answers of a stream: reading it costs a system call.
    private func withMemory(_ message: WorkerMessage, since last: inout ContinuousClock.Instant?) -> WorkerMessage {
        let now = ContinuousClock.now
        guard case .result(let sequence, let milliseconds, let prediction, nil, let timing?) = message,
            last.map({ $0.duration(to: now) >= .milliseconds(100) }) ?? true
        else { return message }
        last = now
        return .result(
            sequence: sequence,
            milliseconds: milliseconds,
            prediction: prediction,
            memory: memory.withLock(\.self).read(),
            timing: timing
        )
    }
}
