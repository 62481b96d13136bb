internal import Imaging
public import Testing
public import TextRecognition

/// Contract of every spine reader, for any engine.
///
/// A suite runs each case: `@Test(arguments: SpineReaderContract.allCases) func keeps(_ contract:
/// SpineReaderContract)`.
public enum SpineReaderContract: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case blankImageHasNoText
    case smallestImagesHaveNoText
    case slimStripsHaveNoText
    case twentyMegapixelsWithoutTextAreRead
    case textIsReadWhicheverWayItRuns
    case textIsReadInColour
    case textIsReadOnAStripTwentyTimesAsLongAsHigh
    case textIsReadOnASquare
    case sameImageIsReadTheSameTwice

    /// The case's name.
    public var testDescription: String { rawValue }

    /// Tests the reader; violations are recorded as issues.
    ///
    /// - Throws: the reader's errors, which no case allows.
    public func check(_ reader: some SpineTextReader) throws {
        switch self {
        case .blankImageHasNoText:
            for channels in [1, 3] {
                for value: UInt8 in [0, 128, 255] {
                    let blank = RasterImage(width: 300, height: 80, channels: channels, filledWith: value)
                    try expectNoText(in: blank, by: reader)
                }
            }
        case .smallestImagesHaveNoText:
            for side in [1, 2, 3, 4] {
                try expectNoText(in: RasterImage(width: side, height: side, channels: 3), by: reader)
                // A dark and a bright corner: not blank, and still no text.
                var spotted = RasterImage(width: side, height: side, channels: 1, filledWith: 30)
                spotted.pixels[0] = 220
                expectSound(try reader.read(spotted), of: spotted)
            }
        case .slimStripsHaveNoText:
            for (width, height) in [(1, 400), (400, 1), (4, 2000), (2000, 4)] {
                try expectNoText(in: RasterImage(width: width, height: height, channels: 1), by: reader)
            }
        case .twentyMegapixelsWithoutTextAreRead:
            let large = RasterImage(width: 5000, height: 4000, channels: 1, filledWith: 200)
            try expectNoText(in: large, by: reader)
        case .textIsReadWhicheverWayItRuns:
            for (turn, orientation) in Self.turns {
                try expectText(in: TextFixture.line.rotated(turn), orientation: orientation, by: reader)
            }
        case .textIsReadInColour:
            // Black on yellow: white becomes yellow without blue.
            var yellow = TextFixture.line(onWidth: 480, height: 90).rgb().rotated(.clockwise)
            for blue in stride(from: 2, to: yellow.pixels.count, by: 3) { yellow.pixels[blue] = 0 }
            try expectText(in: yellow, orientation: .clockwise, by: reader)
        case .textIsReadOnAStripTwentyTimesAsLongAsHigh:
            let strip = TextFixture.line(onWidth: 1280, height: 64)
            try expectText(in: strip, orientation: .upright, by: reader)
            try expectText(in: strip.rotated(.clockwise), orientation: .clockwise, by: reader)
        case .textIsReadOnASquare:
            try expectText(in: TextFixture.line(onWidth: 480, height: 480), orientation: .upright, by: reader)
        case .sameImageIsReadTheSameTwice:
            let image = TextFixture.line.rotated(.counterclockwise)
            let first = try reader.read(image)
            let second = try reader.read(image)
            #expect(first.lines == second.lines)
            #expect(first.orientation == second.orientation)
        }
    }

    /// Direction of the text after the upright line was turned.
    private static let turns: [(QuarterTurn, TextOrientation)] = [
        (.none, .upright), (.clockwise, .clockwise), (.half, .inverted), (.counterclockwise, .counterclockwise),
    ]

    private func expectNoText(in image: RasterImage, by reader: some SpineTextReader) throws {
        let reading = try reader.read(image)
        #expect(reading.lines.isEmpty, "\(image.width)×\(image.height)×\(image.channels)")
        expectSound(reading, of: image)
    }

    private func expectText(
        in image: RasterImage,
        orientation: TextOrientation,
        by reader: some SpineTextReader
    ) throws {
        let reading = try reader.read(image)
        expectSound(reading, of: image)
        #expect(reading.lines.map(\.text).joined(separator: " ") == TextFixture.text)
        #expect(reading.orientation == orientation)
        for line in reading.lines {
            #expect(
                direction(of: line.quad) == orientation,
                "the corners are named as the reader of the text sees them"
            )
        }
    }

    /// Conditions of every reading.
    private func expectSound(_ reading: SpineReading, of image: RasterImage) {
        #expect(reading.lines.isEmpty == (reading.orientation == nil))
        #expect(reading.timings.total >= reading.timings.detectionInference + reading.timings.recognitionInference)
        for line in reading.lines {
            #expect(!line.text.isEmpty)
            #expect((0...1).contains(line.confidence))
            expectInside(line.quad, image)
        }
    }

    /// Returns the direction of the upper edge of a quad, to the nearest quarter turn.
    private func direction(of quad: Quad) -> TextOrientation {
        let along = quad.topRight.x - quad.topLeft.x
        let down = quad.topRight.y - quad.topLeft.y
        if abs(along) >= abs(down) { return along >= 0 ? .upright : .inverted }
        return down >= 0 ? .clockwise : .counterclockwise
    }
}

/// Expects a quad to be inside its image.
///
/// An edge may exceed the image by a tenth of its shorter side, for the margin that a detector leaves around letters
/// that touch the border.
func expectInside(_ quad: Quad, _ image: RasterImage) {
    let margin = Double(min(image.width, image.height)) / 10
    for corner in quad.corners {
        #expect((-margin...Double(image.width) + margin).contains(corner.x))
        #expect((-margin...Double(image.height) + margin).contains(corner.y))
    }
}
