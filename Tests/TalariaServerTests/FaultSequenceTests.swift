import Imaging
import TestSupport
import Testing

@testable import checks

@Suite(.inTurns) struct FaultSequenceTests {
    @Test func noSequenceOfFaultsLosesOrDoublesASpine() async throws {
        let tally = try await FaultTally.of(0..<90, seed: 7, lanes: 6, speed: 400)
        #expect(tally.sequences == 90)
        #expect(tally.failures == [])
        // The drawn sequence has results; their endings depend on timing.
        #expect(tally.events.count == 13)
    }

    @Test func aSpineIsReadBackFromItsPicture() throws {
        for (number, kind) in [(0, SpineCode.Kind.book), (29_999, .unknown), (0xff_ffff, .blank)] {
            let code = SpineCode(number: number, kind: kind, book: 7)
            let image = try ImageCodec.decode(try code.picture(), name: "code").image
            #expect(SpineCode(image) == code)
            let photo = try ImageCodec.decode(ImageCodec.encodeJPEG(image, quality: 85), name: "photo").image
            #expect(SpineCode(photo) == code)
        }
    }
}
