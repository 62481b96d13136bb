import Raster
import Testing

@testable import TextRecognition

@Suite struct GapFinderTests {
    /// 600 × 48, printed all over but for the last seventy columns.
    private let printed = image(600, 48) { x, y in x < 530 && (x / 4 + y / 4) % 2 == 0 ? 0 : 255 }
    /// Letters 40 apart, with room for six more between D and E.
    private let positions: [Double] = [20, 60, 100, 140, 400, 440, 480, 520]

    @Test func stretchWithoutCharactersIsAGap() {
        // A quarter of the pitch is kept on either side: 140 + 10 to 400 - 10. Behind the last letter nothing is printed.
        let gaps = GapFinder().gaps(in: recognition("ABCDEFGH", at: positions), image: printed)
        #expect(gaps == [Gap(start: 150.0 / 600, end: 390.0 / 600, characters: 4..<4)])
    }

    @Test func gapBeforeTheFirstAndBehindTheLastCharacterIsFound() {
        let full = image(600, 48) { x, y in (x / 4 + y / 4) % 2 == 0 ? 0 : 255 }
        let gaps = GapFinder().gaps(in: recognition("ABCD", at: [240, 280, 320, 360]), image: full)
        #expect(
            gaps == [
                Gap(start: 0, end: 230.0 / 600, characters: 0..<0),
                Gap(start: 370.0 / 600, end: 1, characters: 4..<4),
            ]
        )
    }

    @Test func blankStretchIsNoGap() {
        let blank = image(600, 48) { x, y in !(150..<390).contains(x) && (x / 4 + y / 4) % 2 == 0 ? 0 : 255 }
        #expect(GapFinder().gaps(in: recognition("ABCDEFGH", at: positions), image: blank.cropped(to: 530)).isEmpty)
    }

    @Test func doubtfulCharactersAndSpacesAreInTheGap() {
        var line = recognition("ABCD ?EFGH", at: [20, 60, 100, 140, 250, 300, 400, 440, 480, 520])
        line.characters[5].confidence = 0.4
        let gaps = GapFinder().gaps(in: line, image: printed)
        #expect(gaps == [Gap(start: 150.0 / 600, end: 390.0 / 600, characters: 4..<6)])
    }

    @Test func lineSetEvenlyHasNoGap() {
        let even = recognition("ABCDEFGHIJKLMN", at: (0..<14).map { 20 + 40 * Double($0) })
        #expect(GapFinder().gaps(in: even, image: printed).isEmpty)
    }

    @Test func lineOfOneSureCharacterHasNoGaps() {
        #expect(GapFinder().gaps(in: recognition("A", at: [20]), image: printed).isEmpty)
        #expect(GapFinder().gaps(in: recognition("", at: []), image: printed).isEmpty)
        #expect(GapFinder().gaps(in: recognition("ABCD", at: positions, confidence: 0.5), image: printed).isEmpty)
        #expect(GapFinder().gaps(in: LineRecognition(text: "TITLE", confidence: 1), image: printed).isEmpty)
    }

    @Test func charactersBeyondTheImageAreTaken() {
        // A recogniser may place a character in the padding, or two at one place.
        for places in [[-90, -50, 100, 700, 900], [650, 700, 900, 1200, 1300], [50, 50, 50, 50, 400]] as [[Double]] {
            for gap in GapFinder().gaps(in: recognition("ABCDE", at: places), image: printed) {
                #expect((0...1).contains(gap.start) && gap.start < gap.end && gap.end <= 1)
            }
        }
    }
}

extension RasterImage {
    /// The first columns.
    fileprivate func cropped(to width: Int) -> RasterImage {
        image(width, height) { x, y in pixels[y * self.width + x] }
    }
}
