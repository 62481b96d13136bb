import Imaging
import Testing

struct ForeignFileTests {
    @Test(
        arguments: [
            (Array("GIF89a".utf8), "a GIF image"),
            (Array("RIFF\u{4}\0\0\0WEBPVP8 ".utf8), "a WebP image"),
            ([0, 0, 0, 24] + Array("ftypavif".utf8), "an AVIF image"),
            ([0, 0, 0, 24] + Array("ftypisom".utf8), "an MPEG-4 file"),
            (Array("%PDF-1.7".utf8), "a PDF document"),
            (Array("II*\0\u{8}\0\0\0".utf8), "a TIFF image"),
            (Array("MM\0*\0\0\0\u{8}".utf8), "a TIFF image"),
            (Array("BM\0\0\0\0".utf8), "a BMP image"),
            (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
            (Array("<svg xmlns=".utf8), "markup (SVG, HTML or XML)"),
            (Array("a book".utf8), "text"),
            ([1, 2, 0xAB, 0], "data that starts with 01 02 AB 00"),
            // The first bytes of a JPEG and no more, and a PNG signature spoilt by a transfer in text mode.
            ([0xFF, 0xD8, 0x00], "data that starts with FF D8 00"),
            ([0x89, 0x50, 0x4E, 0x47, 0x0A, 0x1A, 0x0A, 0x00], "data that starts with 89 50 4E 47 0A 1A 0A 00"),
        ] as [([UInt8], String)]
    )
    func aForeignFileIsNamed(bytes: [UInt8], found: String) {
        #expect(failure(bytes) == .foreign(found))
    }

    @Test
    func theMessageNamesFileFoundAndExpected() {
        let error = #expect(throws: ImageCodecError.self) { try image(Array("GIF89a".utf8)) }
        #expect(
            error?.description
                == "some file: found a GIF image; expected a PNG, JPEG or HEIC image, so convert it first"
        )
    }
}
