import Foundation
import Imaging
import SpineDatasets
import TestSupport
import Testing

@testable import Harness
@testable import Reports

@Suite(.tags(.unit)) struct HTMLPictureTests {
    /// Returns noise, which no JPEG makes small; the same every time.
    private func noise(_ width: Int, _ height: Int) -> RasterImage {
        var state: UInt32 = 1
        let pixels = (0..<width * height * 3).map { _ -> UInt8 in
            // Numerical Recipes' linear congruential generator.
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        return RasterImage(width: width, height: height, channels: 3, pixels: pixels)
    }

    @Test func thePartsOfAJPEGMakeItAgain() throws {
        let jpeg = try ImageCodec.encodeJPEG(noise(300, 70), quality: 50)
        let parts = try #require(JPEGParts(jpeg))
        #expect((parts.width, parts.height) == (300, 70))
        var head = parts.head
        // 300 is 0x012C, 70 is 0x46; the height comes first.
        head.replaceSubrange(parts.sizeOffset..<parts.sizeOffset + 4, with: [0, 0x46, 0x01, 0x2C])
        #expect(head + parts.scan == jpeg)
    }

    private func json(_ pictures: PagePictures) throws -> [String: [Any]] {
        let data = try JSONEncoder().encode(pictures)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: [Any]])
    }

    @Test func picturesOfOneEncoderShareTheirHead() throws {
        var pictures = PagePictures([], besideBytes: 0)
        for (width, height) in [(8, 9), (20, 5)] {
            let jpeg = try ImageCodec.encodeJPEG(noise(width, height), quality: 50)
            pictures.append(Thumbnail(jpeg: jpeg, fullWidth: 200, fullHeight: 50))
        }
        let json = try json(pictures)
        #expect(json["heads"]?.count == 1)
        #expect(json["items"]?.count == 2)
        #expect((json["items"]?[1] as? [Any])?.compactMap { $0 as? Int } == [200, 50, 0, 20, 5])
    }

    @Test func whatIsNoBaselineJPEGHasNoParts() throws {
        let jpeg = try ImageCodec.encodeJPEG(noise(30, 30), quality: 50)
        var pictures = PagePictures([], besideBytes: 0)
        for file in [[], try ImageCodec.encodePNG(noise(3, 3))] {
            pictures.append(Thumbnail(jpeg: file, fullWidth: 3, fullHeight: 3))
        }
        #expect(try json(pictures)["items"]?.allSatisfy { $0 is NSNull } == true)
        // Every file that ends in its head.
        let head = try #require(JPEGParts(jpeg)).head.count
        for length in 0...head { #expect(JPEGParts(Array(jpeg.prefix(length))) == nil) }
    }

    @Test(arguments: [
        // Room for all there is.
        (1, 0, 24_000, 72), (240, 500_000, 24_000, 72), (0, 0, 24_000, 72),
        // (14,300,000 − 300,000) / 1,000 − 50, three quarters of it.
        (1_000, 300_000, 10_462, 72),
        // (14,300,000 − 8,300,000) / 10,000 − 50 = 550, three quarters of it.
        (10_000, 8_300_000, 412, 40),
        // No room is left: stamps all the same.
        (10_000, 20_000_000, 250, 40),
    ])
    func theBudgetIsWhatIsLeft(pictures: Int, otherBytes: Int, bytes: Int, quality: Int) {
        let budget = ThumbnailBudget(pictures: pictures, otherBytes: otherBytes)
        #expect((budget.bytes, budget.quality) == (bytes, quality))
    }

    @Test(arguments: [
        // Never larger than it is.
        (24_000, 100, 400, 100, 400),
        // Scaled by the long side.
        (24_000, 1_000, 4_000, 140, 560),
        // 4,000 bits for 4,000,000 pixels: √0.001 = 0.0316 of each side.
        (500, 1_000, 4_000, 32, 126),
        (250, 1, 60_000, 1, 560),
    ])
    func theSizeFitsTheBytes(bytes: Int, width: Int, height: Int, expectedWidth: Int, expectedHeight: Int) {
        var budget = ThumbnailBudget(pictures: 1, otherBytes: 0)
        budget.bytes = bytes
        #expect(budget.size(width: width, height: height) == (expectedWidth, expectedHeight))
    }

    @Test func picturesAreDrawnWithinTheirBudgetAndMissingOnesAreNamed() throws {
        let folder = try TemporaryFolder()
        try folder.write(ImageCodec.encodePNG(noise(200, 900)), "a.png")
        try folder.write("no picture", "b.png")
        let store = try PictureStore(folder.path)
        let places = ["a", "b", "c"].map { id in
            var sample = Sample.made(id)
            sample.image = "\(id).png"
            return PagePictures.Place(id, sample, in: store)
        }
        let pictures = PagePictures(places + [nil], besideBytes: 0)
        let items = try #require(try json(pictures)["items"])
        #expect((items[0] as? [Any])?.prefix(2).compactMap { $0 as? Int } == [200, 900])
        #expect(items.dropFirst().count { $0 is NSNull } == 3)
        #expect(pictures.problems.count == 2)
        #expect(pictures.problems[0].hasPrefix("b: image "))
        #expect(pictures.problems[1] == "c: image \"c.png\" cannot be read")

        var budget = ThumbnailBudget(pictures: 1, otherBytes: 0)
        budget.bytes = 400
        let thumbnail = try Thumbnail(
            "a.png",
            in: store,
            budget: budget
        )
        #expect(try #require(JPEGParts(thumbnail.jpeg)).scan.count <= 400)
    }
}
