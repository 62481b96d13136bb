import Foundation
import Imaging
import Synchronization
import Talaria
import TestSupport
import Testing

/// Random sequences of scans, faults and restarts: every spine ends as a book, as a clear error or in the queue; and,
/// when the queue is drained without faults, as one book in the library, with nothing left over on either side.
///
/// `SPINEBENCH_SEQUENCES` and `SPINEBENCH_SEED` in the environment ask for more sequences, and for others.
@Suite(.inTurns) struct FaultSequenceTests {
    @Test func noSequenceOfFaultsLosesOrDoublesASpine() async throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["SPINEBENCH_SEQUENCES"].flatMap { Int($0) } ?? 300
        let seed = environment["SPINEBENCH_SEED"].flatMap { UInt64($0) } ?? 7
        let (folder, tally, lanes) = (try TemporaryFolder(), Tally(), 6)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                try folder.write("", "\(lane)/empty")
                let (path, numbers) = (folder("\(lane)"), stride(from: lane, to: count, by: lanes))
                group.addTask { try await Self.play(Array(numbers), seed: seed, in: path, tally) }
            }
            try await group.waitForAll()
        }
        #expect(tally.state.withLock(\.sequences) == count)
        #expect(tally.state.withLock(\.failures) == [])
        // The drawn sequence has results; their endings depend on timing.
        #expect(tally.state.withLock(\.events.count) == 13)
    }

    private final class Tally: Sendable {
        let state = Mutex((sequences: 0, events: Set<String>(), failures: [String]()))
    }

    private static func play(_ numbers: [Int], seed: UInt64, in folder: String, _ tally: Tally) async throws {
        let (transport, clock) = (try NetworkTransport(), ScaledClock(speed: 400))
        try await FaultServer.run { server in
            for number in numbers {
                var sequence = try FaultSequence(
                    number: number,
                    seed: seed &* 1_000_003 &+ UInt64(number),
                    server: server,
                    transport: transport,
                    clock: clock,
                    folder: folder
                )
                var failures: [String] = []
                do {
                    try await sequence.run()
                } catch {
                    failures = ["sequence \(number) of seed \(seed), \(sequence.variant), \(sequence.local): \(error)"]
                }
                let events = sequence.events
                tally.state.withLock { [failures] tally in
                    tally.sequences += 1
                    tally.events.formUnion(events)
                    tally.failures += failures
                }
            }
        }
    }

    @Test func aSpineIsReadBackFromItsPicture() throws {
        for (number, kind) in [(0, FaultCode.Kind.book), (29_999, .unknown), (0xff_ffff, .blank)] {
            let code = FaultCode(number: number, kind: kind, book: 7)
            let image = try ImageCodec.decode(try code.picture(), name: "code").image
            #expect(FaultCode(image) == code)
            let photo = try ImageCodec.decode(ImageCodec.encodeJPEG(image, quality: 85), name: "photo").image
            #expect(FaultCode(photo) == code)
        }
    }
}
