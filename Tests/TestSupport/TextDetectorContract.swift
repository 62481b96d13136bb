internal import Imaging
public import Testing
public import TextRecognition

/// Contract of every text detector, for any engine.
///
/// A suite runs each case: `@Test(arguments: TextDetectorContract.allCases) func keeps(_ contract: …)`.
public enum TextDetectorContract: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case blankImageHasNoLines
    case smallestImagesAreSearched
    case textIsFoundWhereItIs
    case sameImageIsSearchedTheSameTwice

    /// The case's name.
    public var testDescription: String { rawValue }

    /// Tests the detector; violations are recorded as issues.
    ///
    /// - Throws: the detector's errors, which no case allows.
    public func check(_ detector: some TextDetector) throws {
        switch self {
        case .blankImageHasNoLines:
            for value: UInt8 in [0, 128, 255] {
                let blank = RasterImage(width: 320, height: 96, channels: 3, filledWith: value)
                #expect(try detector.detect(in: blank).lines.isEmpty)
            }
        case .smallestImagesAreSearched:
            for (width, height) in [(1, 1), (4, 4), (400, 1), (1, 400)] {
                let image = RasterImage(width: width, height: height, channels: 1, filledWith: 128)
                expectSound(try detector.detect(in: image).lines, in: image)
            }
        case .textIsFoundWhereItIs:
            let image = TextFixture.line(onWidth: 640, height: 96)
            let lines = try detector.detect(in: image).lines
            expectSound(lines, in: image)
            // The letters reach from 130 to 510 across and from 35 to 60 down (measured with Pillow's getbbox).
            let xs = lines.flatMap(\.corners).map(\.x)
            let ys = lines.flatMap(\.corners).map(\.y)
            let left = try #require(xs.min())
            let right = try #require(xs.max())
            let top = try #require(ys.min())
            let bottom = try #require(ys.max())
            #expect(abs(left - 130) < 16 && abs(right - 510) < 16)
            #expect(abs(top - 35) < 16 && abs(bottom - 60) < 16)
        case .sameImageIsSearchedTheSameTwice:
            let image = TextFixture.line(onWidth: 640, height: 96)
            #expect(try detector.detect(in: image).lines == detector.detect(in: image).lines)
        }
    }

    /// Conditions of every found box.
    private func expectSound(_ lines: [Quad], in image: RasterImage) {
        for line in lines { expectInside(line, image) }
    }
}
