import Foundation
import Synchronization
import Testing

@testable import Harness
@testable import Systems
@testable import Talaria

/// A model network around a transport that answers at once; the clock only notes how long it was to wait.
@Suite struct ModelledNetworkTests {
    /// 8 Mbit/s, 100 ms there and back, nothing lost: 50 ms and 1 ms for each 1,000 bytes one way; 200 ms to connect.
    private let profile = NetworkProfile(
        name: "test",
        roundTripMilliseconds: 100,
        jitterMilliseconds: 0,
        upMegabits: 8,
        downMegabits: 8,
        lossShare: 0,
        source: "test"
    )

    private func request(_ bytes: Int) throws -> TransportRequest {
        TransportRequest(
            method: .post,
            url: try #require(URL(string: "http://a/b")),
            body: [UInt8](repeating: 0, count: bytes)
        )
    }

    @Test func requestsWaitForTheirBytesAndTheFirstForItsConnection() async throws {
        let clock = NotingClock()
        let transport = ModelledNetwork(Echo(chunks: []), profile: profile, seed: 1, clock: clock)
        let first = try await transport.send(request(10_000), meter: TransferMeter())
        for try await _ in first.body {}
        // The line and its end are 30 bytes: 200 + 50 + 10.03 ms; the answer's head 20 bytes: 50.02 ms.
        #expect(clock.milliseconds.map { ($0 * 100).rounded() / 100 } == [260.03, 50.02])
        let second = try await transport.send(request(0), meter: TransferMeter())
        for try await _ in second.body {}
        #expect(clock.milliseconds.suffix(2).map { ($0 * 100).rounded() / 100 } == [50.03, 50.02])
    }

    @Test func aSecondRequestAtTheSameTimeNeedsAConnectionOfItsOwn() async throws {
        let clock = NotingClock()
        let transport = ModelledNetwork(Echo(chunks: []), profile: profile, seed: 1, clock: clock)
        // The first one's body is not read yet: its connection is busy.
        let first = try await transport.send(request(0), meter: TransferMeter())
        _ = try await transport.send(request(0), meter: TransferMeter())
        #expect(clock.milliseconds.count { $0 > 200 } == 2)
        for try await _ in first.body {}
    }

    @Test func thePiecesOfABodyComeInTheirOrder() async throws {
        let pieces = (0..<50).map { [UInt8($0)] }
        let transport = ModelledNetwork(Echo(chunks: pieces), profile: profile, seed: 1, clock: NotingClock())
        let response = try await transport.send(request(0), meter: TransferMeter())
        var received: [[UInt8]] = []
        for try await piece in response.body { received.append(piece) }
        #expect(received == pieces)
    }

    @Test func outagesHitTheSameScansWhateverCameBefore() {
        let network = ModelledNetwork(Echo(chunks: []), outages: 0.25, seed: 1)
        let names = (0..<1_000).map { "images/\($0).jpg" }
        let out = names.map { network.isOut(during: $0) }
        #expect(out == names.reversed().map { network.isOut(during: $0) }.reversed())
        // 250 ± 4 standard deviations of 13.7.
        #expect((195...305).contains(out.count { $0 }))
        #expect(!names.contains { ModelledNetwork(Echo(chunks: []), outages: 0, seed: 1).isOut(during: $0) })
        #expect(names.allSatisfy { ModelledNetwork(Echo(chunks: []), outages: 1, seed: 1).isOut(during: $0) })
    }

    @Test func duringAnOutageNothingIsSent() async throws {
        let network = ModelledNetwork(Echo(chunks: []), outages: 0, seed: 1)
        let request = try request(0)
        await #expect(throws: TalariaError.self) {
            try await ModelledNetwork.$isOut.withValue(true) {
                try await network.send(request, meter: TransferMeter())
            }
        }
    }
}

/// Transport that answers every request at once.
private struct Echo: HTTPTransport {
    var chunks: [[UInt8]]

    func send(_ request: TransportRequest, meter: TransferMeter) async throws -> TransportResponse {
        TransportResponse(
            status: 200,
            body: ByteStream {
                for chunk in chunks { $0.yield(chunk) }
                $0.finish()
            }
        )
    }
}

/// Clock that records its requested waits, and does not wait.
private final class NotingClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private let waits = Mutex<[Double]>([])

    var milliseconds: [Double] { waits.withLock { $0 } }
    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        waits.withLock { $0.append(deadline.offset.milliseconds) }
    }
}
