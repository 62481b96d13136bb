import Basics
import Foundation
import Harness
import SpineDatasets
import Synchronization
import Talaria

/// Carries requests as another transport does, with the delays of a network: a model, not a measurement.
///
/// Every message is delayed by ``NetworkProfile`` for its bytes, drawn from a seed. A new connection is opened if no
/// open one is idle.
final class ShapedTransport: HTTPTransport {
    private struct State {
        var random: SplitMix64
        var idleConnections = 0
    }

    private let base: any HTTPTransport
    private let profile: NetworkProfile
    private let clock: any Clock<Duration>
    private let state: Mutex<State>

    init(
        _ base: any HTTPTransport,
        profile: NetworkProfile,
        seed: UInt64,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.base = base
        self.profile = profile
        self.clock = clock
        state = Mutex(State(random: SplitMix64(state: seed)))
    }

    func send(_ request: TransportRequest, meter: TransferMeter) async throws -> TransportResponse {
        let (opening, up) = state.withLock { state -> (Double, Double) in
            let isOpen = state.idleConnections > 0
            if isOpen { state.idleConnections -= 1 }
            let bytes =
                request.url.absoluteString.utf8.count + Self.bytes(request.headers) + (request.body?.count ?? 0)
            return (
                isOpen ? 0 : profile.setUpMilliseconds,
                profile.delayMilliseconds(bytes: bytes, .up, random: &state.random)
            )
        }
        try await clock.sleep(for: .milliseconds(opening + up))
        var response = try await base.send(request, meter: meter)
        try await clock.sleep(for: delay(bytes: Self.bytes(response.headers)))
        response.body = ByteStream(
            DelayedChunks(chunks: response.body, delay: { self.delay(bytes: $0) }, clock: clock) {
                self.state.withLock { $0.idleConnections += 1 }
            }
        )
        return response
    }

    private func delay(bytes: Int) -> Duration {
        state.withLock { .milliseconds(profile.delayMilliseconds(bytes: bytes, .down, random: &$0.random)) }
    }

    /// Returns the approximate number of bytes of a line and headers.
    private static func bytes(_ headers: [(name: String, value: String)]) -> Int {
        headers.reduce(20) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }
}

/// A body whose pieces arrive some time after they were sent, in their order.
private struct DelayedChunks: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    let chunks: ByteStream
    let delay: @Sendable (_ bytes: Int) -> Duration
    let clock: any Clock<Duration>
    let ended: @Sendable () -> Void

    struct AsyncIterator: AsyncIteratorProtocol {
        var arrivals: AsyncThrowingStream<(chunk: [UInt8], due: ContinuousClock.Instant), any Error>.AsyncIterator
        let clock: any Clock<Duration>

        mutating func next() async throws -> [UInt8]? {
            guard let (chunk, due) = try await arrivals.next() else { return nil }
            let left = ContinuousClock.now.duration(to: due)
            if left > .zero { try await clock.sleep(for: left) }
            return chunk
        }
    }

    /// Pieces are taken as the server sends them, by a task of its own: several may be on their way.
    func makeAsyncIterator() -> AsyncIterator {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: (chunk: [UInt8], due: ContinuousClock.Instant).self
        )
        let task = Task {
            var last = ContinuousClock.now
            do {
                for try await chunk in chunks {
                    last = Swift.max(last, .now + delay(chunk.count))
                    continuation.yield((chunk, last))
                }
                ended()
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return AsyncIterator(arrivals: stream.makeAsyncIterator(), clock: clock)
    }
}

/// A network that is absent during a share of the scans, the same ones in every variant.
struct FlakyNetwork: HTTPTransport {
    let base: any HTTPTransport
    /// Share of the scans without a network, 0…1.
    let share: Double
    let seed: Int

    /// Returns whether the network is out while a picture is scanned, whatever was scanned before.
    func isOut(during name: String) -> Bool {
        let digits = SHA256.hex(of: Array("\(seed) \(name)".utf8)).prefix(8)
        return Double(UInt32(digits, radix: 16) ?? 0) / 0x1p32 < share
    }

    func send(_ request: TransportRequest, meter: TransferMeter) async throws -> TransportResponse {
        if MeasuredScan.current?.isOffline == true {
            let host = request.url.host() ?? ""
            throw TalariaError.unreachable(host: host, reason: "no network during this scan")
        }
        return try await base.send(request, meter: meter)
    }
}
