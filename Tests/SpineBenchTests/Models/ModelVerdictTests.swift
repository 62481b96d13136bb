import Basics
import DeviceSimulation
import Evaluation
import Harness
import OpenVINOEngine
import ScanningPolicies
import Testing

@testable import spinebench_tools

@Suite struct ModelVerdictTests {
    private static let pose = ModelTarget.neuroGuide[0]

    private func measurement(_ milliseconds: [Double], taken: Int = 30_000_000) -> ModelMeasurement {
        func memory(_ resident: Int, _ peak: Int) -> MemoryReading.Level { .init(resident, peak: peak) }
        let base = 80_000_000
        return ModelMeasurement(
            format: .onnx,
            openVINO: "1",
            processor: "a CPU",
            precision: .f32,
            threads: 2,
            inputs: [],
            outputs: [],
            readMilliseconds: 100,
            compileMilliseconds: 200,
            firstMilliseconds: 50,
            milliseconds: milliseconds,
            memory: ModelMeasurement.Memory(
                base: memory(base, base),
                loaded: memory(base + 20_000_000, base + 25_000_000),
                before: memory(base + 21_000_000, base + taken),
                after: memory(base + 21_500_000, base + 22_000_000),
                peakWasReset: true
            )
        )
    }

    private func verdict(
        _ milliseconds: [Double],
        taken: Int = 30_000_000,
        loads: [(load: Double, first: Double)] = [(load: 300, first: 50)],
        fileBytes: Int = 3_000_000,
        budget: ModelTarget = pose,
        method: PercentileMethod = .nearestRank
    ) -> ModelVerdict {
        ModelVerdict(
            measurement(milliseconds, taken: taken),
            loads: loads,
            fileBytes: fileBytes,
            budget: budget,
            battery: ModelVerdict.BatteryPlan(hertz: budget.hertz, unit: .neuralEngine),
            method: method
        )
    }

    private func row(_ prefix: String, of verdict: ModelVerdict) throws -> ModelVerdict.Row {
        try #require(verdict.rows.first { $0.name.hasPrefix(prefix) })
    }

    /// Returns 20 ms for each of a hundred, but for the last `slow`, which take 60.
    private func hundred(slow: Int) -> [Double] {
        [Double](repeating: 20, count: 100 - slow) + [Double](repeating: 60, count: slow)
    }

    @Test func whatIsWithinTheBudgetPasses() throws {
        let verdict = verdict(hundred(slow: 0))
        #expect(verdict.verdict == .pass)
        #expect(verdict.alerts.isEmpty)
        #expect(try row("P95", of: verdict).value == .value(20))
        // 100 readings are too few for P99, which is shown and does not decide.
        let p99 = try row("P99", of: verdict)
        #expect(p99.judgement?.verdict == .inconclusive)
        #expect(!p99.gates)
        #expect(try row("load", of: verdict).value == .value(300))
        #expect(try row("first answer", of: verdict).value == .value(350))
        #expect(try row("memory, at most", of: verdict).value == .value(30_000_000))
        #expect(try row("retained memory", of: verdict).value == .value(500_000))
    }

    /// P95 of a hundred is the 95th by nearest rank, and the 96th by the document's formula (K-3).
    @Test(arguments: [
        (4, PercentileMethod.nearestRank, 20.0), (5, .nearestRank, 20), (6, .nearestRank, 60), (5, .seed, 60),
    ])
    func theFormulaIsTheOneAskedFor(slow: Int, method: PercentileMethod, expected: Double) throws {
        let verdict = verdict(hundred(slow: slow), method: method)
        #expect(try row("P95", of: verdict).value == .value(expected))
    }

    @Test func missesFailAndAlert() throws {
        let verdict = verdict(
            [Double](repeating: 120, count: 100),
            taken: 80_000_000,
            loads: [(load: 500, first: 20), (load: 1_500, first: 10)],
            fileBytes: 6_000_000
        )
        #expect(verdict.verdict == .fail)
        let missed = verdict.rows.filter { $0.gates && $0.judgement?.verdict == .fail }.map(\.name)
        #expect(
            missed == ["file size", "load, the longest of 2", "P50", "P95", "P99", "memory, at most"]
        )
        // S3-25's own words.
        #expect(
            verdict.alerts.map(\.message) == [
                "Pose Detection P95 latency 120ms exceeds target 50ms",
                "Pose Detection memory 80MB exceeds requirement 50MB",
                "Pose Detection target compliance 0% is below 80%",
            ]
        )
        #expect(verdict.alerts.map(\.severity) == [.critical, .critical, .critical])
    }

    @Test func tooFewReadingsDecideNothing() {
        #expect(verdict([20, 20, 20]).verdict == .inconclusive)
        #expect(verdict([]).verdict == .inconclusive)
    }

    @Test func aLimitItselfIsNotBelowIt() throws {
        // P95 < 50 (S3-29), at most 50,000,000 bytes (S3-04).
        let verdict = verdict([Double](repeating: 50, count: 100), taken: 50_000_000)
        #expect(try row("P95", of: verdict).judgement?.verdict == .fail)
        #expect(try row("memory, at most", of: verdict).judgement?.verdict == .pass)
    }

    /// K-4: at its own targets of 20 Hz and 30 ms a pose model takes 108 % in half an hour by the document's formula.
    @Test func theSeedFormulaIsShownAndNeverGates() throws {
        let seed = try row("battery in 30 min, seed", of: verdict([Double](repeating: 30, count: 100)))
        #expect(try abs(#require(seed.value.value) - 108) < 1e-9)
        #expect(seed.evidence == .modelled)
        #expect(seed.judgement?.verdict == .fail)
        #expect(!seed.gates)
    }

    /// 2 W for 20 · 0.03 s of each second of 1800: 2160 J of 10 Wh = 36 kJ, 6 %.
    @Test func theEnergyModelIsOfTheUnitsWork() throws {
        var numbers = Dictionary(uniqueKeysWithValues: DeviceFigure.allCases.map { ($0, 1.0) })
        numbers[.neuralEnginePower] = 2
        numbers[.batteryCapacity] = 10
        func verdict(gates: Bool) -> ModelVerdict {
            ModelVerdict(
                measurement([Double](repeating: 30, count: 100)),
                loads: [(load: 1, first: 1)],
                fileBytes: 1,
                budget: Self.pose,
                battery: ModelVerdict.BatteryPlan(
                    hertz: 20,
                    unit: .neuralEngine,
                    device: ("a phone", DeviceValues(numbers)),
                    gates: gates
                ),
                method: .nearestRank
            )
        }
        let energy = try row("battery in 30 min, energy", of: verdict(gates: true))
        #expect(try abs(#require(energy.value.value) - 6) < 1e-9)
        #expect(energy.gates)
        #expect(energy.evidence == .modelled)
        #expect(energy.judgement?.verdict == .fail)
        // Modelled figures decide only if requested; 30 ms are not below the median's 30.
        func missed(_ verdict: ModelVerdict) -> [String] {
            verdict.rows.filter { $0.gates && $0.judgement?.verdict == .fail }.map(\.name)
        }
        #expect(missed(verdict(gates: true)) == ["P50", "battery in 30 min, energy model"])
        let shown = verdict(gates: false)
        #expect(missed(shown) == ["P50"])
        #expect(shown.rows.allSatisfy { $0.evidence != .modelled || !$0.gates })
        #expect(try row("battery in 30 min, energy", of: shown).judgement?.verdict == .fail)
    }

    @Test func withoutAPaceThereIsNoBattery() throws {
        let verdict = verdict(hundred(slow: 0), budget: ModelTarget.tiers[0])
        #expect(try row("battery in 30 min, energy", of: verdict).value.value == nil)
        #expect(try row("battery in 30 min, seed", of: verdict).value.value == nil)
        #expect(verdict.verdict == .pass)
    }

    @Test func theReportSaysItAll() {
        let report = ModelReport(
            model: "a\u{1B}[31m.onnx",
            fileBytes: 3_000_000,
            measurement: measurement(hundred(slow: 0)),
            verdict: verdict(hundred(slow: 0))
        )
        #expect(!report.text.contains("\u{1B}[31m"))
        #expect(report.text.contains("Budget: Pose Detection (S3-07, S3-11)"))
        #expect(report.text.contains("P99 takes --readings 459 to judge."))
        #expect(report.exitCode == 0)
    }
}
