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

    // MARK: Searching

    @Test func tallSpineIsSearchedLying() throws {
        let detector = found()
        _ = try reader(detector, sure).read(slope(30, 240))
        let searched = try #require(detector.received.first)
        #expect((searched.width, searched.height) == (480, 60))
        // Turned to the left: the top becomes the left, the right becomes the top.
        #expect(runsForward(searched))
        #expect(searched.pixels[0] > searched.pixels[59 * 480])
    }

    @Test func wideSpineIsSearchedAsItIs() throws {
        let detector = found()
        let spine = slope(600, 60)
        _ = try reader(detector, sure).read(spine)
        #expect(detector.received == [spine])
    }

    @Test func lookAtASpineAsItIsDoesNotTurnIt() throws {
        let detector = found()
        let spine = slope(60, 600)
        _ = try reader(detector, sure, first: Look(frame: .across, shortSide: 60, longSide: 600)).read(spine)
        #expect(detector.received == [spine])
    }

    @Test func longSpineIsSearchedSmallerThanItsShortSideAsks() throws {
        let detector = found()
        _ = try reader(detector, sure).read(slope(40, 1200))
        let searched = try #require(detector.received.first)
        #expect((searched.width, searched.height) == (600, 20))
    }

    @Test func spineWithoutTextIsNotReadAndNoError() throws {
        let reading = try reader(found(), sure).read(slope(60, 600))
        #expect(reading.lines.isEmpty)
        #expect(reading.orientation == nil)
        #expect(sure.received.isEmpty)
    }

    @Test func lookAcrossTurnsAWideSpineUpright() throws {
        let detector = found()
        _ = try reader(detector, sure, first: Look(frame: .across, shortSide: 60, longSide: 600)).read(slope(600, 60))
        #expect(detector.received.map { [$0.width, $0.height] } == [[60, 600]])
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

    @Test func quadOfATallSpineIsInItsOwnPixels() throws {
        // 120 × 900, searched at half size and turned, 450 × 60. A point (u, v) there is (60 - v, u) in the scaled
        // spine and twice that in the spine itself.
        let reading = try reader(found(box(100, 10, 200, 30)), sure).read(slope(120, 900))
        let line = try #require(reading.lines.first)
        expectClose(line.quad.corners, [(100, 200), (100, 600), (40, 600), (40, 200)])
        #expect(reading.orientation == .clockwise)
    }

    @Test func quadOfAWideSpineIsInItsOwnPixels() throws {
        let reading = try reader(found(box(100, 10, 200, 30)), sure).read(slope(900, 120))
        let line = try #require(reading.lines.first)
        expectClose(line.quad.corners, [(200, 20), (600, 20), (600, 80), (200, 80)])
        #expect(reading.orientation == .upright)
    }

    @Test func quadWithoutAreaIsNotRead() throws {
        let reading = try reader(found(box(10, 10, 0, 20), box(10, 10, 20, 0)), sure).read(slope(600, 60))
        #expect(reading.lines.isEmpty)
        #expect(sure.received.flatMap(\.self).isEmpty)
    }

    @Test func linesAreCutOutAtTheRecognisersHeightAndTheirOwnProportions() throws {
        let recognizer = ScriptedRecognizer(lineHeight: 32, text: "HARBOUR")
        _ = try reader(found(box(100, 10, 200, 40)), recognizer).read(slope(600, 60))
        let line = try #require(recognizer.received.first?.first)
        // Five times as long as high, at nine tenths of that.
        #expect((line.width, line.height) == (144, 32))
    }

    @Test func ruleAlongTheSpineIsCutOutAtAHundredTimesItsHeight() throws {
        let recognizer = ScriptedRecognizer(lineHeight: 48, text: "HARBOUR")
        _ = try reader(found(box(0, 10, 600, 2)), recognizer).read(slope(600, 60))
        #expect(recognizer.received.first?.first?.width == 4800)
    }

    @Test func regionTallerThanWideHoldsTextAcrossTheFrame() throws {
        // Text in the turned frame of a tall spine is upright on it.
        let reading = try reader(found(box(100, 10, 20, 40)), sure).read(slope(60, 600))
        #expect(reading.orientation == .upright)
        expectClose(try #require(reading.lines.first).quad.corners, [(10, 100), (50, 100), (50, 120), (10, 120)])
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

    @Test func sureLineIsReadOneWayUp() throws {
        _ = try reader(found(box(20, 5, 250, 50)), sure).read(slope(600, 60))
        #expect(sure.received.map(\.count) == [1])
    }

    @Test func lineWithFewerCharactersThanItHasRoomForIsReadBothWaysUp() throws {
        // Ten times as long as high, and seven characters: upside down, letters melt together.
        let recognizer = ScriptedRecognizer(text: "HARBOUR", confidence: 0.95)
        _ = try reader(found(box(100, 10, 400, 40)), recognizer).read(slope(600, 60))
        #expect(recognizer.received.map(\.count) == [1, 1])
    }

    @Test func doubtfulLineIsReadTheOtherWayUpAsWell() throws {
        let recognizer = backward()
        let reading = try reader(found(box(100, 10, 400, 40)), recognizer).read(slope(600, 60))
        #expect(recognizer.received.flatMap(\.self).count == 2)
        #expect(reading.lines.map(\.text) == ["HARBOUR"])
        #expect(reading.orientation == .inverted)
        // The corners are named as the reader of the text sees them.
        expectClose(try #require(reading.lines.first).quad.corners, [(500, 50), (100, 50), (100, 10), (500, 10)])
    }

    @Test func spineReadFromBottomToTopIsTold() throws {
        let reading = try reader(found(box(100, 10, 400, 40)), backward()).read(slope(60, 600))
        #expect(reading.orientation == .counterclockwise)
        expectClose(try #require(reading.lines.first).quad.corners, [(10, 500), (10, 100), (50, 100), (50, 500)])
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

    @Test func sureLineIsReadBothWaysUpWhenAskedFor() throws {
        let reading = try reader(found(box(20, 5, 250, 50)), sure, orientation: .bothWays).read(slope(600, 60))
        #expect(sure.received.map(\.count) == [1, 1])
        // The other way up is not better.
        #expect(reading.orientation == .upright)
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

    @Test func sureSpineIsLookedAtOnce() throws {
        let detector = found(box(100, 10, 400, 40))
        _ = try reader(detector, sure, further: [second]).read(slope(600, 60))
        #expect(detector.received.count == 1)
    }

    @Test func secondLookIsTakenInDoubtAndAtItsOwnSize() throws {
        let recognizer = ScriptedRecognizer(text: "HARB0UR", confidence: 0.8)
        let detector = found(box(100, 10, 400, 40))
        _ = try reader(detector, recognizer, further: [second]).read(slope(600, 60))
        #expect(detector.received.map(\.width) == [600, 1200])
    }

    @Test func secondLookIsTakenWhenNothingWasFound() throws {
        let detector = found()
        _ = try reader(detector, sure, further: [second]).read(slope(600, 60))
        #expect(detector.received.count == 2)
    }

    @Test func secondLookIsTakenOfASureSpineWhenAskedFor() throws {
        let detector = found(box(100, 10, 400, 40))
        _ = try reader(detector, sure, further: [second], when: .always).read(slope(600, 60))
        #expect(detector.received.count == 2)
    }

    @Test func placesThatAreSureAreNotReadAgain() throws {
        // The second look, at twice the size, finds the same two lines; only the doubtful one is read once more.
        let detector = ScriptedDetector { image in
            let scale = Double(image.width) / 600
            return [box(20, 10, 300, 40), box(400, 10, 150, 40)].map { place in
                place.mapped { Point(x: $0.x * scale, y: $0.y * scale) }
            }
        }
        let recognizer = SequencedRecognizer.recognizer([("HARBOUR", 0.95), ("PRE55", 0.7), ("PRESS", 0.97)])
        let reading = try reader(detector, recognizer, further: [second]).read(slope(600, 60))
        // The longest, the other, and that again.
        #expect(recognizer.received.map(\.count) == [1, 1, 1])
        #expect(reading.lines.map(\.text) == ["HARBOUR", "PRESS"])
    }

    @Test func betterSecondReadingReplacesTheFirst() throws {
        let detector = ScriptedDetector { image in
            let scale = Double(image.width) / 600
            return [box(20 * scale, 10 * scale, 300 * scale, 40 * scale)]
        }
        // The second look finds the same place and the scripted engine then reads it better: the third answer, as the
        // first look reads the doubtful line both ways up.
        let reader = reader(
            detector,
            SequencedRecognizer.recognizer([("HARB0UR", 0.8), ("?", 0.2), ("HARBOUR", 0.97)]),
            further: [second]
        )
        #expect(try reader.read(slope(600, 60)).lines.map(\.text) == ["HARBOUR"])
    }

    // MARK: What is kept

    @Test func lineBelowTheMinimumConfidenceIsLeftOut() throws {
        let recognizer = ScriptedRecognizer { line in
            line.width > 200
                ? LineRecognition(text: "HARBOUR", confidence: 0.95) : LineRecognition(text: "|l|", confidence: 0.49)
        }
        let detector = found(box(20, 10, 300, 40), box(400, 10, 100, 40))
        #expect(try reader(detector, recognizer).read(slope(600, 60)).lines.map(\.text) == ["HARBOUR"])
    }

    @Test func lineWithoutTextIsLeftOut() throws {
        let nothing = ScriptedRecognizer { _ in LineRecognition(text: "", confidence: 0) }
        let reading = try reader(found(box(20, 10, 300, 40)), nothing).read(slope(600, 60))
        #expect(reading.lines.isEmpty)
        #expect(reading.orientation == nil)
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

    func detect(in image: RasterImage) -> (lines: [Quad], inferenceTime: Duration) {
        ([box(1, 1, Double(image.width) - 2, Double(image.height) - 2)], .microseconds(1))
    }

    func recognize(_ lines: [RasterImage]) -> (lines: [LineRecognition], inferenceTime: Duration) {
        (lines.map { _ in LineRecognition(text: "HARBOUR", confidence: 0.7) }, .microseconds(3 * lines.count))
    }
}
