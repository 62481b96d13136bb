import Harness
import Raster
import TestSupport
import Testing

@testable import Realism

@Suite struct SpineMeasurementTests {
    /// Bars of 200 on 40 in two boxes, one 20 and one 30 pixels high, on a picture of 60 × 200.
    private let image = TestImage.grey(60, 200) { x, y in
        ((20..<40).contains(y) || (100..<130).contains(y)) && x % 6 < 3 ? 200 : 40
    }

    private func line(
        _ y: Double,
        _ height: Double,
        confidence: Double? = 0.9,
        text: String = "BARS"
    ) -> Prediction.Line {
        let quad = Quad(
            topLeft: Point(x: 0, y: y),
            topRight: Point(x: 60, y: y),
            bottomRight: Point(x: 60, y: y + height),
            bottomLeft: Point(x: 0, y: y + height)
        )
        return Prediction.Line(text: text, confidence: confidence, quad: quad)
    }

    @Test func figuresAreOfTheLines() throws {
        let found = SpineMeasurement.measure(image, lines: [line(20, 20), line(100, 30)], characters: 8)
        #expect(found[.shortSide] == 60)
        #expect(found[.longSide] == 200)
        #expect(isNear(found[.aspect], 200.0 / 60, within: 1e-12))
        #expect(found[.lines] == 2)
        #expect(found[.characters] == 8)
        // Of two, the lower one.
        #expect(found[.textHeight] == 20)
        #expect(found[.largestTextHeight] == 30)
        #expect(found[.textHeightShare] == 0.5)
        #expect(found[.contrastSteps] == 160)
        #expect(isNear(found[.edgeRise], 0.8, within: 1e-9))
        // Thirty rows of the one against twenty of the other.
        #expect(isNear(found[.edgeRiseShare], 0.8 / 30, within: 1e-9))
        // Outside the boxes the ground is even.
        #expect(found[.unevenLight] == 0)
        #expect(found[.clutter] == 0)
        #expect(Set(found.keys) == Set(SpineStatistic.allCases))
    }

    @Test func doubtfulLinesAreTextButNotMeasured() {
        let doubtful = [
            line(20, 20), line(100, 30, confidence: 0.59), line(60, 9, confidence: nil), line(80, 9, text: "I"),
        ]
        let found = SpineMeasurement.measure(image, lines: doubtful, characters: 8)
        #expect(found[.lines] == 1)
        #expect(found[.largestTextHeight] == 20)
        #expect(found[.clutter] == 0)
    }

    @Test func withoutLinesTheFiguresOfTextAreMissing() {
        let found = SpineMeasurement.measure(image, lines: [], characters: 8)
        let missing: [SpineStatistic] = [
            .textHeight, .largestTextHeight, .textHeightShare, .contrastRatio, .contrastSteps, .edgeRise,
            .edgeRiseShare,
            .laplacian,
        ]
        #expect(Set(SpineStatistic.allCases).subtracting(found.keys) == Set(missing))
        #expect(found[.lines] == 0)
    }

    @Test func anEvenLineHasAHeightAndNothingElse() {
        let even = RasterImage(width: 60, height: 200, channels: 3, filledWith: 90)
        let found = SpineMeasurement.measure(even, lines: [line(20, 20)], characters: 8)
        #expect(found[.textHeight] == 20)
        #expect(found[.contrastRatio] == nil)
        #expect(found[.edgeRise] == nil)
        #expect(found[.blockiness] == nil)
    }

    @Test(arguments: [(1, 1), (1, 300), (3, 3), (64, 64)])
    func blackPicturesHaveASizeAtLeast(width: Int, height: Int) {
        let black = RasterImage(width: width, height: height, channels: 3)
        let found = SpineMeasurement.measure(black, lines: [line(0, 1)], characters: 0)
        #expect(found[.shortSide] == Double(min(width, height)))
        for statistic in [SpineStatistic.brightness, .noise, .colourfulness, .unevenLight, .clutter, .contrastRatio] {
            #expect(found[statistic] == nil)
        }
        #expect(found.values.allSatisfy { $0.isFinite })
    }
}
