import Basics
import Imaging
import TestSupport
import Testing

@testable import CaptureReading

/// Codes that the tests draw from published tables: see `DrawnCode`.
@Suite
struct CodeFinderTests {
    /// Kind of code, with its content.
    enum Kind: String, CaseIterable {
        case ean13 = "9780306406157"
        case ean8 = "96385074"
        case code128 = "Shelf-42 b"
        case qr = "https://example.org/a?b=1"

        var code: DrawnCode {
            switch self {
            case .ean13: .ean13(rawValue)
            case .ean8: .ean8(rawValue)
            case .code128: .code128(rawValue)
            case .qr: .qr
            }
        }

        var symbology: FoundCode.Symbology {
            switch self {
            case .ean13: .ean13
            case .ean8: .ean8
            case .code128: .code128
            case .qr: .qr
            }
        }
    }

    private func found(_ image: RasterImage) -> [String] { CodeFinder.codes(in: image).map(\.payload) }

    @Test(arguments: Kind.allCases)
    func readsAtAnyAngle(_ kind: Kind) throws {
        for degrees in stride(from: 0.0, to: 360, by: 10) {
            var image = RasterImage.plain(460, 460, 140)
            image.draw(kind.code, x: 230, y: 225, degrees: degrees, scale: 2.5)
            let codes = CodeFinder.codes(in: image)
            #expect(codes.map(\.payload) == [kind.rawValue], "at \(degrees) degrees")
            let code = try #require(codes.first)
            #expect(code.symbology == kind.symbology)
            #expect((code.minX..<code.maxX).contains(230) && (code.minY..<code.maxY).contains(225), "at \(degrees)")
            #expect(code.minX >= 0 && code.minY >= 0 && code.maxX <= 460 && code.maxY <= 460)
        }
    }

    /// A picture of one code: its ground, angle, pixels a module, ink and paper, and noise.
    struct Look: Sendable {
        var side = 500
        var ground: UInt8 = 150
        var degrees = 0.0
        var scale = 3.0
        var dark = 30.0
        var light = 230.0
        var noise = 0.0
        /// Light on dark, as on screens.
        var isInverted = false
    }

    static let looks: [Look] = {
        let inverted = [0.0, 30, 90, 200].map {
            Look(side: 460, ground: 140, degrees: $0, scale: 2.5, isInverted: true)
        }
        let sizes = [2.0, 3, 5, 8].map { Look(side: 0, ground: 170, degrees: 4, scale: $0) }
        let noisy = [5.0, 10].map { Look(degrees: 33, noise: $0) }
        // 40 of 255 between ink and paper.
        let faint = [0.0, 45].map { Look(ground: 100, degrees: $0, dark: 110, light: 150) }
        return inverted + sizes + noisy + faint
    }()

    @Test(arguments: Kind.allCases, looks)
    func readsSmallLargeNoisyFaintAndInvertedCodes(_ kind: Kind, _ look: Look) {
        let side = look.side > 0 ? look.side : Int(Double(kind.code.modules[0].count + 30) * look.scale)
        var image = RasterImage.plain(side, side, look.ground)
        image.draw(
            kind.code,
            x: Double(side) / 2,
            y: Double(side) / 2,
            degrees: look.degrees,
            scale: look.scale,
            dark: look.dark,
            light: look.light
        )
        if look.noise > 0 { image.addNoise(look.noise, seed: 7) }
        if look.isInverted { for index in image.pixels.indices { image.pixels[index] = 255 - image.pixels[index] } }
        #expect(found(image) == [kind.rawValue])
    }

    @Test
    func readsSeveralOnOnePictureFromTheTopLeftOn() {
        var image = RasterImage.plain(800, 600, 120)
        image.draw(Kind.qr.code, x: 120, y: 110, degrees: 15, scale: 4)
        image.draw(Kind.ean13.code, x: 520, y: 160, degrees: 0, scale: 3)
        image.draw(Kind.code128.code, x: 560, y: 430, degrees: 60, scale: 2)
        image.draw(Kind.ean8.code, x: 180, y: 430, degrees: 120, scale: 3)
        // The second copy of a content does not count.
        image.draw(Kind.qr.code, x: 370, y: 400, degrees: 0, scale: 3)
        let codes = CodeFinder.codes(in: image)
        #expect(Set(codes.map(\.payload)) == Set(Kind.allCases.map(\.rawValue)))
        #expect(codes.count == 4)
        #expect(codes.map(\.minY) == codes.map(\.minY).sorted())
    }

    /// Pictures without codes, also without room for a gradient.
    @Test(arguments: [(400, 300), (1, 500), (500, 1), (1, 1), (9, 9), (8, 300), (10, 2_000)])
    func emptyPicturesHaveNone(_ width: Int, _ height: Int) {
        #expect(found(.plain(width, height)).isEmpty)
        var noisy = RasterImage.plain(width, height)
        noisy.addNoise(20, seed: 3)
        #expect(found(noisy).isEmpty)
    }

    /// A turned code of 25 modules and its quiet zone: the middle is its pattern, and the corner of its box is none.
    @Test(arguments: [Kind.qr, .ean13], [0.0, 45])
    func whatIsReadInThePatternIsCovered(_ kind: Kind, _ degrees: Double) throws {
        var image = RasterImage.plain(460, 460, 140)
        image.draw(kind.code, x: 230, y: 225, degrees: degrees, scale: 2.5)
        let code = try #require(CodeFinder.codes(in: image).first)
        func line(_ x: Int, _ y: Int) -> Quad {
            Quad(left: Double(x) - 5, top: Double(y) - 1, right: Double(x) + 5, bottom: Double(y) + 1)
        }
        #expect(code.covers(line(230, 225)) && !code.covers(line(10, 10)))
        // Bars may have been read by rows that are turned.
        if kind == .qr { #expect(code.covers(line(code.maxX - 2, code.maxY - 2)) == (degrees == 0)) }
    }

    @Test
    func coloursAreReadByTheirBrightness() {
        var grey = RasterImage.plain(300, 300)
        grey.draw(Kind.qr.code, x: 150, y: 150, degrees: 20, scale: 4)
        // Dark blue on yellow.
        let pixels = grey.pixels.flatMap { value in [value, value, UInt8(min(120, 60 + Int(value) / 4))] }
        #expect(found(RasterImage(width: 300, height: 300, channels: 3, pixels: pixels)) == [Kind.qr.rawValue])
    }

    /// A small code on a picture of 14 megapixels: too small at the first look's 1,000 pixels, so the second one
    /// finds it.
    @Test
    func readsSmallCodesOnHugePictures() throws {
        var image = RasterImage.plain(4_400, 3_200, 160)
        image.draw(Kind.ean13.code, x: 3_000, y: 1_500, degrees: 70, scale: 3)
        let code = try #require(CodeFinder.codes(in: image).first)
        #expect(code.payload == Kind.ean13.rawValue)
        #expect((code.minX..<code.maxX).contains(3_000) && (code.minY..<code.maxY).contains(1_500))
    }

    @Test
    func booksAreToldByTheirPrefix() throws {
        func code(_ payload: String, _ symbology: FoundCode.Symbology = .ean13) throws -> FoundCode {
            var image = RasterImage.plain(400, 300)
            image.draw(symbology == .ean13 ? .ean13(payload) : .ean8(payload), x: 200, y: 150)
            return try #require(CodeFinder.codes(in: image).first)
        }
        // The example of the ISBN Users' Manual, 7th edition, section 6.
        #expect(try code("9780306406157").isbn?.digits == "9780306406157")
        #expect(try code("9791090636071").isbn?.digits == "9791090636071")
        // Groceries: the example of ISO/IEC 15420's check digit, and EAN-8.
        #expect(try code("4006381333931").isbn == nil)
        #expect(try code("96385074", .ean8).isbn == nil)
    }
}
