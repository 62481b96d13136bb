import Imaging
import TestSupport
import Testing

@testable import TextRecognition

/// A recogniser with a name, which its lines have.
struct NamedRecognizer: LineRecognizer {
    let network: String
    let script: ScriptedRecognizer

    var lineHeight: Int { script.lineHeight }

    func recognize(_ lines: [RasterImage]) throws -> (lines: [LineRecognition], inferenceTime: Duration) {
        (try script.recognize(lines).lines, .microseconds(3))
    }

    func line(of recognition: LineRecognition, at quad: Quad) -> RecognizedLine {
        var line = RecognizedLine(text: recognition.text, confidence: recognition.confidence, quad: quad)
        line.network = network
        return line
    }
}

/// Images have the size of the look, so that the scale is 1.
private let look = Look(frame: .turned, shortSide: 60, longSide: 600)
private let spine = image(600, 60) { x, _ in UInt8(x / 3) }

/// A line of half the spine's length, and one of a quarter of it.
private let (title, author) = (box(20, 10, 300, 40), box(400, 10, 150, 40))

@Suite struct StagedReaderTests {
    /// Detector and recogniser of the second stage.
    private let detector = ScriptedDetector(lines: [box(20, 10, 500, 40)])
    private let second = ScriptedRecognizer(text: "HARBOUR LIGHTS", confidence: 0.9)

    private func reader(
        _ lines: [Quad],
        missed: Double = 0,
        reads answers: [(String, Double)],
        then second: ScriptedRecognizer? = nil,
        gate: SpineGate
    ) -> StagedReader {
        func stage(_ name: String, _ detector: ScriptedDetector, _ recognizer: ScriptedRecognizer) -> SpineReader {
            SpineReader(
                detector: detector,
                recognizer: NamedRecognizer(network: name, script: recognizer),
                // A second pass would be made of a doubtful spine.
                configuration: SpineReaderConfiguration(firstLook: look, furtherLooks: [look])
            )
        }
        let found = ScriptedDetector(lines: lines, missed: missed)
        return StagedReader(
            first: stage("quick", found, SequencedRecognizer.recognizer(answers)),
            then: stage("better", detector, second ?? self.second),
            gate: gate
        )
    }

    @Test(arguments: SpineGate.allCases)
    func sureLinesAreReadOnce(gate: SpineGate) throws {
        let reading = try reader([title, author], reads: [("HARBOUR", 0.97), ("PRESS", 0.93)], gate: gate).read(spine)
        #expect(reading.lines.map(\.text) == ["HARBOUR", "PRESS"])
        #expect(reading.lines.map(\.network) == ["quick", "quick"])
        #expect(second.received.isEmpty && detector.received.isEmpty)
    }

    /// Confidence of a line without a probability, and whether it is read again.
    @Test(arguments: [(0.89, true), (0.9, false)])
    func doubtfulLineIsReadAgain(confidence: Double, isReread: Bool) throws {
        for gate in SpineGate.allCases {
            let first = [("HARBOUR", 0.97), ("PRE55", confidence)]
            let better = ScriptedRecognizer(text: "PRESS", confidence: 0.91)
            let reading = try reader([title, author], reads: first, then: better, gate: gate).read(spine)
            #expect(reading.lines.map(\.text) == ["HARBOUR", isReread ? "PRESS" : "PRE55"])
            #expect(reading.lines.map(\.network) == ["quick", isReread ? "better" : "quick"])
            // One call with that line, 150 × 40 at a height of 48 and nine tenths as long.
            #expect(better.received.map { $0.map(\.width) } == (isReread ? [[162]] : []))
        }
    }

    /// What the second stage reads, at what height beside a title of 40, and whether it then reads all of the spine.
    @Test(
        arguments: [
            ("PRESS", 0.89, 32, true), ("PRESS", 0.89, 31, false), ("PRESS", 0.9, 40, false), ("PR", 0.89, 40, false),
        ]
    )
    func spineWhoseLargestTextStaysDoubtfulIsReadAnew(
        text: String,
        confidence: Double,
        height: Int,
        isAnew: Bool
    ) throws {
        let author = box(400, 10, 150, Double(height))
        for gate in SpineGate.allCases {
            let first = [("HARBOUR", 0.97), ("PRE55", 0.7)]
            let better = ScriptedRecognizer(text: text, confidence: confidence)
            let reading = try reader([title, author], reads: first, then: better, gate: gate).read(spine)
            #expect(reading.lines.map(\.network) == (isAnew && gate == .spines ? ["better"] : ["quick", "better"]))
        }
    }

    @Test(arguments: SpineGate.allCases)
    func shortLineIsReadOnce(gate: SpineGate) throws {
        let reading = try reader([title, author], reads: [("HARBOUR", 0.97), ("PR", 0.7)], gate: gate).read(spine)
        #expect(reading.lines.map(\.network) == ["quick", "quick"])
    }

    @Test(arguments: [("", 0.0), ("PRESS", 0.49)])
    func textThatTheSecondStageDoubtsStays(text: String, confidence: Double) throws {
        let better = ScriptedRecognizer(text: text, confidence: confidence)
        let staged = reader([title], reads: [("HARB0UR", 0.7), ("?", 0.1)], then: better, gate: .lines)
        #expect(try staged.read(spine).lines.map(\.text) == ["HARB0UR"])
    }

    /// Text in the direction of reading, which the first stage has found.
    @Test func lineIsReadAgainAsItRuns() throws {
        let second = ScriptedRecognizer { line in
            let middle = line.pixels[line.height / 2 * line.width..<(line.height / 2 + 1) * line.width]
            let isReversed = (middle.first ?? 0) > (middle.last ?? 0)
            return LineRecognition(text: isReversed ? "HARBOUR" : "?NO8?", confidence: 0.9)
        }
        let staged = reader([title], reads: [("?NO8?", 0.3), ("HARB0UR", 0.75)], then: second, gate: .lines)
        let reading = try staged.read(spine)
        #expect(reading.lines.map(\.text) == ["HARBOUR"] && reading.orientation == .inverted)
    }

    /// Lines and their texts, the detector's signs of more, and whether the second stage reads the spine.
    @Test(
        arguments: [
            ([title, author], ["HARBOUR", "PRESS"], 0, false),
            // Five letters, and none.
            ([title], ["HARBO"], 0, true), ([], [], 0, true),
            // -0.711 - 3.439 x = -0.943 at 0.0675 of the length.
            ([box(20, 20, 40, 20)], ["HARBOUR"], 0, true), ([box(20, 20, 41, 20)], ["HARBOUR"], 0, false),
            // -0.711 - 3.439 · 0.75 + 48.96 √x = -0.943 at 0.0023.
            ([title, author], ["HARBOUR", "PRESS"], 0.0022, false),
            ([title, author], ["HARBOUR", "PRESS"], 0.0024, true),
            // Most text runs across.
            ([box(20, 5, 20, 50), box(60, 5, 500, 50)], ["PRESS", "HARBOUR"], 0, false),
            ([box(20, 5, 30, 50), box(60, 5, 30, 50)], ["HARBOUR", "HARBOUR"], 0, true),
        ] as [([Quad], [String], Double, Bool)]
    )
    func spineThatLacksLinesIsReadAnew(lines: [Quad], texts: [String], missed: Double, isAnew: Bool) throws {
        let first = texts.map { ($0, 0.97) } + [("", 0)]
        let reading = try reader(lines, missed: missed, reads: first, gate: .spines).read(spine)
        #expect((reading.lines.map(\.network) == ["better"]) == isAnew)
        #expect((reading.lines.map(\.text) == ["HARBOUR LIGHTS"]) == isAnew)
        #expect(detector.received.isEmpty != isAnew)
        // By lines alone it is not.
        _ = try reader(lines, missed: missed, reads: first, gate: .lines).read(spine)
        #expect(detector.received.isEmpty != isAnew)
    }

    /// Whether the second stage read the line before, and the number of lines that it reads on the spine, which seems to
    /// lack some.
    @Test(arguments: [(false, SpineGate.lines, 0), (true, .lines, 0), (false, .spines, 1), (true, .spines, 0)])
    func whatIsKnownIsNotReadAgain(isReread: Bool, gate: SpineGate, count: Int) throws {
        let short = box(20, 20, 40, 20)
        var known = ReadLine(quad: short, recognition: LineRecognition(text: "HARBOUR", confidence: 0.98))
        known.isReread = isReread
        let reading = try reader([short], reads: [], gate: gate).read(spine) { [known] _ in known }
        #expect(second.received.flatMap(\.self).count == count)
        #expect(reading.lines.map(\.network) == [isReread || count > 0 ? "better" : "quick"])
    }

    @Test func timesOfBothStagesAddUp() throws {
        let reading = try reader([], reads: [("", 0)], gate: .spines).read(spine)
        #expect(reading.timings.recognitionInference == .microseconds(3))
        // Five letters, both ways up, and the second stage's.
        let lines = try reader([title], reads: [("HARBO", 0.97), ("", 0)], gate: .spines).read(spine)
        #expect(lines.timings.recognitionInference == .microseconds(9))
        #expect(lines.timings.total > .zero)
    }
}
