import Basics
import Testing

@testable import DeviceSimulation

@Suite struct GateMeasurementTests {
    private static func clip(_ scene: String, _ frames: [(GateClip.Truth, Bool)]) -> GateClip {
        GateClip(kind: "kind", scene: scene, frames: frames.map { GateClip.Frame($0.0, isPassed: $0.1) })
    }

    private static func measurement(_ clips: [GateClip]) -> GateMeasurement {
        GateMeasurement(
            gate: "a",
            fittedOn: "others",
            date: "2026-01-02",
            seed: 1,
            clipsOfEach: 2,
            sources: [],
            clips: clips,
            time: .init(
                host: "Example",
                milliseconds: [1, 2, 2, 3, 30],
                image: HostCalibration.Timing([9, 10, 10, 10, 12])
            )
        )
    }

    /// Computed by hand: three of four with a spine, one of two without, and two that are neither.
    @Test func framesAreCountedByTheirTruth() {
        let all = Self.measurement([
            Self.clip("a", [(.spine, true), (.spine, true), (.part, true), (.none, false)]),
            Self.clip("b", [(.spine, true), (.spine, false), (.unknown, true), (.none, true)]),
        ]).all
        #expect(all.withSpine.passed.successes == 3 && all.withSpine.passed.trials == 4)
        #expect(all.without.passed.successes == 1 && all.without.passed.trials == 2)
        #expect(all.parts == 1 && all.unknown == 1 && all.clips == 2)
        #expect(all.withSpine.scenes == 2)
    }

    /// 40 scenes of 10 frames, in 20 of which all pass and in 20 none: worth about 40 samples, not 400.
    @Test func framesOfASceneAreACluster() throws {
        let clips = (0..<40).map { scene in
            Self.clip("\(scene)", Array(repeating: (.spine, scene % 2 == 0), count: 10))
        }
        let interval = try #require(Self.measurement(clips).all.withSpine.passed.interval.value)
        // Wilson's interval for 20 of 40 is 0.35 to 0.65; for 200 of 400 it is 0.45 to 0.55.
        #expect(interval.lowerBound < 0.37 && interval.upperBound > 0.63)
    }

    /// P50 is 2 ms here, where the work on pictures takes 10 ms and an A15 9.48 ms (5.69 to 16.12).
    @Test func aLookIsScaledAsTheWorkOnPictures() throws {
        let clips = (0..<12).flatMap { scene in
            [Self.clip("\(scene)", [(.spine, true), (.spine, scene > 0), (.none, scene == 0), (.none, false)])]
        }
        let rates = try #require(Self.measurement(clips).rates)
        #expect(abs(rates.seconds - 0.002 * 9.48 / 10) < 1e-6)
        let range = try #require(rates.range)
        #expect(abs(range.seconds.lowerBound - 0.002 * 5.69 / 10) < 1e-5)
        #expect(abs(range.seconds.upperBound - 0.002 * 16.12 / 10) < 1e-5)
        #expect(abs(rates.truePositive - 23.0 / 24) < 1e-12 && abs(rates.falsePositive - 1.0 / 24) < 1e-12)
        #expect(range.truePositive.contains(rates.truePositive) && range.falsePositive.contains(rates.falsePositive))
    }

    @Test func withoutFramesOfASortThereAreNoRates() {
        #expect(Self.measurement([Self.clip("a", [(.spine, true)])]).rates == nil)
    }

    @Test func theCommittedMeasurementCanBeRead() throws {
        let measurement = try GateMeasurement.committed()
        let rates = try #require(measurement.rates)
        #expect((0...1).contains(rates.truePositive) && (0...1).contains(rates.falsePositive) && rates.seconds > 0)
        #expect(!measurement.fittedOn.isEmpty && !measurement.sources.isEmpty)
    }
}
