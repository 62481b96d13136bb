import Dispatch
package import Foundation
import Synchronization

/// A queue from one thread to another whose reader can wait with a limit.
package final class BlockingQueue<Element: Sendable>: Sendable {
    private struct State {
        var pushed: [Element] = []
        /// The elements before those, last one first: taking one does not move the others.
        var next: [Element] = []
        var isClosed = false

        mutating func take() -> Element? {
            if next.isEmpty { (next, pushed) = (pushed.reversed(), []) }
            return next.popLast()
        }
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)
    private let clock: DeadlineClock

    package init(clock: DeadlineClock = .machine) { self.clock = clock }

    package func push(_ element: Element) {
        state.withLock { if !$0.isClosed { $0.pushed.append(element) } }
        available.signal()
    }

    /// Closes the queue: the reader receives the remaining elements only.
    package func close() {
        state.withLock { $0.isClosed = true }
        available.signal()
    }

    /// Returns all available elements, when there are any; nil when the queue is empty and closed.
    func all() -> [Element]? {
        next().map { first in
            state.withLock { state in
                var elements = [first]
                while let element = state.take() { elements.append(element) }
                return elements
            }
        }
    }

    /// Returns the next element; nil when the queue is empty and closed, or still empty at `deadline`.
    package func next(until deadline: ContinuousClock.Instant? = nil) -> Element? {
        while true {
            let (element, isClosed) = state.withLock { ($0.take(), $0.isClosed) }
            if element != nil || isClosed { return element }
            guard let deadline else {
                available.wait()
                continue
            }
            if !clock.wait(available, deadline) { return nil }
        }
    }
}

/// Cuts the bytes of a pipe into lines.
package struct LineSplitter {
    private var rest: [UInt8] = []
    /// Longer lines are cut here, so that a child which never ends a line cannot fill the memory.
    private let limit: Int

    package static let standardLimit = 16 << 20

    init(limit: Int = standardLimit) { self.limit = limit }

    /// Hands out the lines of a pipe until its end, or until `end` is closed, though others may still hold the pipe
    /// open.
    package static func lines(
        of handle: FileHandle,
        until end: FileHandle? = nil,
        limit: Int = standardLimit,
        _ take: ([UInt8]) -> Void
    ) {
        var splitter = LineSplitter(limit: limit)
        while hasData(handle, until: end), case let data = handle.availableData, !data.isEmpty {
            splitter.take(data).forEach(take)
        }
        if let rest = splitter.finish() { take(rest) }
    }

    /// Waits until there is something to read, be it the end; false when nothing is there and `end` is closed.
    private static func hasData(_ handle: FileHandle, until end: FileHandle?) -> Bool {
        guard let end else { return true }
        var files = [handle, end].map {
            pollfd(fd: $0.fileDescriptor, events: Int16(POLLIN), revents: 0)
        }
        while poll(&files, nfds_t(files.count), -1) < 0, errno == EINTR {}
        return files[0].revents != 0
    }

    /// Returns the lines that `data` completes, without their ends.
    mutating func take(_ data: Data) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in data {
            if byte == 0x0A || rest.count >= limit {
                lines.append(rest)
                rest = []
            }
            if byte != 0x0A { rest.append(byte) }
        }
        return lines
    }

    /// Returns the bytes after the last line's end; nil when there are none.
    mutating func finish() -> [UInt8]? {
        defer { rest = [] }
        return rest.isEmpty ? nil : rest
    }
}

/// The clock of a run's limits: the machine's, or one that a test moves.
package struct DeadlineClock: Sendable {
    let now: @Sendable () -> ContinuousClock.Instant
    /// Waits for a signal until a time; false when that came first; may return true without a signal.
    let wait: @Sendable (DispatchSemaphore, _ deadline: ContinuousClock.Instant) -> Bool

    package static let machine = DeadlineClock(
        now: { .now },
        wait: { signal, deadline in
            let left = max(0, ContinuousClock.now.duration(to: deadline).milliseconds)
            return signal.wait(timeout: .now() + .microseconds(Int(left * 1_000))) == .success
        }
    )
}
