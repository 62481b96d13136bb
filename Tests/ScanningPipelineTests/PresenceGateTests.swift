import Imaging
import TestSupport
import Testing

@testable import ScanningPipeline

@Suite struct PresenceGateTests {
    /// A white strip with lines of print along it, on grey: 1440 × 1920 pixels.
    private static let spine: RasterImage = {
        var frame = RasterImage(width: 1440, height: 1920, channels: 1, filledWith: 70)
        let line = TextFixture.line.rotated(.clockwise).resized(width: 168, height: 1248)
        for y in 200..<1720 {
            for x in 600..<840 { frame.pixels[y * 1440 + x] = 250 }
        }
        for y in 0..<line.height {
            for x in 0..<line.width { frame.pixels[(y + 336) * 1440 + x + 636] = line.pixels[y * line.width + x] }
        }
        return frame
    }()

    @Test func aSpineIsSeenAnyWayUpAndInColour() {
        let gate = PresenceGate()
        for turn in [QuarterTurn.clockwise, .half, .counterclockwise] {
            #expect(gate.examine(Self.spine.rotated(turn)).isSpine)
        }
        #expect(gate.examine(Self.spine).isSpine)
        #expect(gate.examine(Self.spine.rgb()).isSpine)
    }

    @Test func aBareWallIsNoSpine() {
        let gate = PresenceGate()
        #expect(!gate.examine(RasterImage(width: 1440, height: 1920, channels: 1, filledWith: 128)).isSpine)
        var shaded = RasterImage(width: 1440, height: 1920, channels: 1)
        for index in shaded.pixels.indices { shaded.pixels[index] = UInt8(index / 1440 * 255 / 1920) }
        #expect(!gate.examine(shaded).isSpine)
    }

    /// A picture of one row is thinner than the blocks that a wide frame is sampled in.
    @Test(arguments: [(3000, 1), (1, 3000), (3000, 2), (5, 9000), (1, 1)])
    func framesOfFewRowsOrColumnsAreSampledWithinTheirBytes(width: Int, height: Int) {
        for channels in [1, 3] {
            let frame = RasterImage(width: width, height: height, channels: channels, filledWith: 90)
            let luma = SampledLuma(of: frame)
            #expect(luma.values.count == luma.width * luma.height && luma.values.allSatisfy { abs(Int($0) - 90) <= 1 })
            #expect(!PresenceGate().examine(frame).isSpine)
        }
    }

    @Test func aBlankStripIsNoSpine() {
        var frame = RasterImage(width: 1440, height: 1920, channels: 1, filledWith: 70)
        for y in 200..<1720 {
            for x in 600..<840 { frame.pixels[y * 1440 + x] = 250 }
        }
        #expect(!PresenceGate().examine(frame).isSpine)
    }

    @Test(
        "frames of any size are looked at",
        arguments: [(1, 1), (1, 5_000), (5_000, 1), (13, 11), (480, 7), (481, 360)]
    )
    func sizes(_ width: Int, _ height: Int) {
        for channels in [1, 3] {
            let frame = RasterImage(width: width, height: height, channels: channels, filledWith: 200)
            #expect(!PresenceGate().examine(frame).isSpine)
        }
    }
}
