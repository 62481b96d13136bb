import Foundation
import Testing

@testable import Imaging

struct LimitTests {
    @Test(arguments: [("rgb.png", 24, 16), ("baseline.jpg", 24, 16), ("flat-256.heic", 256, 256)])
    func pixelsAreLimited(name: String, width: Int, height: Int) throws {
        let bytes = try fixture(name)
        let limit = width * height - 1
        #expect(failure(bytes, options: DecodingOptions(maximumPixels: limit + 1)) == nil)
        #expect(
            failure(bytes, options: DecodingOptions(maximumPixels: limit))
                == .tooManyPixels(width: width, height: height, limit: limit)
        )
    }

    @Test
    func bytesAreLimitedInMemoryAndOnDisk() throws {
        let bytes = try fixture("rgb.png")
        let options = DecodingOptions(maximumBytes: bytes.count - 1)
        let fault = ImageFault.tooManyBytes(found: bytes.count, limit: bytes.count - 1)
        #expect(failure(bytes, options: options) == fault)
        let path = try fixturePath("rgb.png")
        #expect(throws: ImageCodecError(name: path, fault: fault)) {
            try ImageCodec.decode(contentsOf: path, options: options)
        }
    }

    @Test
    func aHundredMegapixelsIsTheLimitUnlessToldOtherwise() throws {
        // A JPEG's sides set to 65,535 in its frame header.
        var bytes = try fixture("baseline.jpg")
        let frame = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(
            failure(bytes) == .tooManyPixels(width: 65_535, height: 65_535, limit: 100_000_000)
        )
    }

    @Test(arguments: [("/nonexistent/spine.png", ENOENT), ("/", EISDIR), ("/dev/null", EINVAL)])
    func whatCannotBeReadSaysWhy(path: String, code: Int32) {
        let error = #expect(throws: ImageCodecError.self) { try ImageCodec.decode(contentsOf: path) }
        let reason = String(cString: strerror(code))
        #expect(error?.description.hasPrefix("\(path): ") == true && error?.description.contains(reason) == true)
    }
}
