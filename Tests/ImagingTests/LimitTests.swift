import Foundation
import Testing

@testable import Imaging

struct LimitTests {
    @Test(arguments: ["rgb.png", "baseline.jpg"])
    func pixelsAreLimited(name: String) throws {
        let bytes = try fixture(name)
        #expect(failure(bytes, options: DecodingOptions(maximumPixels: 24 * 16)) == nil)
        #expect(
            failure(bytes, options: DecodingOptions(maximumPixels: 24 * 16 - 1))
                == .tooManyPixels(width: 24, height: 16, limit: 383)
        )
    }

    @Test
    func bytesAreLimitedInMemoryAndOnDisk() throws {
        let bytes = try fixture("rgb.png")
        let options = DecodingOptions(maximumBytes: bytes.count - 1)
        #expect(
            failure(bytes, options: options)
                == .tooManyBytes(found: bytes.count, limit: bytes.count - 1)
        )
        let path = try fixturePath("rgb.png")
        let fault = ImageFault.tooManyBytes(found: bytes.count, limit: bytes.count - 1)
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
        do throws(ImageCodecError) {
            _ = try ImageCodec.decode(contentsOf: path)
            Issue.record("\(path) was read")
        } catch {
            guard case .unreadable(_, code) = error.fault else {
                Issue.record("\(error)")
                return
            }
            #expect("\(error)".hasPrefix(path))
        }
    }
}
