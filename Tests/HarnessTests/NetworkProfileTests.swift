import Basics
import Evaluation
import TestSupport
import Testing

@testable import Harness

/// Expected values are from hand calculation.
@Suite(.tags(.unit)) struct NetworkProfileTests {
    private func profile(
        roundTrip: Double = 100,
        jitter: Double = 0,
        up: Double = 8,
        down: Double = 16,
        loss: Double = 0
    ) -> NetworkProfile {
        NetworkProfile(
            name: "test",
            roundTripMilliseconds: roundTrip,
            jitterMilliseconds: jitter,
            upMegabits: up,
            downMegabits: down,
            lossShare: loss,
            source: "test"
        )
    }

    // 8 Mbit/s are 1,000 bytes a millisecond, and 100 kB fill the line for a round trip. Windows: 14,600, 29,200,
    // 58,400, 116,800 bytes: three of them, 102,200 bytes, are too small for the line.
    @Test(arguments: [
        (bytes: 0, expected: 50.0),
        (bytes: 1_000, expected: 51),
        (bytes: 14_600, expected: 64.6),
        // One round, and the remaining 400 bytes.
        (bytes: 15_000, expected: 150.4),
        // Three rounds, and the remaining 897,800 bytes.
        (bytes: 1_000_000, expected: 1_247.8),
        (bytes: -1, expected: 50),
    ])
    func aMessageTakesItsDelayItsRoundsAndItsBytes(bytes: Int, expected: Double) {
        #expect(isNear(profile().transferMilliseconds(bytes: bytes, .up), expected, within: 1e-9))
    }

    @Test func eachWayHasItsOwnRate() {
        #expect(isNear(profile().transferMilliseconds(bytes: 1_000, .down), 50.5, within: 1e-9))
    }

    @Test func lossLimitsTheRate() {
        // √(1.5 / 0.06) = 5 packets of 1,460 bytes in flight, ten times a second.
        #expect(isNear(profile(loss: 0.06).bytesPerSecond(.up), 73_000, within: 1e-6))
        // √(1.5 / 0.000015) = 316 packets would be 4.6 MB/s: the line is the limit.
        #expect(profile(loss: 0.000015).bytesPerSecond(.up) == 1_000_000)
    }

    @Test func withoutJitterAndLossNothingIsRandom() {
        var random = SplitMix64(state: 1)
        #expect(profile().delayMilliseconds(bytes: 1_000, .up, random: &random) == 51)
    }

    @Test func jitterStaysWithinItsBounds() {
        var random = SplitMix64(state: 1)
        let delays = (0..<1_000).map { _ in
            profile(jitter: 10).delayMilliseconds(bytes: 0, .up, random: &random)
        }
        #expect(delays.allSatisfy { (40.0...60).contains($0) })
        #expect((delays.min() ?? 0) < 41 && (delays.max() ?? 0) > 59)
    }

    @Test func lostPacketsCostRoundTrips() {
        var random = SplitMix64(state: 1)
        let lossy = profile(loss: 0.06)
        let delays = (0..<4_000).map { _ in lossy.delayMilliseconds(bytes: 0, .up, random: &random) }
        // One packet: lost with 6 %, again with 6 % of these; each time a round trip and 20 ms for 1,460 bytes at 73
        // kB/s.
        let lost = Double(delays.count { $0 > 51 }) / 4_000
        #expect(isNear(lost, 0.06, within: 0.012))
        #expect(delays.allSatisfy { ($0 - 50).truncatingRemainder(dividingBy: 120).magnitude < 1e-6 || $0 == 50 })
    }

    @Test func theSameSeedGivesTheSameDelays() throws {
        let lte = try #require(NetworkProfile.named("lte"))
        func delays(_ seed: UInt64) -> [Double] {
            var random = SplitMix64(state: seed)
            return (0..<20).map { _ in lte.delayMilliseconds(bytes: 300_000, .up, random: &random) }
        }
        #expect(delays(7) == delays(7))
        #expect(delays(7) != delays(8))
    }

    @Test func worseNetworksTakeLonger() {
        let delays = NetworkProfile.all.map { $0.transferMilliseconds(bytes: 300_000, .up) }
        #expect(delays == delays.sorted())
        #expect(NetworkProfile.all.allSatisfy { !$0.source.isEmpty })
    }
}
