import Raster
import TestSupport
import Testing

@testable import Realism

@Suite struct NoiseLevelTests {
    private func sigma(_ image: RasterImage) -> Double? {
        NoiseLevel.sigma(of: image, in: VisibleArea(of: image, margin: 0))
    }

    // By construction; rounding to whole steps adds a variance of 1/12.
    @Test(arguments: [1.0, 2.5, 5, 12])
    func sigmaIsThatOfTheNoise(expected: Double) throws {
        let found = try #require(sigma(TestImage.noise(200, 150, sigma: expected) { _, _ in 128 }))
        #expect(abs(found - (expected * expected + 1.0 / 12).squareRoot()) < 0.03 * expected)
    }

    @Test func slopesAndLetteringHardlyCount() throws {
        // A slope all over, and on a third of the picture stripes of full contrast.
        let image = TestImage.noise(210, 150, sigma: 4) { x, y in
            x < 70 ? (x % 6 < 3 ? 40 : 215) : 60 + 0.6 * Double(x)
        }
        #expect(isNear(sigma(image), 4.01, within: 0.2))
    }

    @Test func anEvenPictureHasNone() {
        #expect(sigma(TestImage.grey(20, 20) { _, _ in 77 }) == 0)
    }

    @Test func tooLittleToSeeTellsNothing() {
        #expect(sigma(TestImage.grey(2, 500) { _, _ in 77 }) == nil)
        #expect(sigma(TestImage.grey(9, 10) { _, _ in 77 }) == nil)
        #expect(sigma(TestImage.grey(40, 40) { _, _ in 0 }) == nil)
    }

    // OpenCV 5.0.0: Sobel(wild, CV_64F, …, ksize=3) at x = 5, y = 7 gives 728 across and 224 down.
    @Test func slopeIsSobels() {
        #expect(Sobel.squared(at: 5, 7, in: TestImage.wild) == 728 * 728 + 224 * 224)
    }
}
