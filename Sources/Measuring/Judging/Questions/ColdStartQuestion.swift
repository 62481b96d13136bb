import Basics
import DeviceSimulation
import Documents
import Evaluation
import Harness
import Statistics

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
        guard !starts.isEmpty else {
            return .unanswered(.coldStart, "no variant was run in the scenario 'cold'", evidence: .measured)
        }
        return Finding(
            .coldStart,
            .overall(starts.flatMap { [$0.isInTime, $0.loadsInTime] }),
            answer(starts),
            evidence: .measured,
            tables: [table(starts)]
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
            guard let cold = measurement.findings?.cold, cold.untilText.count + cold.untilText.timeouts > 0 else {
                return nil
            }
            variant = measurement.variant.name
            isPrewarmed = measurement.variant.isPrewarmed
            others = measurement.variant.settingsBesidesPrewarming
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

        /// The first text by its median.
        var isInTime: Finding.Decision {
            let target = Target(
                source: "S2-20",
                metric: .latencyP50,
                comparator: .below,
                limit: ColdStartQuestion.firstResultTarget
            )
            return .init(cold.untilText.judgement(against: target, rule: .interval).verdict)
        }

        /// Every loading; a start that never came to its text shows nothing of how long it loaded.
        var loadsInTime: Finding.Decision {
            guard let longest = cold.load.longest.value else { return .undecided }
            return longest < ColdStartQuestion.loadTarget ? .holds : .doesNotHold
        }
    }

    private static func table(_ starts: [Start]) -> Table {
        Table(
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
        func names(_ decision: Finding.Decision, _ part: (Start) -> Finding.Decision) -> String? {
            let own = starts.filter { part($0) == decision }
            return own.isEmpty ? nil : own.map(\.variant).joined(separator: ", ")
        }
        func first(_ start: Start) -> Finding.Decision { start.isInTime }
        func load(_ start: Start) -> Finding.Decision { start.loadsInTime }
        let texts = starts.map { "\($0.variant) \(NumberText.bounded($0.cold.untilText.p50))" }.joined(separator: ", ")
        var parts = [
            [
                names(.holds, first).map { "\($0): the first text within 500 ms of process start" },
                names(.doesNotHold, first).map { "\($0): the first text later than 500 ms after process start" },
                names(.undecided, first).map { "\($0): open whether the first text is within 500 ms of process start" },
            ].compactMap(\.self).joined(separator: "; ") + " (P50 \(texts))",
            names(.doesNotHold, load).map { "loading took 1 s or more at least once in \($0)" }
                ?? "every loading took less than 1 s",
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
}
