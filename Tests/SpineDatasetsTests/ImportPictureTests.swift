import Foundation
import TestSupport
import Testing

@testable import DatasetExchange
@testable import Imaging
@testable import SpineDatasets

@Suite struct ImportPictureTests {
    /// 64 × 64 pixels, the left half blue, the right half red; written by libheif through pillow-heif 1.x.
    private let heic = """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAVZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAA\
        AAAERAAAEAAQAAAAABegABAAAAAAAAACQAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRtAAAAAAABAAAA1mlwcnAA\
        AAC3aXBjbwAAAHhodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQArQgEBA3AAAAMAkA\
        AAAwAAAwAeoCCBBZbqSSmubgIaDAgAAAMAyAAAAwAIQGIAAQAHRAHBcrAiQAAAABNjb2xybmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAABAAAAA\
        QAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgQIDBAAAACxtZGF0AAAAICgBrxmA93yFN//7yCxHz2Zv0BL2s9x3D/grOXzC07\
        zO
        """

    @Test func metadataGoesAndTheTurningStays() throws {
        let fixture = try ImportFixture()
        let jpeg = try ImportFixture.jpeg(orientation: 6)
        try fixture.folder.write(jpeg, "source/a.jpg")
        try fixture.write("file,text\na.jpg,T\n", "labels.csv")
        let outcome = try fixture.imported()
        let bytes = try Array(Data(contentsOf: URL(filePath: outcome.path + "/images/a.jpg")))
        let (before, after) = (try ImageCodec.decode(jpeg, name: "a"), try ImageCodec.decode(bytes, name: "a"))
        #expect(after.header.orientation == 6 && after.image == before.image)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("taken at home"))
        #expect(outcome.report.notes[.metadataRemoved] == 1)
        let kept = try fixture.imported("") { $0.keepsMetadata = true }
        #expect(try Array(Data(contentsOf: URL(filePath: kept.path + "/images/a.jpg"))) == jpeg)
        #expect(kept.report.notes[.metadataKept] == 1)
    }

    @Test func heicBecomesJPEG() throws {
        let fixture = try ImportFixture()
        let data = try #require(Data(base64Encoded: heic, options: .ignoreUnknownCharacters))
        try fixture.folder.write(Array(data), "source/IMG_1.HEIC")
        try fixture.write("file,text\nIMG_1.HEIC,T\n", "labels.csv")
        let outcome = try fixture.imported()
        #expect(outcome.samples.first?.image == "images/IMG_1.jpg")
        #expect(outcome.report.notes[.recoded] == 1)
        let decoded = try ImageCodec.decode(contentsOf: outcome.path + "/images/IMG_1.jpg")
        #expect(decoded.header.format == .jpeg && decoded.image.width == 64)
    }

    @Test(
        "other kinds are refused by name",
        arguments: [
            ("a.tif", "II*\0rest", "found a TIFF image"),
            ("a.webp", "RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8 ", "found a WebP image"),
            ("a.gif", "GIF89a", "found a GIF image"), ("a.png", "", "the file is empty"),
            ("a.jpg", "hello", "found text"),
        ]
    )
    func kinds(_ name: String, _ bytes: String, _ message: String) throws {
        let fixture = try ImportFixture()
        try fixture.write(bytes, name)
        try fixture.write("file,text\n\(name),T\n", "labels.csv")
        let found = try fixture.faults()
        #expect(found.count == 1 && found[0].hasPrefix("labels.csv:2: picture \(name): \(message)"), "\(found)")
    }

    @Test func aDamagedPictureIsRefused() throws {
        let fixture = try ImportFixture()
        try fixture.folder.write(Array(try ImportFixture.jpeg(orientation: 1).dropLast(40)), "source/a.jpg")
        try fixture.write("file,text\na.jpg,T\n", "labels.csv")
        #expect(try fixture.faults().first?.contains("found a truncated JPEG file") == true)
    }

    @Test func aLinkOutOfTheSourceIsRefused() throws {
        let fixture = try ImportFixture()
        try fixture.folder.write(tinyPNG, "private.png")
        try fixture.picture("b.png")
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: fixture.folder("source/a.png"),
            withDestinationPath: fixture.folder("private.png")
        )
        try manager.createSymbolicLink(atPath: fixture.folder("source/c.png"), withDestinationPath: "b.png")
        try fixture.write("file,text\na.png,T\nc.png,T\n", "labels.csv")
        let found = try fixture.faults()
        #expect(found == ["labels.csv:2: picture \"a.png\" links outside the source; copy the file into the source"])
    }

    /// Position of the stored point (10, 5) of 40 × 20 pixels for each orientation: by the table of Exif 2.32 (row
    /// and column that the stored first row and column are seen at).
    @Test(
        "stored points are turned as EXIF says",
        arguments: zip(
            1...8,
            [
                Point(x: 10, y: 5), Point(x: 30, y: 5), Point(x: 30, y: 15), Point(x: 10, y: 15), Point(x: 5, y: 10),
                Point(x: 15, y: 10), Point(x: 15, y: 30), Point(x: 5, y: 30),
            ]
        )
    )
    func storedPoints(_ orientation: Int, _ expected: Point) throws {
        let frame = ImageHeader(format: .png, width: 40, height: 20, channels: 1, orientation: orientation)
        #expect(frame.upright(Point(x: 10, y: 5)) == expected)
        // The decoder rotates pixels the same way: a marked one is found at the frame's position.
        var stored = RasterImage(width: 40, height: 20, channels: 1, filledWith: 0)
        stored.pixels[5 * 40 + 10] = 255
        var png = try ImageCodec.encodePNG(stored)
        let exif: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0,
        ]
        png.insert(contentsOf: chunk("eXIf", exif), at: 33)
        let image = try ImageCodec.decode(png, name: "marked").image
        let centre = frame.upright(Point(x: 10.5, y: 5.5))
        #expect(image.pixels[Int(centre.y) * image.width + Int(centre.x)] == 255)
    }

    /// Returns a PNG chunk with its checksum, CRC-32 as in the PNG specification, annex D.
    private func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in body {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
        }
        func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        return big(UInt32(data.count)) + body + big(~crc)
    }
}
