import Raster
import Testing

@testable import Realism

@Suite struct LineMeasuresTests {
    @Test func theThresholdIsOtsus() {
        // OpenCV 5.0.0 (threshold, THRESH_OTSU) and scikit-image 0.26.0 (threshold_otsu).
        #expect(Otsu.threshold(of: TestImage.wild.pixels) == 128)
        #expect(Otsu.threshold(of: TestImage.divided.pixels) == 56)
    }

    @Test func oneToneHasNoThreshold() {
        #expect(Otsu.threshold(of: [9, 9, 9]) == nil)
        #expect(Otsu.threshold(of: []) == nil)
        #expect(Otsu.threshold(of: [0, 255]) == 0)
        #expect(LineMeasures(RasterImage(width: 5, height: 5, channels: 3, filledWith: 90)) == nil)
    }

    @Test func unevenTextHasTheContrastOfItsClasses() throws {
        // NumPy 2.4.6: means of divided above 56 and up to 56, of values and in linear light.
        let measures = try #require(LineMeasures(TestImage.divided))
        #expect(abs(measures.contrastSteps - 143.0536562203229) < 1e-9)
        #expect(abs(measures.contrastRatio - 7.165390125781456) < 1e-9)
        // OpenCV 5.0.0: Laplacian(divided, CV_64F, ksize=1)[1:-1, 1:-1].var().
        let variance = LineMeasures.laplacianVariance(TestImage.divided)
        #expect(abs(variance - 2243.6364230595286) < 1e-6)
        #expect(abs(measures.laplacian - variance / (143.0536562203229 * 143.0536562203229)) < 1e-12)
    }

    // Black on white is 21 by definition; the others as WebAIM's contrast checker has them, to two places.
    @Test(arguments: [
        ([0, 0, 0], [255, 255, 255], 21.0), ([0, 0, 255], [255, 255, 0], 8.0), ([255, 0, 0], [255, 255, 255], 4.0),
        ([119, 119, 119], [255, 255, 255], 4.48),
    ])
    func ratioIsThatOfTheAccessibilityGuidelines(text: [Int], ground: [Int], expected: Double) throws {
        let line = TestImage.colour(12, 6) { x, _ in x % 4 == 0 ? text : ground }
        let measures = try #require(LineMeasures(line))
        #expect(abs(measures.contrastRatio - expected) < 0.005)
    }

    @Test func stepsAreOfLuma() throws {
        let line = TestImage.grey(12, 6) { x, _ in x % 4 == 0 ? 200 : 40 }
        let measures = try #require(LineMeasures(line))
        #expect(measures.contrastSteps == 160)
        // By hand: linear light of 200 is 0.57758 and of 40 0.02122.
        #expect(abs(measures.contrastRatio - 0.62758 / 0.07122) < 0.001)
        #expect(measures.edgeRises.count == 30)
    }

    @Test func aLineOfTwoRowsHasNoLaplacian() {
        #expect(LineMeasures.laplacianVariance(TestImage.grey(30, 2) { x, _ in x * 5 }) == 0)
    }
}
