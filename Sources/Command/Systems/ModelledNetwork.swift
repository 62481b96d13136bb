import Basics
import Foundation
import Harness
import SpineDatasets
import Synchronization
import Talaria

/// Carries requests as another transport does, with the delays and the absences of a network: a model, not a
/// measurement.
///
/// Every message is delayed by ``NetworkProfile`` for its bytes, drawn from a seed; a new connection is opened if no
/// open one is idle. The network is absent during a share of the scans, the same ones in every variant.
final class ModelledNetwork: HTTPTransport {
    /// Whether the scan of the current task has no network: set around each scan, inherited by its child tasks.
    @TaskLocal static var isOut = false

    private struct State {
        var random: SplitMix64
        var idleConnections = 0
    }

    private let base: any HTTPTransport
    private let profile: NetworkProfile?
    /// Share of the scans without a network, 0…1.
    private let outages: Double
    private let seed: Int
    private let clock: any Clock<Duration>
    private let state: Mutex<State>

    /// Creates a network over a transport; without a profile it delays nothing.
    init(
        _ base: any HTTPTransport,
        profile: NetworkProfile? = nil,
        outages: Double = 0,
        seed: Int,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.base, self.profile, self.outages, self.seed, self.clock) = (base, profile, outages, seed, clock)
        state = Mutex(State(random: SplitMix64(state: UInt64(seed))))
    }

    /// Returns whether the network is out while a picture is scanned, whatever was scanned before.
    func isOut(during name: String) -> Bool {
        Double(SHA256.first64(of: "\(seed) \(name)") >> 32) / 0x1p32 < outages
    }

    func send(_ request: TransportRequest, meter: TransferMeter) async throws -> TransportResponse {
        if Self.isOut {
            throw TalariaError.unreachable(host: request.url.host() ?? "", reason: "no network during this scan")
        }
        guard let profile else { return try await base.send(request, meter: meter) }
        let bytes = request.url.absoluteString.utf8.count + Self.bytes(request.headers) + (request.body?.count ?? 0)
        let wait = state.withLock { state in
            let opening = state.idleConnections > 0 ? 0 : profile.setUpMilliseconds
            state.idleConnections = max(0, state.idleConnections - 1)
            return opening + profile.delayMilliseconds(bytes: bytes, .up, random: &state.random)
        }
        try await clock.sleep(for: .milliseconds(wait))
        var response = try await base.send(request, meter: meter)
        try await clock.sleep(for: delay(profile, Self.bytes(response.headers)))
        response.body = delayed(response.body, profile)
        return response
    }

    /// Returns the body, each piece of it some time after it was sent: several may be on their way.
    private func delayed(_ chunks: ByteStream, _ profile: NetworkProfile) -> ByteStream {
        let (pieces, arrivals) = AsyncThrowingStream.makeStream(
            of: (chunk: [UInt8], due: ContinuousClock.Instant).self
        )
        let (body, output) = ByteStream.makeStream()
        let reading = Task {
            var last = ContinuousClock.now
            do {
                for try await chunk in chunks {
                    last = max(last, .now + delay(profile, chunk.count))
                    arrivals.yield((chunk, last))
                }
                state.withLock { $0.idleConnections += 1 }
                arrivals.finish()
            } catch {
                arrivals.finish(throwing: error)
            }
        }
        let delivering = Task {
            do {
                for try await (chunk, due) in pieces {
                    let left = ContinuousClock.now.duration(to: due)
                    if left > .zero { try await clock.sleep(for: left) }
                    output.yield(chunk)
                }
                output.finish()
            } catch {
                output.finish(throwing: error)
            }
        }
        output.onTermination = { _ in
            reading.cancel()
            delivering.cancel()
        }
        return body
    }

    private func delay(_ profile: NetworkProfile, _ bytes: Int) -> Duration {
        state.withLock { .milliseconds(profile.delayMilliseconds(bytes: bytes, .down, random: &$0.random)) }
    }

    /// Returns the approximate number of bytes of a line and headers.
    private static func bytes(_ headers: [(name: String, value: String)]) -> Int {
        headers.reduce(20) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }
}
