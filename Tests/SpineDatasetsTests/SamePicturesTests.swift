import Imaging
import TestSupport
import Testing

@testable import SpineDatasets

@Suite struct SamePicturesTests {
    /// Blocks of grey as a generator deals them, `block` pixels a side.
    private func picture(seed: UInt64, columns: Int = 6, rows: Int = 24, block: Int = 10) -> RasterImage {
        var state = seed
        let greys = (0..<(columns * rows)).map { _ -> UInt8 in
            // Knuth's MMIX constants.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 56)
        }
        var image = RasterImage(width: columns * block, height: rows * block, channels: 1)
        for index in image.pixels.indices {
            let (x, y) = (index % image.width / block, index / image.width / block)
            image.pixels[index] = greys[y * columns + x]
        }
        return image
    }

    private func entry(_ line: Int, _ image: RasterImage, split: String? = nil) -> SamePictures.Entry {
        SamePictures.Entry(
            line: line,
            image: "\(line).png",
            split: split,
            digest: "\(line)",
            fingerprint: PictureFingerprint(image)
        )
    }

    @Test func theSamePictureIsFoundHoweverItWasMade() throws {
        let original = picture(seed: 1)
        let jpeg = try ImageCodec.decode(ImageCodec.encodeJPEG(original, quality: 50), name: "j").image
        var brighter = original
        for index in brighter.pixels.indices {
            brighter.pixels[index] = UInt8(min(255, Int(original.pixels[index]) * 9 / 8))
        }
        for copy in [
            original, jpeg, brighter, original.rgb(), original.resized(width: 30, height: 120), original.rotated(.half),
            original.rotated(.clockwise), original.rotated(.counterclockwise),
        ] {
            let found = SamePictures.find(in: [entry(1, original), entry(2, copy)])
            #expect(found == [.init(line: 2, message: "image \"2.png\" looks like \"1.png\" of line 1", isLeak: false)])
        }
    }

    @Test func differentPicturesAreNot() {
        let entries = (0..<60).map { entry($0, picture(seed: UInt64($0))) }
        #expect(SamePictures.find(in: entries).isEmpty)
        // Mirrored: the same colours, and other lettering.
        #expect(SamePictures.find(in: [entries[1], entry(2, picture(seed: 1).mirrored())]).isEmpty)
    }

    @Test func evenPicturesLookLikeNothing() {
        #expect(PictureFingerprint(RasterImage(width: 9, height: 9, channels: 3, filledWith: 200)) == nil)
        #expect(PictureFingerprint(picture(seed: 1, columns: 1, rows: 2, block: 1)) != nil)
    }

    @Test func aCopyInAnotherSplitIsALeakAndGoesBeforeOneInTheSame() {
        let image = picture(seed: 1)
        let found = SamePictures.find(in: [
            entry(1, image, split: "test"), entry(2, image, split: "train"), entry(3, image, split: "test"),
            entry(4, image),
        ])
        #expect(
            found.map(\.message) == [
                "image \"2.png\" looks like \"1.png\" of line 1, across splits test and train",
                "image \"3.png\" looks like \"2.png\" of line 2, across splits train and test",
                "image \"4.png\" looks like \"1.png\" of line 1",
            ]
        )
        #expect(found.map(\.isLeak) == [true, true, false])
    }

    @Test func sameBytesAreToldAsSuch() {
        var entries = [entry(1, picture(seed: 1)), entry(2, picture(seed: 2)), entry(3, picture(seed: 3))]
        entries[1].digest = "1"
        entries[2].image = "1.png"
        entries[2].digest = "1"
        #expect(
            SamePictures.find(in: entries).map(\.message) == [
                "image \"2.png\" has the same bytes as \"1.png\" of line 1", "image \"1.png\" equals that of line 1",
            ]
        )
    }
}
