import Foundation
import Synchronization

/// Thread that waits for the sockets of many tasks.
final class Poller: Sendable {
    /// Event of a socket.
    enum Event {
        case input, output
        /// The client sends no more, or has disconnected.
        case hangUp

        fileprivate var mask: Int16 {
            switch self {
            case .input: Int16(POLLIN)
            case .output: Int16(POLLOUT)
            case .hangUp:
                #if os(Linux)
                // POLLRDHUP of poll(2); Darwin reports the same as POLLHUP.
                0x2000
                #else
                Int16(POLLHUP)
                #endif
            }
        }
    }

    private struct Waiter {
        var descriptor: CInt
        var mask: Int16
        var deadline: ContinuousClock.Instant?
        var isIdle: Bool
        var continuation: CheckedContinuation<Bool, any Error>
    }

    private let state = Mutex((waiters: [UUID: Waiter](), endsIdle: false, isEnded: false))
    /// Ends of a pipe, with which the thread is woken.
    private let bell: (out: CInt, in: CInt)

    init() throws(SocketError) {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw SocketError(errno) }
        for end in ends { ListeningSocket.prepare(end) }
        bell = (ends[0], ends[1])
        Thread.detachNewThread { [self] in work() }
    }

    /// Waits for an event of a socket; false when the deadline comes first, or when ``endIdleWaits()`` ends a wait with
    /// which nothing is lost.
    func wait(
        for event: Event,
        of descriptor: CInt,
        until deadline: ContinuousClock.Instant? = nil,
        isIdle: Bool = false
    ) async throws -> Bool {
        let id = UUID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Bool, any Error>? = state.withLock { state in
                    if state.isEnded || Task.isCancelled { return .failure(CancellationError()) }
                    if isIdle, state.endsIdle { return .success(false) }
                    state.waiters[id] = Waiter(
                        descriptor: descriptor,
                        mask: event.mask,
                        deadline: deadline,
                        isIdle: isIdle,
                        continuation: continuation
                    )
                    return nil
                }
                if let result { continuation.resume(with: result) } else { ring() }
            }
        } onCancel: {
            remove(id)?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Ends all idle waits, now and from now on.
    func endIdleWaits() {
        let idle = state.withLock { state in
            state.endsIdle = true
            let idle = state.waiters.filter(\.value.isIdle)
            for id in idle.keys { state.waiters[id] = nil }
            return idle
        }
        for waiter in idle.values { waiter.continuation.resume(returning: false) }
    }

    /// Ends the thread and all waits.
    func end() {
        let waiters = state.withLock { state in
            state.isEnded = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.continuation.resume(throwing: CancellationError()) }
        ring()
    }

    private func remove(_ id: UUID) -> Waiter? { state.withLock { $0.waiters.removeValue(forKey: id) } }

    private func ring() {
        var byte: UInt8 = 0
        _ = write(bell.in, &byte, 1)
    }

    private func work() {
        var rung = [UInt8](repeating: 0, count: 4_096)
        while true {
            let (waiters, isEnded) = state.withLock { (Array($0.waiters), $0.isEnded) }
            if isEnded { break }
            var descriptors = [pollfd(fd: bell.out, events: Int16(POLLIN), revents: 0)]
            descriptors += waiters.map { pollfd(fd: $0.value.descriptor, events: $0.value.mask, revents: 0) }
            let first = waiters.compactMap(\.value.deadline).min()
            let left = first.map { ContinuousClock.now.duration(to: $0) / .milliseconds(1) }
            poll(&descriptors, nfds_t(descriptors.count), left.map { CInt(min(60_000, max(0, $0.rounded(.up)))) } ?? -1)
            while read(bell.out, &rung, rung.count) > 0 {}
            let now = ContinuousClock.now
            for (waiter, descriptor) in zip(waiters, descriptors.dropFirst()) {
                let isThere = descriptor.revents != 0
                guard isThere || waiter.value.deadline.map({ $0 <= now }) ?? false else { continue }
                remove(waiter.key)?.continuation.resume(returning: isThere)
            }
        }
        close(bell.out)
        close(bell.in)
    }
}
