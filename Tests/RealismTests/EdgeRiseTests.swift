import Foundation
import Raster
import TestSupport
import Testing

@testable import Realism

@Suite struct EdgeRiseTests {
    private func rises(_ values: [Double], atLeast height: Double = 50) -> [Double] {
        EdgeRise.rises(along: values, atLeast: height, tolerance: 0.3 * height)
    }

    @Test func aPerfectEdgeRisesBetweenTwoPixels() {
        // 10 % to 90 % of one pixel's step.
        #expect(rises([20, 20, 20, 220, 220, 220]).map { ($0 * 1e9).rounded() / 1e9 } == [0.8])
        #expect(rises([220, 220, 20, 20]).map { ($0 * 1e9).rounded() / 1e9 } == [0.8])
    }

    @Test(arguments: [2, 5, 10])
    func anEvenSlopeRisesOverFourFifthsOfIt(width: Int) throws {
        let slope = (0...width).map { 10 + 200 * Double($0) / Double(width) }
        let found = rises([10, 10, 10] + slope + [210, 210])
        #expect(found.count == 1)
        #expect(isNear(found.first, 0.8 * Double(width), within: 1e-9))
    }

    // 10 % to 90 % of the normal distribution are 2.5631 standard deviations; straight lines between pixels add a little.
    @Test(arguments: [1.0, 2, 3.5])
    func aBlurredEdgeRisesByItsBlur(sigma: Double) throws {
        let edge = (0..<40).map { 120 + 90 * erf((Double($0) - 19.3) / (sigma * 2.0.squareRoot())) }
        let found = rises(edge)
        #expect(found.count == 1)
        #expect(isNear(found.first, 2.5631 * sigma, within: 0.15))
    }

    @Test func aStrokeHasTwoEdges() {
        #expect(rises([30, 30, 30, 200, 200, 200, 30, 30]).count == 2)
        #expect(rises([30, 30, 200, 30, 30]).count == 2)
    }

    @Test func smallReversalsEndNoEdge() throws {
        let found = rises([10, 12, 9, 60, 55, 110, 108, 160, 210, 208, 211])
        #expect(found.count == 1)
        // From 9 to 211: 29.2 lies at 2.396, 190.8 at 7.616.
        #expect(isNear(found.first, 5.22, within: 0.005))
    }

    @Test func whatIsTooLowIsNoEdge() {
        #expect(rises([10, 10, 59, 59]).isEmpty)
        #expect(rises([10, 10, 60, 60]).count == 1)
        #expect(rises([7]).isEmpty)
        #expect(rises([]).isEmpty)
        #expect(rises([7, 7, 7]).isEmpty)
    }

    @Test func rowsAndColumnsAreWalked() {
        // A light square of 4 on 10 × 8: four rows and four columns cross two edges each.
        let image = TestImage.grey(10, 8) { x, y in (3..<7).contains(x) && (2..<6).contains(y) ? 230 : 30 }
        let found = EdgeRise.rises(in: image, atLeast: 100)
        #expect(found.count == 16)
        #expect(found.allSatisfy { abs($0 - 0.8) < 1e-9 })
    }
}
