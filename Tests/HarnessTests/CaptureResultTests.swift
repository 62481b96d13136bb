import Basics
import Imaging
import SpineDatasets
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness

/// Results of a run for captures.
@Suite(.tags(.unit)) struct CaptureResultTests {
    private func sample(_ id: String, _ scene: SceneTruth?) -> Sample {
        var sample = Sample(
            id: id,
            image: "\(id).png",
            category: .mixed,
            title: nil,
            transcription: "",
            orientation: .upright,
            legible: false
        )
        sample.scene = scene
        return sample
    }

    private func record(_ id: String, _ capture: Prediction.Capture?) -> SampleRecord {
        var record = SampleRecord(measurement: "context", repetition: 1, position: 0, id: id)
        var prediction = Prediction(lines: [])
        prediction.capture = capture
        (record.outcome, record.prediction) = (.read, prediction)
        return record
    }

    private func capture(_ label: String, codes: [String] = [], facts: Int, lost: [String]) -> Prediction.Capture {
        var capture = Prediction.Capture(label: label, codes: codes, subject: nil, isTold: true)
        (capture.facts, capture.lostFacts) = (facts, lost)
        return capture
    }

    private func figures(_ readings: [(sample: Sample, record: SampleRecord?)]) -> Figures {
        var fold = FigureFold()
        for (sample, record) in readings { fold.add(Reading(sample, record)) }
        return fold.figures()
    }

    /// Computed by hand: of four labels two are right, one is wrong and one is missing; of three codes two are read,
    /// and one that does not exist; of ten facts one is lost.
    @Test func capturesAreCountedByWhatTheyShow() {
        let subject = [Point(x: 0, y: 0), Point(x: 8, y: 0), Point(x: 8, y: 8), Point(x: 0, y: 8)]
        let all: [(SceneTruth?, Prediction.Capture)] = [
            (SceneTruth(label: .code, codes: ["a", "b"]), capture("code", codes: ["b", "x"], facts: 4, lost: [])),
            (SceneTruth(label: .code, codes: ["c"]), capture("text", codes: ["c"], facts: 3, lost: ["title"])),
            (SceneTruth(label: .page), capture("unknown", facts: 3, lost: [])),
            (SceneTruth(label: .unknown, subject: subject), capture("unknown", facts: 0, lost: [])),
            (nil, capture("book", facts: 0, lost: [])),
        ]
        let captures = figures(
            all.enumerated().map { number, one in (sample("\(number)", one.0), record("\(number)", one.1)) }
        )
        #expect(captures.count(.captures) == 5)
        #expect(captures.rate(.codesRead).proportion == Proportion(successes: 2, trials: 4))
        #expect(captures.rate(.sceneRight).proportion == Proportion(successes: 2, trials: 4))
        #expect(captures.rate(.sceneWrong).proportion == Proportion(successes: 1, trials: 4))
        #expect(captures.rate(.sceneUnsaid).proportion == Proportion(successes: 1, trials: 4))
        #expect(captures.rate(.factsLost).proportion == Proportion(successes: 1, trials: 10))
        #expect(captures.rate(.captureTold).proportion == Proportion(successes: 5, trials: 5))
        // Nothing was cut out.
        #expect(captures.values[.subjectOverlap]?.value == .value(0))
        #expect(["code → code", "code → text", "code → page"].map { captures.count(.captures, $0) } == [1, 1, 0])
    }

    /// A failed reading has no codes, labels, subject or description.
    @Test func failedReadingsCount() {
        let corners = [Point(x: 0, y: 0), Point(x: 8, y: 0), Point(x: 8, y: 8)]
        let scene = SceneTruth(label: .code, codes: ["a"], subject: corners)
        var failed = record("1", nil)
        (failed.outcome, failed.prediction) = (.failed, nil)
        // The run does not know yet that these are captures.
        #expect(!figures([(sample("1", scene), failed)]).has(.captures))
        let captures = figures([
            (sample("1", scene), failed),
            (
                sample("0", SceneTruth(label: .code, codes: ["a"])),
                record("0", capture("code", codes: ["a"], facts: 2, lost: []))
            ), (sample("2", SceneTruth(label: .unknown)), nil),
        ])
        #expect(captures.count(.captures) == 3)
        #expect(captures.rate(.codesRead).proportion == Proportion(successes: 1, trials: 2))
        #expect(captures.rate(.sceneRight).proportion == Proportion(successes: 1, trials: 3))
        #expect(captures.rate(.sceneWrong).proportion == Proportion(successes: 0, trials: 3))
        #expect(captures.rate(.sceneUnsaid).proportion == Proportion(successes: 2, trials: 3))
        #expect(captures.rate(.captureTold).proportion == Proportion(successes: 1, trials: 3))
        #expect(
            captures.values[.subjectOverlap]?.value == .value(0)
                && captures.rate(.factsLost).proportion == Proportion(successes: 0, trials: 2)
        )
    }

    @Test func whatKeepsNoCapturesHasNone() {
        let none = figures([(sample("a", SceneTruth(label: .page)), record("a", nil))])
        #expect(!none.has(.captures) && none.counts[.captures] == nil)
    }

    /// Cells of two pixels; the outline is the left half of an eight by four picture, the mask its two middle columns.
    @Test func overlapIsIntersectionOverUnion() {
        let isIn = (0..<8).map { [1, 2].contains($0 % 4) }
        let mask = PictureMask(width: 4, height: 2, cell: 2, isIn: isIn)
        #expect(mask.runs == [1, 2, 2, 2, 1])
        let left = [Point(x: 0, y: 0), Point(x: 4, y: 0), Point(x: 4, y: 4), Point(x: 0, y: 4)]
        // Columns 0 and 1 against 1 and 2: one in common, of three.
        #expect(mask.overlap(with: left) == 1.0 / 3)
        let middle = [Point(x: 2, y: 0), Point(x: 6, y: 0), Point(x: 6, y: 4), Point(x: 2, y: 4)]
        #expect(mask.overlap(with: middle) == 1)
        #expect(PictureMask(width: 2, height: 1, cell: 1, isIn: [true, false]).overlap(with: []) == 0)
    }

    /// Runs that do not fill the grid, as of a record that was cut off, overlap with nothing.
    @Test func aDamagedMaskOverlapsWithNothing() {
        var mask = PictureMask(width: 2, height: 2, cell: 1, isIn: [true, true, true, true])
        mask.runs = [0, 9]
        #expect(mask.overlap(with: [Point(x: 0, y: 0), Point(x: 2, y: 0), Point(x: 2, y: 2)]) == 0)
        mask.runs = [-3, 7]
        #expect(mask.overlap(with: [Point(x: 0, y: 0), Point(x: 2, y: 0), Point(x: 2, y: 2)]) == 0)
    }
}
