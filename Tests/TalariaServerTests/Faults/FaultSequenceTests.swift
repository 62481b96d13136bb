import Foundation
import Imaging
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
        let tally = try await FaultTally.of(0..<count, seed: seed, lanes: 6, speed: 400)
        #expect(tally.sequences == count)
        #expect(tally.failures == [])
        // The drawn sequence has results; their endings depend on timing.
        #expect(tally.events.count == 13)
    }

    @Test func aSpineIsReadBackFromItsPicture() throws {
        for (number, kind) in [(0, FaultCode.Kind.book), (29_999, .unknown), (0xff_ffff, .blank)] {
            let code = FaultCode(number: number, kind: kind, book: 7)
            let image = try ImageCodec.decode(try code.picture(), name: "code").image
            #expect(SpineCode(image).flatMap(FaultCode.init) == code)
            let photo = try ImageCodec.decode(ImageCodec.encodeJPEG(image, quality: 85), name: "photo").image
            #expect(SpineCode(photo).flatMap(FaultCode.init) == code)
        }
    }
}
