import Dispatch
import Foundation
import Synchronization

/// A queue from one thread to another whose reader can wait with a limit.
final class BlockingQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)

    /// What `next` came back with.
    enum Next {
        case element(Element)
        /// Nothing came in time.
        case timedOut
        /// Nothing is left and nothing will come.
        case closed
    }

    /// Adds an element; does nothing when the queue is closed.
    func push(_ element: Element) {
        state.withLock { if !$0.isClosed { $0.elements.append(element) } }
        available.signal()
    }

    /// Lets the reader have what is left, then `closed`.
    func close() {
        state.withLock { $0.isClosed = true }
        available.signal()
    }

    /// What `all` came back with.
    enum All {
        case elements([Element])
        /// Nothing is left and nothing will come.
        case closed
    }

    /// Everything that is there; waits until there is something.
    func all() -> All {
        while true {
            let (elements, isClosed) = state.withLock { state in
                defer { state.elements = [] }
                return (state.elements, state.isClosed)
            }
            if !elements.isEmpty { return .elements(elements) }
            if isClosed { return .closed }
            available.wait()
        }
    }

    /// The next element; waits until `deadline` at most, without limit when it is nil.
    func next(until deadline: ContinuousClock.Instant? = nil) -> Next {
        while true {
            if let next = state.withLock({ state -> Next? in
                if !state.elements.isEmpty { return .element(state.elements.removeFirst()) }
                return state.isClosed ? .closed : nil
            }) {
                return next
            }
            guard let deadline else {
                available.wait()
                continue
            }
            let left = max(0, ContinuousClock.now.duration(to: deadline).milliseconds)
            if available.wait(timeout: .now() + .microseconds(Int(left * 1_000))) == .timedOut { return .timedOut }
        }
    }
}

/// Cuts the bytes of a pipe into lines.
struct LineSplitter {
    private var rest: [UInt8] = []
    /// Longer lines are cut here, so that a child which never ends a line cannot fill the memory.
    private let limit = 16 << 20

    /// The lines that `data` completes, without their ends.
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

    /// What came after the last line's end; nil when that is nothing.
    mutating func finish() -> [UInt8]? {
        defer { rest = [] }
        return rest.isEmpty ? nil : rest
    }
}
