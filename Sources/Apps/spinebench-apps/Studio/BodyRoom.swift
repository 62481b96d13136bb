import Captures
import Composition
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Room for the bodies of requests: their bytes in memory are bounded, and further requests wait.
final class BodyRoom: Sendable {
    /// As many bytes as one request may have.
    private static let most = CaptureIntake.mostBytes
    /// Most bytes of a request that takes no room: notes and addresses do not wait for pictures that arrive slowly.
    private static let small = 1 << 20
    private static let longestWait = Duration.seconds(30)
    private let used = Mutex(0)

    /// Calls `work` with the body of a request.
    ///
    /// - Throws: a ``StudioProblem`` when other requests have the room for too long, and the errors of `work`.
    func collect<Value>(
        _ request: Request,
        upTo most: Int = BodyRoom.most,
        _ work: ([UInt8]) async throws -> Value
    ) async throws -> Value {
        let announced = request.headers[.contentLength].flatMap { Int($0) } ?? most
        if announced > most { throw NIOTooManyBytesError(maxBytes: most) }
        let bytes = announced > Self.small ? announced : 0
        let start = ContinuousClock.now
        while !enter(bytes) {
            guard start.duration(to: .now) < Self.longestWait else {
                throw StudioProblem(
                    .serviceUnavailable,
                    "other captures are being received; try again in a few seconds"
                )
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        defer { used.withLock { $0 -= bytes } }
        return try await work([UInt8](buffer: request.body.collect(upTo: most)))
    }

    private func enter(_ bytes: Int) -> Bool {
        used.withLock { used in
            guard used + bytes <= Self.most else { return false }
            used += bytes
            return true
        }
    }
}
