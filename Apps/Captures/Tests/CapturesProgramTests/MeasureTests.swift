import ArgumentParser
import Captures
import Foundation
import Imaging
import TestSupport
import Testing

@testable import CapturesProgram

/// Figures of captures on labelled pictures.
@Suite struct MeasureTests {
    private func capture(
        _ label: SceneLabel,
        codes: [String] = [],
        subject: [Point]? = nil,
        _ result: MeasuredCapture.Result?
    ) -> MeasuredCapture {
        MeasuredCapture(id: "a", scene: .init(label: label, codes: codes, subject: subject), result: result)
    }

    private func result(
        _ label: SceneLabel,
        codes: [String] = [],
        facts: Int,
        lost: [String] = []
    ) -> MeasuredCapture.Result {
        var result = MeasuredCapture.Result()
        (result.label, result.codes, result.facts, result.lost) = (label, codes, facts, lost)
        return result
    }

    private func figures(_ measured: [MeasuredCapture], requests: Int = 0) -> CaptureFigures {
        CaptureFigures("made", measured, requests: requests, peaks: [("footprint", 1, true)])
    }

    private func counts(_ measured: [MeasuredCapture]) -> [String: String] {
        let figures = figures(measured).figures.filter { $0.count != nil }
        return Dictionary(uniqueKeysWithValues: figures.map { ($0.name, "\($0.count ?? 0) of \($0.total ?? 0)") })
    }

    private let triangle = [Point(x: 0, y: 0), Point(x: 8, y: 0), Point(x: 8, y: 8)]

    /// Computed by hand: of four labels two are right, one is wrong and one is missing; of three codes two are read,
    /// and one that does not exist; of ten facts one is lost.
    @Test func capturesAreCountedByWhatTheyShow() {
        let measured = [
            capture(.code, codes: ["a", "b"], result(.code, codes: ["b", "x"], facts: 4)),
            capture(.code, codes: ["c"], result(.text, codes: ["c"], facts: 3, lost: ["title"])),
            capture(.page, result(.unknown, facts: 3)),
            capture(.unknown, subject: triangle, result(.unknown, facts: 0)),
        ]
        #expect(
            counts(measured) == [
                "codes read": "2 of 4", "scene right": "2 of 4", "scene wrong": "1 of 4", "scene unsaid": "1 of 4",
                "summarised": "4 of 4", "facts lost": "1 of 10",
            ]
        )
        let figures = figures(measured)
        #expect(figures.scenes == ["code": ["code": 1, "text": 1], "page": ["unknown": 1], "unknown": ["unknown": 1]])
        // Nothing was cut out.
        #expect(figures.figures.first { $0.name == "overlap of subjects" }?.value == 0)
    }

    /// A failed reading has no codes, labels, subject or description.
    @Test func failedCapturesCount() {
        let measured = [
            capture(.code, codes: ["a"], subject: triangle, nil),
            capture(.code, codes: ["a"], result(.code, codes: ["a"], facts: 2)), capture(.unknown, nil),
        ]
        #expect(
            counts(measured) == [
                "codes read": "1 of 2", "scene right": "1 of 3", "scene wrong": "0 of 3", "scene unsaid": "2 of 3",
                "summarised": "1 of 3", "facts lost": "0 of 2",
            ]
        )
        let overlap = figures(measured).figures.first { $0.name == "overlap of subjects" }
        #expect(overlap?.value == 0)
    }

    /// A missed target decides, then one without a figure; Wilson's interval of 4 of 4 begins at 0.510.
    @Test func targetsDecide() throws {
        func four(_ one: MeasuredCapture, requests: Int = 0) -> CaptureFigures {
            figures(Array(repeating: one, count: 4), requests: requests)
        }
        let good = capture(.code, codes: ["a"], result(.code, codes: ["a"], facts: 1))
        #expect(four(good).isMet == true)
        let codes = try #require(four(good).figures.first)
        #expect(abs((codes.low ?? 0) - 0.5101) < 0.0001 && codes.high == 1)
        #expect(four(good, requests: 1).isMet == false)
        #expect(four(capture(.code, codes: ["a"], result(.code, facts: 1))).isMet == false)
        #expect(
            four(capture(.code, codes: ["a"], result(.code, codes: ["a"], facts: 2, lost: ["x"]))).isMet == false
        )
        let none = four(capture(.page, result(.page, facts: 1)))
        #expect(none.isMet == nil && none.figures[0].reason == "nothing to count" && none.figures[0].value == nil)
    }

    @Test func percentilesNeedEnoughTimes() {
        func row(_ count: Int, last: Double?) -> [String] {
            let measured = (1...count).map { number in
                var result = result(.page, facts: 0)
                result.ready = number == count ? last : Double(number)
                return capture(.page, result)
            }
            return figures(measured).figures.filter { $0.name.hasPrefix("time to ready") }.map {
                $0.row[1]
            }
        }
        #expect(
            row(100, last: 100) == ["50 ms", "95 ms", "– (needs ≥ 459 captures that are read)"]
                && row(7, last: nil)[0] == "4 ms"
        )
        #expect(row(500, last: nil) == ["250 ms", "475 ms", "495 ms"])
        #expect(row(1, last: 1)[0] == "– (needs ≥ 7 captures that are read)")
    }

    /// A grid of 192 cells over a picture of 384 by 192; the outline is its left half, the mask its two middle quarters.
    @Test func overlapIsIntersectionOverUnion() {
        let pixels = (0..<192 * 96).map { (48..<144).contains($0 % 192) ? UInt8(255) : 0 }
        let mask = RasterImage(width: 192, height: 96, channels: 1, pixels: pixels)
        func rectangle(_ from: Double, _ to: Double) -> [Point] {
            [Point(x: from, y: 0), Point(x: to, y: 0), Point(x: to, y: 192), Point(x: from, y: 192)]
        }
        // One quarter in common, of three.
        #expect(mask.overlap(with: rectangle(0, 192), pictureWidth: 384) == 1.0 / 3)
        #expect(mask.overlap(with: rectangle(96, 288), pictureWidth: 384) == 1)
        let nothing = RasterImage(width: 2, height: 1, channels: 1, pixels: [0, 0])
        #expect(nothing.overlap(with: [], pictureWidth: 2) == 0)
    }

    @Test func labelsAreReadInTurns() throws {
        let folder = try TemporaryFolder()
        func line(_ id: String, _ label: String) -> String {
            #"{"id": "\#(id)", "image": "\#(id).png", "scene": {"label": "\#(label)"}}"# + "\n"
        }
        try folder.write(line("a", "code") + line("b", "code") + line("c", "page") + line("d", "page"), "samples.jsonl")
        #expect(try LabelledCapture.of(folder.path, limit: nil).map(\.id) == ["a", "c", "b", "d"])
        #expect(try LabelledCapture.of(folder.path, limit: 3).map(\.id) == ["a", "c", "b"])
    }

    @Test(arguments: [
        ("", ": expected a labelled picture on each line, found none"),
        (#"{"id": "a", "image": "a.png"}"#, ":1: "),
        (#"{"id": "a", "image": "a.png", "scene": {"label": "cdoe"}}"#, ":1: "),
        ("\n{", ":2: "),
    ])
    func anInvalidDatasetIsRefused(lines: String, problem: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(lines, "samples.jsonl")
        let error = try #require(throws: ValidationError.self) { try LabelledCapture.of(folder.path, limit: nil) }
        #expect(error.message.hasPrefix("\(folder.path)/samples.jsonl\(problem)"), "\(error.message)")
    }

    /// A code of captures-1, without an engine, through the whole pipeline: known facts survive the failing source.
    @Test func aPictureIsMeasured() async throws {
        let dataset = Project.folder.appending(path: "Datasets/captures-1").path
        let picture = try #require(try LabelledCapture.of(dataset, limit: 20).first { $0.scene.label == .code })
        let folder = try TemporaryFolder()
        let store = try CaptureStore(path: folder("sessions.sqlite"))
        let measurer = try CaptureMeasurer(store: store, options: .parse(["--codes-only"]))
        let bytes = [UInt8](try LabelledCapture.bytes("\(dataset)/\(picture.image)"))
        let result = try await measurer.measure(bytes, name: picture.image, scene: picture.scene)
        #expect(result.label == .code && result.codes == picture.scene.codes && result.isSummarised)
        #expect(result.facts > 5 && result.lost == [] && result.processor ?? 0 > 0)
        let times = [result.draft, result.text, result.enriched, result.ready].compactMap(\.self)
        #expect(times.count == 4 && times == times.sorted())
        // Every picture finds the same store.
        #expect(try store.sessions(limit: 1).isEmpty)
    }
}
