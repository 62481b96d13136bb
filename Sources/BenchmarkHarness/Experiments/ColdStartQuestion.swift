import DeviceSimulation
import Evaluation

/// E-14: what a user waits for after opening the app, and what loading everything beforehand changes (S3-37, S3-41).
enum ColdStartQuestion {
    /// The first result of a fresh process, in milliseconds.
    static let firstResultTarget = 500.0
    /// Loading a model, in milliseconds (S3-41).
    static let loadTarget = 1_000.0

    /// The answer of the measurements in the scenario `cold`, one in each variant.
    static func finding(_ measurements: [MeasurementResult], records: [SampleRecord]) -> Finding {
        let cold = measurements.filter { $0.findings?.cold != nil }
        let starts = cold.compactMap { Start($0, records) }
        return Finding(
            id: Experiment.coldStart.rawValue,
            question: Experiment.coldStart.question,
            answer: answer(starts),
            evidence: .measured,
            tables: starts.isEmpty ? [] : [table(starts)]
        )
    }

    /// What the fresh processes of a variant showed.
    private struct Start {
        var variant: String
        var isPrewarmed: Bool
        /// The variant's settings but for prewarming, which tell its pair.
        var others: [String: String]
        var cold: ColdFindings
        /// The first reading, without what came before it.
        var firstReading: LatencySummary
        var memory: Figure

        init?(_ measurement: MeasurementResult, _ records: [SampleRecord]) {
            guard let cold = measurement.findings?.cold, cold.untilText.p50.value.value != nil else { return nil }
            variant = measurement.variant.name
            isPrewarmed = measurement.variant.settings["prewarm"] == "on"
            others = measurement.variant.settings
            others["prewarm"] = nil
            self.cold = cold
            let own = records.filter { $0.measurement == measurement.id && $0.outcome == .read }
            firstReading = LatencySummary(
                milliseconds: own.compactMap { record in
                    guard let all = record.milliseconds, let ready = record.readyMilliseconds else { return nil }
                    return all - ready
                },
                timeouts: 0
            )
            memory = measurement.memory.peak
        }
    }

    private static func table(_ starts: [Start]) -> FindingTable {
        FindingTable(
            "Fresh processes",
            note: "Measured on this host, from just before a process is started. \(starts[0].cold.note).",
            columns: [
                "Variant", "Prewarm", "Loading P50", "Until ready P50", "First reading P50", "First text P50",
                "Peak memory",
            ],
            rows: starts.map { start in
                [
                    start.variant, start.isPrewarmed ? "on" : "off", NumberText.bounded(start.cold.load.p50),
                    NumberText.bounded(start.cold.untilReady.p50), NumberText.bounded(start.firstReading.p50),
                    NumberText.bounded(start.cold.untilText.p50), NumberText.figure(start.memory, NumberText.megabytes),
                ]
            },
            numbersFrom: 2
        )
    }

    private static func answer(_ starts: [Start]) -> String {
        guard !starts.isEmpty else { return "Not answered: no variant was run in the scenario 'cold'." }
        let late = starts.filter { $0.cold.untilText.p50.value.value ?? .infinity >= firstResultTarget }
        let slow = starts.filter { $0.cold.load.longest.value ?? .infinity >= loadTarget }
        var parts = [
            late.isEmpty
                ? "Every variant shows its first text within 500 ms of process start (P50)"
                : "\(names(late)) \(late.count == 1 ? "shows its" : "show their") first text later than 500 ms after process "
                    + "start (P50 \(late.map { NumberText.figure($0.cold.untilText.p50.value, NumberText.milliseconds) }.joined(separator: ", ")))",
            slow.isEmpty
                ? "every loading took less than 1 s" : "loading took 1 s or more at least once in \(names(slow))",
        ]
        for start in starts where start.isPrewarmed {
            guard let plain = starts.first(where: { !$0.isPrewarmed && $0.others == start.others }),
                let first = start.firstReading.p50.value.value, let without = plain.firstReading.p50.value.value
            else { continue }
            let memory = start.memory.value.flatMap { own in plain.memory.value.map { own - $0 } }
            parts.append(
                "prewarming takes the first reading of \(plain.variant) from \(NumberText.milliseconds(without)) to "
                    + NumberText.milliseconds(first)
                    + (memory.map { " for \(NumberText.megabytes($0)) of peak memory" } ?? "")
            )
        }
        return parts.joined(separator: "; ") + "."
    }

    private static func names(_ starts: [Start]) -> String { starts.map(\.variant).joined(separator: ", ") }
}
