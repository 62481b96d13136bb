import Basics
import Evaluation
import Foundation
import ScanningPolicies
import Statistics
import Testing

@testable import Harness

/// Calibration by what others measured on phones.
///
/// The A15's rates and the A19's speeds are computed of the published times of the networks alone, so that these tests show that
/// the model gives back what was put in, and no more. Evidence is what is left over: the whole frame, from end to end.
@Suite struct PublishedTimeCalibrationTests {
    /// A host on which the detector takes 10 ms for 640 × 96 pixels, and a frame of 640 × 640 in proportion.
    private func model(_ device: String, on unit: ComputeUnit) throws -> (model: DeviceModel, profile: DeviceProfile) {
        let profile = try DeviceLibrary(folders: [DeviceLibraryTests.folder]).named(device)
        let work = try #require(NetworkWork.all.first { $0.name == "ppocrv6-small" })
        var calibration = ExampleDevice.calibration
        calibration.networks["small"] = HostCalibration.Networks(
            work: work,
            detection: HostCalibration.Timing([10]),
            recognition: HostCalibration.Timing([10])
        )
        let (width, height) = NetworkWork.detectorInput
        let detection = 10 * Double(640 * 640) / Double(width * height)
        var subject = AssessmentSubject(
            name: "frame",
            tier: "fast",
            readings: (0..<100).map { _ in HostReading(image: 0, detection: detection, recognition: 0, wait: 0) }
        )
        (subject.reader, subject.plan.unit) = ("small", unit)
        let assessor = DeviceAssessor(calibration: calibration, minutes: ExampleDevice.assessor.minutes)
        return (DeviceModel(subject, on: profile, by: assessor), profile)
    }

    /// Published: `low` is the network alone, `high` the frame from end to end.
    ///
    /// Modelled is the nominal time, and the range of all draws.
    private func frame(
        _ device: String,
        on unit: ComputeUnit
    ) throws -> (Estimate, modelled: (nominal: Double, range: ClosedRange<Double>)) {
        let (model, profile) = try model(device, on: unit)
        let name = unit == .cpu ? "cpu" : "neuralEngine"
        let published = try #require(profile.claims["ppocrv6-small.640x640.\(name).ms"])
        let times = try #require(model.estimates(.latencyP50)).compactMap(\.point.value)
        return (published, (times[0], try #require(times.min())...#require(times.max())))
    }

    /// The test: nothing is computed of the whole frame.
    ///
    /// The model has its detection alone, and a call's overhead; preparing
    /// the picture and finding boxes are missing, so that it may be a fifth short.
    @Test(arguments: ["iPhone SE 3", "iPhone 17"], [ComputeUnit.neuralEngine, .cpu])
    func theWholeFrameIsAmongThePlausibleOnes(device: String, unit: ComputeUnit) throws {
        let (published, modelled) = try frame(device, on: unit)
        #expect(modelled.range.contains(published.high), "\(modelled)")
        #expect(modelled.nominal > 0.8 * published.high && modelled.nominal < 1.1 * published.high, "\(modelled)")
    }

    /// Calibration.
    @Test(arguments: ["iPhone SE 3", "iPhone 17"], [ComputeUnit.neuralEngine, .cpu])
    func aFrameIsBetweenTheNetworkAndTheWhole(device: String, unit: ComputeUnit) throws {
        let (published, modelled) = try frame(device, on: unit)
        #expect((published.low...published.high).contains(modelled.nominal), "\(modelled)")
        #expect(modelled.range.overlaps(published.low...published.high), "\(modelled)")
    }

    @Test(arguments: ["iPhone SE 3", "iPhone 17"]) func aLaterStartIsSoonAndTheFirstOneIsNot(
        device: String
    ) throws {
        let (model, profile) = try model(device, on: .neuralEngine)
        let row = try model.row(beside: nil)
        func start(_ metric: DeviceMetric) throws -> Answer {
            try #require(row.requirements.first { $0.claim.device == metric })
        }
        let (first, later) = (try start(.firstStart), try start(.laterStart))
        // Even the shortest compilation, 2 s on an A15, is four times E-14's half second.
        #expect(first.judgement.verdict == .fail && !first.gates && !later.gates)
        #expect(row.verdict != .fail)
        let load = try #require(profile.claims["ppocrv6-small.load.ms"]).value
        let reading = try #require(row.latency.p50.nominal.value)
        let (value, range) = (try #require(later.value.value), try #require(later.range))
        #expect(value < 500 && value <= load + reading + 1e-9 && load + reading < range.upperBound)
    }

    /// Calibration; sources: react-native-executorch, docs/src/data/benchmarks.json at 3a7bb48, rows ocr, ppocrv6.
    @Test func theA15sRatesAreThoseOfThePublishedTimes() throws {
        // 4.333 billion multiplications at 640 × 640, counted in the ONNX graph.
        let operations = 2 * 4.333
        let engine = try #require(A15Reference.figures[.a15NeuralEngineRate])
        let call = try #require(A15Reference.figures[.a15NeuralEngineCall]).value
        #expect(engine.low < operations / 5.86e-3 && operations / ((5.86 - call) / 1_000) < engine.high)
        #expect(abs(engine.value / (operations / 5.86e-3) - 1) < 0.02)
        let cpu = try #require(A15Reference.figures[.a15CPURate])
        #expect(abs(cpu.value / (operations / 191.6e-3) - 1) < 0.01)
        #expect(operations / 161.5e-3 < cpu.high)
        let phone = try DeviceLibrary(folders: [DeviceLibraryTests.folder]).named("iPhone 17")
        #expect(abs(try #require(phone.figures[.neuralEngineSpeed]).value - 5.86 / 4.95) < 0.01)
        #expect(abs(try #require(phone.figures[.cpuSpeed]).value - 191.6 / 114.4) < 0.01)
    }
}
