import Foundation

/// The readings of a stream, first in first out, shared by its lanes.
///
/// Unchecked: `condition` protects all mutable state.
final class StreamQueue: @unchecked Sendable {
    private let condition = NSCondition()
    /// Callback for each reading that begins, before anything else can happen to the queue.
    private let announce: @Sendable (StreamRequest) -> Void
    private var requests: [StreamRequest] = []
    private var head = 0
    private var start: ContinuousClock.Instant?
    private var isClosed = false

    init(announce: @escaping @Sendable (StreamRequest) -> Void) {
        self.announce = announce
    }

    /// Adds readings behind those that are there; the first ones start the stream's clock.
    func append(_ more: [StreamRequest]) {
        condition.withLock {
            requests.removeFirst(head)
            head = 0
            requests += more
            if start == nil { start = .now }
            condition.broadcast()
        }
    }

    /// Returns the next reading, as soon as it is due, with the instant at which the stream began.
    ///
    /// Waits for that; nil when the queue was closed.
    func take() -> (request: StreamRequest, start: ContinuousClock.Instant)? {
        while true {
            switch attempt() {
            case .turn(let request, let start): return (request, start)
            case .closed: return nil
            case .dueIn(let left):
                // A sleep ends late by the kernel's timer slack, so the last bit is spent awake. Slices, because a
                // stream may be stopped meanwhile.
                if left > .microseconds(300) {
                    Thread.sleep(forTimeInterval: min(left.milliseconds - 0.2, 50) / 1_000)
                } else {
                    sched_yield()
                }
            }
        }
    }

    /// Drops the readings that have not begun, and returns their number.
    func drop() -> Int {
        condition.withLock {
            let dropped = requests.count - head
            requests = []
            head = 0
            return dropped
        }
    }

    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    private enum Attempt {
        case turn(StreamRequest, ContinuousClock.Instant)
        case dueIn(Duration)
        case closed
    }

    /// Waits until there is a reading to begin, or one that is not due yet.
    private func attempt() -> Attempt {
        condition.withLock {
            while !isClosed {
                if head < requests.count, let start {
                    let request = requests[head]
                    if let due = request.dueSeconds {
                        let left = ContinuousClock.now.duration(to: start + .seconds(due))
                        if left > .zero { return .dueIn(left) }
                    }
                    head += 1
                    announce(request)
                    return .turn(request, start)
                }
                condition.wait()
            }
            return .closed
        }
    }
}
