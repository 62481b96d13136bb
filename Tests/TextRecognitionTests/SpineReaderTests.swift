import Basics
import Imaging
import Synchronization
import TestSupport
import Testing

@testable import TextRecognition

/// Returns a spine whose grey grows from left to right and from top to bottom, so that a straightened line shows its
/// direction in the picture.
private func slope(_ width: Int, _ height: Int) -> RasterImage {
    image(width, height) { x, y in UInt8(120 * x / width + 120 * y / height) }
}

/// Returns whether a line cut out of a slope runs to the right or downwards in it.
private func runsForward(_ line: RasterImage) -> Bool {
    let middle = line.height / 2 * line.width
    return line.pixels[middle] < line.pixels[middle + line.width - 1]
}

private func found(_ quads: Quad...) -> ScriptedDetector {
    ScriptedDetector(lines: quads)
}

private struct EngineFailure: Error, Equatable {
    var stage: String
}

/// A classifier that always gives the same answer, in two milliseconds.
private final class ScriptedClassifier: LineDirectionClassifier {
    private let isUpsideDown: Bool
    private let images = Mutex<[RasterImage]>([])

    init(isUpsideDown: Bool) { self.isUpsideDown = isUpsideDown }

    var received: [RasterImage] { images.withLock { $0 } }

    func isUpsideDown(_ line: RasterImage) -> (answer: Bool, inferenceTime: Duration) {
        images.withLock { $0.append(line) }
        return (isUpsideDown, .milliseconds(2))
    }
}

/// Images in these tests have the size of the look, so that the scale is 1.
private let look = Look(frame: .turned, shortSide: 60, longSide: 600)

@Suite struct SpineReaderTests {
    private let sure = ScriptedRecognizer(text: "HARBOUR", confidence: 0.95)

    private func reader(
        _ detector: ScriptedDetector,
        _ recognizer: ScriptedRecognizer,
        first: Look = look,
        further: [Look] = [],
        when: SpineReaderConfiguration.FurtherLooks = .whenUnsure,
        orientation: SpineReaderConfiguration.OrientationCheck = .longestLine,
        classifier: ScriptedClassifier? = nil
    ) -> SpineReader {
        SpineReader(
            detector: detector,
            recognizer: recognizer,
            classifier: classifier,
            configuration: SpineReaderConfiguration(
                firstLook: first,
                furtherLooks: further,
                furtherLooksWhen: when,
                orientation: orientation
            )
        )
    }

    @Test(
        arguments: [(.none, 1, 0), (.bothWays, 2, 1)] as [(SpineReaderConfiguration.OrientationCheck, Double, Double)]
    )
    func linesReadAgainAreCounted(
        orientation: SpineReaderConfiguration.OrientationCheck,
        lines: Double,
        again: Double
    ) throws {
        let reader = reader(found(box(10, 10, 200, 40)), sure, orientation: orientation)
        let (reading, counts) = WorkMeter.counting { Result { try reader.read(slope(600, 60)) } }
        #expect(try reading.get().lines.count == 1)
        #expect(counts[.linesRecognised] == lines && counts[.linesAgain] == again)
    }

    // MARK: Searching

    /// Size of a spine, and of the picture that is searched: a long one is smaller than its short side asks.
    @Test(
        arguments: [
            (Look.Frame.turned, 30, 240, 480, 60), (.turned, 40, 1200, 600, 20), (.turned, 600, 60, 600, 60),
            (.across, 60, 600, 60, 600), (.across, 600, 60, 60, 600),
        ] as [(Look.Frame, Int, Int, Int, Int)]
    )
    func spineIsTurnedAndScaled(
        frame: Look.Frame,
        width: Int,
        height: Int,
        searchedWidth: Int,
        searchedHeight: Int
    ) throws {
        let (detector, spine) = (found(), slope(width, height))
        let look = Look(frame: frame, shortSide: 60, longSide: 600)
        let reading = try reader(detector, sure, first: look).read(spine)
        let searched = try #require(detector.received.first)
        #expect(detector.received.count == 1)
        #expect((searched.width, searched.height) == (searchedWidth, searchedHeight))
        if (width, height) == (searchedWidth, searchedHeight) {
            #expect(searched == spine)
        } else if frame == .turned {
            // Turned to the left: the top becomes the left, the right becomes the top.
            #expect(runsForward(searched))
            #expect(searched.pixels[0] > searched.pixels[(searchedHeight - 1) * searchedWidth])
        }
        // Nothing was found, and nothing is read.
        #expect(reading.lines.isEmpty && reading.orientation == nil && sure.received.isEmpty)
    }

    @Test func smallestSpineThatCanHoldLettersIsSearched() throws {
        let detector = found(box(0, 0, 60, 60))
        let reading = try reader(detector, sure).read(RasterImage(width: 8, height: 8, channels: 3))
        #expect(reading.lines.map(\.text) == ["HARBOUR"])
    }

    @Test(arguments: [(1, 1), (4, 4), (7, 400), (400, 7)])
    func spineTooSmallForLettersIsNotSearched(width: Int, height: Int) throws {
        let detector = found(box(0, 0, 60, 60))
        let reading = try reader(detector, sure).read(RasterImage(width: width, height: height, channels: 3))
        #expect(reading.lines.isEmpty && detector.received.isEmpty)
    }

    // MARK: Places

    @Test(
        arguments: [
            // Searched at half size and turned, 450 × 60. A point (u, v) there is (60 - v, u) in the scaled spine and twice
            // that in the spine itself.
            (120, 900, box(100, 10, 200, 30), [(100, 200), (100, 600), (40, 600), (40, 200)], .clockwise),
            (900, 120, box(100, 10, 200, 30), [(200, 20), (600, 20), (600, 80), (200, 80)], .upright),
            // A region taller than wide holds text across the frame, which is upright on a tall spine.
            (60, 600, box(100, 10, 20, 40), [(10, 100), (50, 100), (50, 120), (10, 120)], .upright),
        ] as [(Int, Int, Quad, [(Double, Double)], TextOrientation)]
    )
    func quadIsInTheSpinesOwnPixels(
        width: Int,
        height: Int,
        region: Quad,
        corners: [(Double, Double)],
        orientation: TextOrientation
    ) throws {
        let reading = try reader(found(region), sure).read(slope(width, height))
        expectClose(try #require(reading.lines.first).quad.corners, corners)
        #expect(reading.orientation == orientation)
    }

    @Test func quadWithoutAreaIsNotRead() throws {
        let reading = try reader(found(box(10, 10, 0, 20), box(10, 10, 20, 0)), sure).read(slope(600, 60))
        #expect(reading.lines.isEmpty)
        #expect(sure.received.flatMap(\.self).isEmpty)
    }

    @Test(arguments: [
        // Five times as long as high, at nine tenths of that.
        (box(100, 10, 200, 40), 32, 144),
        // A rule along the spine, at a hundred times its height.
        (box(0, 10, 600, 2), 48, 4800),
    ])
    func linesAreCutOutAtTheRecognisersHeightAndTheirOwnProportions(region: Quad, height: Int, width: Int) throws {
        let recognizer = ScriptedRecognizer(lineHeight: height, text: "HARBOUR")
        _ = try reader(found(region), recognizer).read(slope(600, 60))
        let line = try #require(recognizer.received.first?.first)
        #expect((line.width, line.height) == (width, height))
    }

    @Test func linesComeInReadingOrder() throws {
        let recognizer = ScriptedRecognizer { line in
            LineRecognition(text: line.width > 200 ? "HARBOUR" : "AUTHOR", confidence: 0.95)
        }
        let reading = try reader(found(box(300, 10, 250, 40), box(50, 10, 100, 40)), recognizer).read(slope(60, 600))
        #expect(reading.lines.map(\.text) == ["AUTHOR", "HARBOUR"])
    }

    // MARK: Direction

    /// Returns a reader of backward text in the slope, as on a spine that is upside down.
    private func backward(_ unsure: String = "?NO8?") -> ScriptedRecognizer {
        ScriptedRecognizer { line in
            runsForward(line)
                ? LineRecognition(text: unsure, confidence: 0.4) : LineRecognition(text: "HARBOUR", confidence: 0.95)
        }
    }

    @Test(
        arguments: [
            (box(20, 5, 250, 50), .longestLine, [1]),
            // Ten times as long as high, and seven characters: upside down, letters melt together.
            (box(100, 10, 400, 40), .longestLine, [1, 1]),
            // Asked for; the other way up is not better.
            (box(20, 5, 250, 50), .bothWays, [1, 1]),
        ] as [(Quad, SpineReaderConfiguration.OrientationCheck, [Int])]
    )
    func sureLineIsReadOneWayUp(
        region: Quad,
        orientation: SpineReaderConfiguration.OrientationCheck,
        calls: [Int]
    ) throws {
        let reading = try reader(found(region), sure, orientation: orientation).read(slope(600, 60))
        #expect(sure.received.map(\.count) == calls)
        #expect(reading.orientation == .upright)
    }

    /// The corners are named as the reader of the text sees them.
    @Test(
        arguments: [
            (600, 60, [(500, 50), (100, 50), (100, 10), (500, 10)], .inverted),
            (60, 600, [(10, 500), (10, 100), (50, 100), (50, 500)], .counterclockwise),
        ] as [(Int, Int, [(Double, Double)], TextOrientation)]
    )
    func doubtfulLineIsReadTheOtherWayUpAsWell(
        width: Int,
        height: Int,
        corners: [(Double, Double)],
        orientation: TextOrientation
    ) throws {
        let recognizer = backward()
        let reading = try reader(found(box(100, 10, 400, 40)), recognizer).read(slope(width, height))
        #expect(recognizer.received.flatMap(\.self).count == 2)
        #expect(reading.lines.map(\.text) == ["HARBOUR"])
        #expect(reading.orientation == orientation)
        expectClose(try #require(reading.lines.first).quad.corners, corners)
    }

    @Test func longestLineDecidesForTheOthers() throws {
        let recognizer = backward()
        let reading = try reader(found(box(20, 20, 100, 20), box(150, 5, 400, 50)), recognizer).read(slope(600, 60))
        // The longest forward and backward, the other one backward.
        #expect(recognizer.received.map(\.count) == [1, 1, 1])
        #expect(reading.lines.map(\.text) == ["HARBOUR", "HARBOUR"])
        #expect(reading.lines.allSatisfy { $0.quad.orientation == .inverted })
    }

    @Test func doubtfulLineStaysWhenTheOtherWayIsNoBetter() throws {
        let recognizer = ScriptedRecognizer { line in
            LineRecognition(text: runsForward(line) ? "HARB0UR" : "?NO8?", confidence: runsForward(line) ? 0.8 : 0.4)
        }
        let reading = try reader(found(box(100, 10, 400, 40)), recognizer).read(slope(600, 60))
        #expect(reading.lines.map(\.text) == ["HARB0UR"])
        #expect(reading.orientation == .upright)
    }

    @Test func cropThatIsTrustedIsReadOneWayUp() throws {
        let recognizer = backward()
        let reading = try reader(found(box(100, 10, 400, 40)), recognizer, orientation: .none).read(slope(600, 60))
        #expect(recognizer.received.map(\.count) == [1])
        // Below the minimum confidence: nothing is left.
        #expect(reading.lines.isEmpty)
    }

    @Test(arguments: [true, false])
    func classifierDecidesByTheLongestLine(isUpsideDown: Bool) throws {
        let classifier = ScriptedClassifier(isUpsideDown: isUpsideDown)
        let spine = slope(600, 60)
        let lines = found(box(20, 20, 100, 20), box(150, 5, 400, 50))
        let reading = try reader(lines, sure, orientation: .classifier, classifier: classifier).read(spine)
        // One line is shown to it: the longest, 400 × 50 at a height of 48, nine tenths as long.
        #expect(classifier.received.map(\.width) == [346])
        #expect(sure.received.map { $0.map(runsForward) } == [[!isUpsideDown, !isUpsideDown]])
        #expect(reading.orientation == (isUpsideDown ? .inverted : .upright))
        #expect(reading.timings.recognitionInference == .milliseconds(2))
    }

    @Test func orientationIsThatOfMostCharacters() throws {
        // A title along the spine, and one word across it.
        let recognizer = ScriptedRecognizer { line in
            LineRecognition(text: line.width > 200 ? "WINTER HARBOUR" : "PRESS", confidence: 0.95)
        }
        let reading = try reader(found(box(50, 10, 400, 40), box(540, 5, 20, 50)), recognizer).read(slope(60, 600))
        #expect(reading.orientation == .clockwise)
        #expect(reading.lines.map(\.quad.orientation) == [.clockwise, .upright])
    }

    // MARK: Further looks

    private let second = Look(frame: .turned, shortSide: 120, longSide: 1200)

    /// Lines that are found, their confidence, and the widths that are searched: a sure spine once, unless asked for.
    @Test(
        arguments: [
            ([box(100, 10, 400, 40)], 0.95, .whenUnsure, [600]),
            ([box(100, 10, 400, 40)], 0.8, .whenUnsure, [600, 1200]),
            ([], 0.95, .whenUnsure, [600, 1200]), ([box(100, 10, 400, 40)], 0.95, .always, [600, 1200]),
        ] as [([Quad], Double, SpineReaderConfiguration.FurtherLooks, [Int])]
    )
    func secondLookIsTakenInDoubtAndAtItsOwnSize(
        lines: [Quad],
        confidence: Double,
        when: SpineReaderConfiguration.FurtherLooks,
        widths: [Int]
    ) throws {
        let detector = ScriptedDetector(lines: lines)
        let recognizer = ScriptedRecognizer(text: "HARBOUR", confidence: confidence)
        _ = try reader(detector, recognizer, further: [second], when: when).read(slope(600, 60))
        #expect(detector.received.map(\.width) == widths)
    }

    /// Returns a detector that finds the same lines in a picture at any size.
    private func scaled(_ places: Quad...) -> ScriptedDetector {
        ScriptedDetector { image in
            let scale = Double(image.width) / 600
            return places.map { place in place.mapped { Point(x: $0.x * scale, y: $0.y * scale) } }
        }
    }

    @Test func placesThatAreSureAreNotReadAgain() throws {
        // The second look finds the same two lines; only the doubtful one is read once more.
        let detector = scaled(box(20, 10, 300, 40), box(400, 10, 150, 40))
        let recognizer = SequencedRecognizer.recognizer([("HARBOUR", 0.95), ("PRE55", 0.7), ("PRESS", 0.97)])
        let reading = try reader(detector, recognizer, further: [second]).read(slope(600, 60))
        // The longest, the other, and that again.
        #expect(recognizer.received.map(\.count) == [1, 1, 1])
        #expect(reading.lines.map(\.text) == ["HARBOUR", "PRESS"])
    }

    @Test func wordInTheBoxOfASureLineIsReadIfAllIsSearchedAgain() throws {
        let (title, word) = (box(20, 10, 400, 40), box(340, 12, 60, 20))
        let detector = ScriptedDetector { image in
            image.width == 600 ? [title] : [title, word].map { $0.mapped { Point(x: 2 * $0.x, y: 2 * $0.y) } }
        }
        // The word is read both ways up.
        let recognizer = SequencedRecognizer.recognizer([("HARBOUR LIGHTS", 0.95), ("THE", 0.99), ("3HL", 0.4)])
        let reading = try reader(detector, recognizer, further: [second], when: .always).read(slope(600, 60))
        #expect(recognizer.received.map(\.count) == [1, 1, 1])
        #expect(Set(reading.lines.map(\.text)) == ["HARBOUR LIGHTS", "THE"])
    }

    @Test func betterSecondReadingReplacesTheFirst() throws {
        // The second look finds the same place and the scripted engine then reads it better: the third answer, as the
        // first look reads the doubtful line both ways up.
        let recognizer = SequencedRecognizer.recognizer([("HARB0UR", 0.8), ("?", 0.2), ("HARBOUR", 0.97)])
        let reader = reader(scaled(box(20, 10, 300, 40)), recognizer, further: [second])
        #expect(try reader.read(slope(600, 60)).lines.map(\.text) == ["HARBOUR"])
    }

    // MARK: What is kept

    @Test(arguments: [("|l|", 0.49), ("", 0)] as [(String, Double)])
    func doubtfulLineOrOneWithoutTextIsLeftOut(text: String, confidence: Double) throws {
        let recognizer = ScriptedRecognizer { line in
            line.width > 200
                ? LineRecognition(text: "HARBOUR", confidence: 0.95)
                : LineRecognition(text: text, confidence: confidence)
        }
        let detector = found(box(20, 10, 300, 40), box(400, 10, 100, 40))
        #expect(try reader(detector, recognizer).read(slope(600, 60)).lines.map(\.text) == ["HARBOUR"])
        let alone = try reader(found(box(400, 10, 100, 40)), recognizer).read(slope(600, 60))
        #expect(alone.lines.isEmpty && alone.orientation == nil)
    }

    @Test func errorOfAnEngineIsPassedOn() {
        let failingDetector = ScriptedDetector { _ in throw EngineFailure(stage: "detection") }
        #expect(throws: EngineFailure(stage: "detection")) {
            try reader(failingDetector, sure).read(slope(600, 60))
        }
        let failingRecognizer = ScriptedRecognizer { _ in throw EngineFailure(stage: "recognition") }
        #expect(throws: EngineFailure(stage: "recognition")) {
            try reader(found(box(20, 10, 300, 40)), failingRecognizer).read(slope(600, 60))
        }
    }

    @Test func inferenceTimesAddUp() throws {
        let timed = SpineReader(
            detector: TimedEngine(),
            recognizer: TimedEngine(),
            configuration: SpineReaderConfiguration(firstLook: look, furtherLooks: [second])
        )
        let timings = try timed.read(slope(600, 60)).timings
        // Two looks; in each the line is doubtful and read both ways up.
        #expect(timings.detectionInference == .microseconds(2))
        #expect(timings.recognitionInference == .microseconds(12))
    }
}

/// Engine that takes a microsecond to find a line and three to read it, by its own account.
private struct TimedEngine: TextDetector, LineRecognizer {
    let lineHeight = 48

    func detect(in image: RasterImage) -> (lines: [Quad], missed: Double, inferenceTime: Duration) {
        ([box(1, 1, Double(image.width) - 2, Double(image.height) - 2)], 0, .microseconds(1))
    }

    func recognize(_ lines: [RasterImage]) -> (lines: [LineRecognition], inferenceTime: Duration) {
        (lines.map { _ in LineRecognition(text: "HARBOUR", confidence: 0.7) }, .microseconds(3 * lines.count))
    }
}
