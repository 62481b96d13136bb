import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness
@testable import Reports

@Suite(.tags(.io)) struct RunContentsTests {
    private func run(_ name: String, variants: [String] = ["fast"]) throws -> RunContents {
        let samples = [Sample.made("a", title: "Dune"), Sample.made("b", title: "Emma")]
        let variants = variants.map { Variant(name: $0, tier: "fast", gates: true) }
        var run = MadeRun(samples, variants, milliseconds: 10)
        run.configuration.datasets = [DatasetReference(run.dataset)]
        return try run.contents(name)
    }

    @Test func aFolderWithoutARunIsNamed() throws {
        let folder = try TemporaryFolder()
        #expect {
            try RunContents.load(folder.path)
        } throws: { error in
            "\(error)" == "\(folder.path): contains no run: config.json is missing"
        }
    }

    @Test func measurementsOfOneRunAloneAreNamed() throws {
        func merged(_ others: String...) throws -> RunContents {
            var whole = try run("fast")
            for other in others {
                whole.result.configuration.variants.append(Variant(name: other))
                whole.records += try run(other, variants: [other]).records
            }
            whole.path = "runs/\(others.joined())"
            return whole
        }
        let (a, b) = (try merged("x", "y"), try merged("z"))
        func notes(_ measurement: String? = nil) throws -> [String] {
            let tolerances = try ComparisonTolerances.parse("")
            return try ComparisonReport([a, b], measurement: measurement, tool: "test", tolerances: tolerances).notes
        }
        let left = ["A, runs/xy, so not compared: x, y.", "B, runs/z, so not compared: z."].map {
            "Not in every run, but in \($0)"
        }
        #expect(try notes().dropFirst() == left[...])
        // A caller that names one does not ask for the others.
        #expect(try notes("fast").count == 1)
    }

    @Test func theGateHearsOfDevicesAsTheRunDid() async throws {
        let folder = try TemporaryFolder()
        try folder.write(tinyPNG, "set/a.png")
        try folder.write(
            """
            {"id": "v0", "image": "a.png", "category": "vertical", "title": "Dune", "transcription": "Dune", \
            "orientation": "cw"}

            """,
            "set/samples.jsonl"
        )
        let dataset = try DatasetLoader().load(folder("set"))
        let assessed = try await DeviceRun.contents(gates: .all).result
        func write(_ name: String, gates: Bool, records: [SampleRecord]) throws -> String {
            var configuration = RunConfiguration(
                tool: "test",
                datasets: [DatasetReference(dataset)],
                variants: [Variant(name: "fast", tier: "fast")],
                repetitions: 1
            )
            configuration.devices = assessed.configuration.devices
            configuration.devices?.gates = gates ? .all : .none
            let run = try RunFolder.create(folder(name), configuration)
            for record in records { try run.append(record) }
            return run.path
        }
        let record = SampleRecord(
            measurement: "fast",
            repetition: 1,
            position: 0,
            id: "v0",
            outcome: .read,
            milliseconds: 10,
            prediction: Prediction(lines: [.init(text: "Dune")])
        )
        let path = try write("gating", gates: true, records: [record])
        #expect {
            try RunContents.scored(path)
        } throws: {
            "\($0)".contains("devices.json") && "\($0)".contains("spinebench run --resume \(path)")
        }
        // A run that does not gate on them, and one that was stopped, need no devices.
        #expect(try RunContents.scored(write("other", gates: false, records: [record])).result.devices == nil)
        #expect(try RunContents.scored(write("stopped", gates: true, records: [])).result.verdict == .inconclusive)

        try DeviceRecord(assessment: assessed.devices).write(to: path)
        let scored = try RunContents.scored(path)
        #expect(scored.result.verdict != nil)
        #expect(scored.result.verdict == (try RunContents.load(path).result.verdict))
        let gate = try GateResult(scored, baselines: [], tool: "")
        #expect(gate.checks.checks.contains { $0.suite == "fast on Phone A (modelled)" })
    }

    /// A run that was started in `project` is read from anywhere: its dataset is beside it, or beside a folder above it.
    @Test func aDatasetIsFoundFromTheRun() throws {
        let folder = try TemporaryFolder()
        try folder.write("", "project/Datasets/set/samples.jsonl")
        let reference = DatasetReference(path: "Datasets/set", name: "set", digest: "sha256:0")
        #expect(reference.place(of: folder("project/Reports/runs/a")) == folder("project/Datasets/set"))
        #expect(reference.place(of: folder("other/run")) == "Datasets/set")
        let absolute = DatasetReference(path: "/Datasets/set", name: "set", digest: "sha256:0")
        #expect(absolute.place(of: folder("project/run")) == "/Datasets/set")
    }

    @Test func aPageHasAColumnForEachMeasurementAndARowForEachSample() throws {
        let page = try ReportPage(run("monday", variants: ["fast", "accurate"]))
        #expect(page.names == ["fast", "accurate"])
        #expect(page.samples.map(\.i) == ["a", "b"])
        for sample in page.samples { #expect(sample.r.map { $0?.t } == [1, 1]) }
        let read = page.figures.filter { $0.measurement == page.names[0] && $0.metric == "title-read" }
        #expect(read.map(\.category) == ["all", "vertical"])
        // The pictures of this dataset are missing, which is reported.
        #expect(PagePictures(page.places, besideBytes: 0).problems.contains { $0.hasPrefix("a: image") })
    }
}
