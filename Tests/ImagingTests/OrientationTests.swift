import Imaging
import Testing

struct OrientationTests {
    /// Positions of the quarters A B over C D, row by row.
    ///
    /// By hand from Exif 2.32, table 4: row 0 and column 0 of
    /// the stored picture are, in turn, at the top and left, top and right, bottom and right, bottom and left, left and
    /// top, right and top, right and bottom, left and bottom.
    private static let order: [UInt8: [Int]] = [
        1: [0, 1, 2, 3], 2: [1, 0, 3, 2], 3: [3, 2, 1, 0], 4: [2, 3, 0, 1],
        5: [0, 2, 1, 3], 6: [2, 0, 3, 1], 7: [3, 1, 2, 0], 8: [1, 3, 0, 2],
    ]

    @Test(arguments: 1...8 as ClosedRange<UInt8>, [false, true])
    func aJPEGIsTurnedUpright(orientation: UInt8, bigEndian: Bool) throws {
        let stored = try fixture("baseline.jpg")
        let plain = try image(stored)
        let decoded = try ImageCodec.decode(
            withAPP1(stored, exif(orientation: orientation, bigEndian: bigEndian)),
            name: "turned"
        )
        #expect(decoded.header.orientation == Int(orientation))
        let (width, height) = orientation >= 5 ? (16, 24) : (24, 16)
        #expect(decoded.image.width == width && decoded.image.height == height)
        #expect(decoded.header.orientedWidth == width && decoded.header.orientedHeight == height)
        // Near enough: within a quarter the pixels differ a little, and the quarters differ by far more.
        let expected = try #require(Self.order[orientation]).map { plain.quarters[$0] }
        #expect(decoded.image.quarters.difference(expected) <= 10, "\(decoded.image.quarters)")
    }

    /// Expected: Pillow 13.0, `ImageOps.exif_transpose`, of a file that Pillow wrote.
    @Test(arguments: [
        ("exif-6.jpg", [[24, 54, 186], [204, 28, 39], [122, 109, 100], [20, 160, 61]]),
        ("exif.png", [[30, 50, 190], [200, 30, 40], [120, 110, 100], [20, 160, 60]]),
    ])
    func filesAreTurnedAsByPillow(name: String, expected: [[Int]]) throws {
        let upright = try image(fixture(name))
        #expect(upright.width == 16 && upright.height == 24)
        #expect(upright.quarters.difference(expected) <= 1, "\(upright.quarters)")
    }

    @Test(arguments: [
        // Orientations that do not exist; a cut-off header; another byte order; an offset past the end; a bad magic
        // number.
        exif(orientation: 0, bigEndian: true), exif(orientation: 9, bigEndian: false),
        Array(exif(orientation: 6, bigEndian: true).prefix(9)), Array(exif(orientation: 6, bigEndian: true).prefix(20)),
        Array("Exif\0\0XX".utf8) + [UInt8](repeating: 0, count: 40),
        Array("Exif\0\0MM\0*".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 1],
        Array("Exif\0\0II".utf8) + [43, 0, 8, 0, 0, 0],
        Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8), [],
    ])
    func exifThatMakesNoSenseIsIgnored(content: [UInt8]) throws {
        let stored = try fixture("baseline.jpg")
        let decoded = try ImageCodec.decode(withAPP1(stored, content), name: "odd EXIF")
        #expect(decoded.header.orientation == 1)
        #expect(try decoded.image == image(stored))
    }
}
