import Foundation
import Testing

@testable import Harness

@Suite struct CalibrationRuleTests {
    private func objection(
        fingerprint: String = "Example CPU, 2 cores",
        engine: String = "Example 1.0",
        models: [String: String] = ["det.onnx": "sha256:aa"],
        readers: [String] = ["small"],
        days: Double = 1
    ) -> String? {
        ExampleDevice.calibration.objection(
            fingerprint: fingerprint,
            engine: engine,
            models: models,
            readers: readers,
            at: Date(timeIntervalSince1970: 1_000_000 + days * 86_400)
        )
    }

    @Test func aCalibrationHoldsForTheSameHostEngineAndModels() {
        #expect(objection() == nil)
        #expect(objection(models: [:], readers: []) == nil)
    }

    @Test func anythingElseAsksForANewOne() {
        #expect(objection(fingerprint: "Other CPU") == "it was made on another host")
        #expect(objection(engine: "Example 2.0") == "it was made with Example 1.0")
        #expect(objection(models: ["det.onnx": "sha256:bb"]) == "it was made with other models")
        #expect(objection(models: ["rec.onnx": "sha256:aa"]) == "it was made with other models")
        #expect(objection(readers: ["small", "large"]) == "it does not contain large")
        #expect(objection(days: 30.1) == "it is too old")
        #expect(objection(days: -1) == "it is too old")
    }

    @Test(arguments: [(10.9, false), (9.1, false), (11.1, true), (8.9, true)])
    func aTenthIsAllowed(probe: Double, hasDrifted: Bool) {
        #expect(HostCalibration.Timing([10]).isFar(from: probe) == hasDrifted)
    }

    @Test func aTimingIsMedianAndQuartiles() {
        let timing = HostCalibration.Timing([5, 1, 4, 2, 3])
        #expect((timing.low, timing.milliseconds, timing.high) == (2, 3, 4))
        #expect(timing.count == 5)
        #expect(HostCalibration.Timing([7]).low == 7)
    }
}
