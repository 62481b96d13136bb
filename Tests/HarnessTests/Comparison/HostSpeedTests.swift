import Basics
import Evaluation
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness
@testable import Results

@Suite(.tags(.unit)) struct HostSpeedTests {
    private static let description = ["precision": "bf16 (measured 2026: f32 9.0 ms)", "engine": "OpenVINO 1"]

    /// Readings of 10 ms, of which detection takes 2 and recognition 5, with reference works of these milliseconds.
    private func records(_ works: [[String: Double]], milliseconds: Double = 10) -> [SampleRecord] {
        works.enumerated().map { index, work in
            var record = SampleRecord(measurement: "fast", repetition: 1, position: index, id: "s\(index)")
            record.milliseconds = milliseconds
            record.prediction = Prediction(
                lines: [],
                stages: [
                    .detectionInference: milliseconds * 0.2, .recognitionInference: milliseconds * 0.5,
                ]
            )
            record.prediction?.reference = work.isEmpty ? nil : work
            return record
        }
    }

    private func work(_ detection: Double, _ recognition: Double, _ image: Double) -> [String: Double] {
        ["detection": detection, "recognition": recognition, "image": image]
    }

    private func speed(_ factor: (Double, Double, Double) = (1, 1, 1)) throws -> HostSpeed {
        try #require(
            HostSpeed(
                records([work(2 * factor.0, 4 * factor.1, 1 * factor.2)]),
                description: Self.description
            )
        )
    }

    @Test func theUnitIsTheMixOfGeometricMeans() throws {
        let all = records([work(1, 2, 4), [:], work(4, 8, 4)])
        let speed = try #require(HostSpeed(all, description: Self.description))
        // √(1 · 4), √(2 · 8), and 2^0.2 · 4^0.5 · 4^0.3 by hand.
        #expect(
            abs(speed.milliseconds["detection"]! - 2) < 1e-12 && abs(speed.milliseconds["recognition"]! - 4) < 1e-12
        )
        #expect(abs(speed.shares["image"]! - 0.3) < 1e-12)
        #expect(abs(speed.unit - exp(0.2 * log(2) + 0.8 * log(4))) < 1e-12)
        #expect(speed.count == 2 && speed.precision == "bf16")
        #expect(speed.mixText == "detection 20 %, recognition 50 %, image 30 %")
    }

    @Test func readingsWithoutReferenceWorkOrStagesHaveNoUnit() {
        #expect(HostSpeed([], description: [:]) == nil)
        #expect(HostSpeed(records([[:]]), description: [:]) == nil)
        // A kind of work that is missing, and one that took no time.
        #expect(HostSpeed(records([["detection": 1]]), description: [:]) == nil)
        #expect(HostSpeed(records([work(0, 1, 1)]), description: [:]) == nil)
        var unknown = records([work(1, 1, 1)])
        unknown[0].prediction?.stages = StageTimes()
        #expect(HostSpeed(unknown, description: [:]) == nil)
    }

    @Test func aHostThatIsSlowerInAllKindsIsSlowerByThat() throws {
        let (one, other) = (try speed(), try speed((5, 5, 5)))
        #expect(abs(one.logarithm(to: other) - log(5)) < 1e-12)
        #expect(abs(other.logarithm(to: one) + log(5)) < 1e-12)
        #expect(one.objection(to: other) == nil)
        // 2^0.2 of the time, as detection is a fifth of both mixes.
        #expect(try abs(one.logarithm(to: speed((2, 1, 1))) - 0.2 * log(2)) < 1e-12)
    }

    @Test func anotherPrecisionEngineOrMixIsNotConverted() throws {
        var other = try speed()
        other.precision = "f32"
        #expect(try speed().objection(to: other) == "its networks computed in f32, and here in bf16")
        other = try speed()
        other.engine = "OpenVINO 2"
        #expect(try speed().objection(to: other)?.contains("its engine was OpenVINO 2") == true)
        other = try speed()
        // 30 points move from recognition to the image.
        other.shares = ["detection": 0.2, "recognition": 0.2, "image": 0.6]
        #expect(try speed().objection(to: other)?.hasPrefix("its stage mix is 30 points from the one here") == true)
    }

    @Test func theErrorOfConversionIsThatOfAKindLeftOut() throws {
        #expect(UnitConversion(["a": [0], "b": [0.1]], among: []) == nil)
        // Means 0, 0.1 and −0.1: s = 0.1; t(0.975, 2) = 4.302653 (SciPy), times 0.1 √(4/3).
        let own = ["a": [0], "b": [0.05, 0.15], "c": [-0.1]]
        let conversion = try #require(UnitConversion(own, among: [own]))
        #expect(abs(conversion.offset) < 1e-12 && abs(conversion.reach - 0.496828) < 1e-5)
        #expect(conversion.kinds == ["a", "b", "c"])
        // A second variant without any error: s² = 0.02 / 4, and t(0.975, 4) = 2.776445 (SciPy).
        let both = try #require(UnitConversion(own, among: [own, ["a": [0], "b": [0], "c": [0]], [:]]))
        #expect(abs(both.reach - 2.776445 * (0.005 * 4 / 3).squareRoot()) < 1e-6)
    }

    @Test func aBaselineOfBeforeHasNoUnit() throws {
        let part = Baseline.Part(
            id: "fast",
            dataset: "made",
            datasetDigest: "",
            settings: [:],
            models: [:],
            figures: [],
            noise: GoldenComparison.noise,
            samples: []
        )
        let data = try JSONEncoder().encode(part)
        #expect(!String(decoding: data, as: UTF8.self).contains("speed"))
        #expect(try JSONDecoder().decode(Baseline.Part.self, from: data) == part)
    }

    @Test func referenceWorkIsDoneAfterTheClockHasStopped() throws {
        struct Quick: SystemUnderTest {
            func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) -> Prediction {
                Prediction(lines: [])
            }
        }
        let reading = TimedReading([], name: "x", with: Quick())
        guard
            case .result(_, let plain, let without, _, _) = reading.message(sequence: 0, concludedBy: Quick(), .own),
            case .result(_, let timed, let with, _, _) = reading.message(
                sequence: 0,
                concludedBy: Quick(),
                .own,
                then: { ["image": 5] }
            )
        else {
            Issue.record("no result")
            return
        }
        #expect(without.reference == nil && with.reference == ["image": 5])
        #expect(plain == timed)
    }
}
