import Imaging
import TesseractEngine
import TestSupport
import Testing
import TextRecognition

@Suite struct TesseractSpineReaderTests {
    @Test(arguments: LineRecognizerContract.allCases)
    func lineRecognizerKeeps(_ contract: LineRecognizerContract) throws {
        try contract.check(TesseractLineRecognizer())
    }

    @Test(arguments: SpineReaderContract.allCases)
    func keeps(_ contract: SpineReaderContract) throws {
        try contract.check(TesseractSpineReader())
    }

    @Test func quadLiesOnTheLettersOfTheSourceImage() throws {
        // 960 × 112, the line in the middle; its letters reach from 18 to 398 and from 15 to 40 within the line
        // (Pillow's getbbox), so from 290 to 670 and from 43 to 68 here.
        let image = TextFixture.line(onWidth: 960, height: 112)
        let quad = try #require(TesseractSpineReader().read(image.rotated(.clockwise)).lines.first?.quad)
        // Turned clockwise, (x, y) becomes (112 - y, x).
        let corners: [(Double, Double)] = [(69, 290), (69, 670), (44, 670), (44, 290)]
        expectClose(quad.corners, corners, within: 3)
    }

    @Test func quadOfAShrunkImageIsInItsOwnPixels() throws {
        // 20 megapixels: read at 4, so the letters are drawn larger to begin with.
        let line = TextFixture.line.resized(width: 416 * 8, height: 56 * 8)
        var image = RasterImage(width: 5000, height: 4000, channels: 1, filledWith: 255)
        for row in 0..<line.height {
            let start = (1000 + row) * image.width + 600
            let pixels = line.pixels[row * line.width..<(row + 1) * line.width]
            image.pixels.replaceSubrange(start..<start + line.width, with: pixels)
        }
        let reading = try TesseractSpineReader().read(image)
        #expect(reading.lines.map(\.text) == [TextFixture.text])
        let quad = try #require(reading.lines.first?.quad)
        // The letters' box in the line, eight times as large, at (600, 1000).
        let expected: [(Double, Double)] = [(744, 1120), (3784, 1320)]
        expectClose([quad.topLeft, quad.bottomRight], expected, within: 12)
    }

    @Test func extremeShapesWithStructureAreReadWithoutAnError() throws {
        // Stripes are the hardest case: every one of them is a candidate for a letter.
        let reader = try TesseractSpineReader()
        for (width, height) in [(9, 9), (33_000, 9), (10, 3000)] {
            let pixels = (0..<width * height).map { UInt8($0 / 3 % 7 * 40) }
            let image = RasterImage(width: width, height: height, channels: 1, pixels: pixels)
            #expect(throws: Never.self) { try reader.read(image) }
        }
    }

    @Test func oneReaderServesConcurrentReadings() async throws {
        let reader = try TesseractSpineReader()
        let images = [QuarterTurn.none, .clockwise, .half, .counterclockwise].map { TextFixture.line.rotated($0) }
        let texts = try await withThrowingTaskGroup(of: [String].self) { group in
            for image in images { group.addTask { try reader.read(image).lines.map(\.text) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(texts == [String](repeating: TextFixture.text, count: 4))
    }
}
