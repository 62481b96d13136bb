import Basics
import DeviceSimulation
import Evaluation
import Harness

/// E-14: the wait of a user after opening the app, and what loading everything beforehand changes (S3-37, S3-41).
struct ColdStartQuestion: Question {
    static let experiment = Experiment.coldStart
    let input: ExperimentInput

    /// The first result of a fresh process, by its median.
    private static let firstResult = Target(source: "S2-20", metric: .latencyP50, comparator: .below, limit: 500)
    /// Loading a model, in milliseconds (S3-41).
    private static let loadTarget = 1_000.0

    /// Of the measurements in the scenario `cold`, one in each variant.
    func answer() throws(Unanswered) -> Finding {
        let starts = input.measurements.compactMap { Start($0, input.records) }
        guard !starts.isEmpty else {
            throw Unanswered("no variant was run in the scenario 'cold'", evidence: .measured)
        }
        return Self.finding(
            .overall(starts.flatMap { [$0.isInTime, $0.loadsInTime] }),
            text(starts),
            evidence: .measured,
            tables: [table(starts)]
        )
    }

    private struct Start {
        var variant: Variant
        var cold: ColdFindings
        /// The first reading, without what came before it.
        var firstReading: LatencySummary
        var memory: Figure

        init?(_ measurement: MeasurementResult, _ records: [SampleRecord]) {
            guard let cold = measurement.findings?.cold, cold.untilText.count + cold.untilText.timeouts > 0 else {
                return nil
            }
            variant = measurement.variant
            self.cold = cold
            let own = records.filter { $0.measurement == measurement.id && $0.outcome == .read }
            firstReading = LatencySummary(
                milliseconds: own.compactMap { record in
                    record.milliseconds.flatMap { all in record.readyMilliseconds.map { all - $0 } }
                }
            )
            memory = measurement.memory.peak
        }

        var isInTime: Finding.Decision {
            .init(cold.untilText.judgement(against: firstResult, rule: .interval).verdict)
        }

        /// Every loading; a start that never came to its text shows nothing of how long it loaded.
        var loadsInTime: Finding.Decision {
            guard let longest = cold.load.longest.value else { return .undecided }
            return longest < loadTarget ? .holds : .doesNotHold
        }
    }

    private func table(_ starts: [Start]) -> Table {
        Table(
            "Fresh processes",
            note: "Measured on this host, from just before a process is started. \(starts[0].cold.note).",
            columns: [
                "Variant", "Prewarm", "Loading P50", "Until ready P50", "First reading P50", "First text P50",
                "Peak memory",
            ],
            rows: starts.map { start in
                let times = [start.cold.load, start.cold.untilReady, start.firstReading, start.cold.untilText]
                return [start.variant.name, start.variant.isPrewarmed ? "on" : "off"]
                    + times.map { NumberText.bounded($0.p50) }
                    + [NumberText.figure(start.memory, NumberText.megabytes)]
            },
            numbersFrom: 2
        )
    }

    private func text(_ starts: [Start]) -> String {
        func names(_ part: (Start) -> Finding.Decision, _ decision: Finding.Decision) -> String? {
            let own = starts.filter { part($0) == decision }
            return own.isEmpty ? nil : own.map(\.variant.name).joined(separator: ", ")
        }
        let texts = starts.map { "\($0.variant.name) \(NumberText.bounded($0.cold.untilText.p50))" }
        let inTime = [
            names(\.isInTime, .holds).map { "\($0): the first text within 500 ms of process start" },
            names(\.isInTime, .doesNotHold).map { "\($0): the first text later than 500 ms after process start" },
            names(\.isInTime, .undecided).map {
                "\($0): open whether the first text is within 500 ms of process start"
            },
        ].compactMap(\.self).joined(separator: "; ")
        let loading =
            names(\.loadsInTime, .doesNotHold).map { "loading took 1 s or more at least once in \($0)" }
            ?? "every loading took less than 1 s"
        let parts = ["\(inTime) (P50 \(texts.joined(separator: ", ")))", loading]
        return (parts + prewarming(starts)).joined(separator: "; ") + "."
    }

    /// Each variant that is loaded beforehand, beside the one that differs in nothing else.
    private func prewarming(_ starts: [Start]) -> [String] {
        starts.filter(\.variant.isPrewarmed).compactMap { start in
            let others = start.variant.settingsBesidesPrewarming
            guard
                let plain = starts.first(where: {
                    !$0.variant.isPrewarmed && $0.variant.settingsBesidesPrewarming == others
                }),
                let first = start.firstReading.p50.value.value, let without = plain.firstReading.p50.value.value
            else { return nil }
            let memory = start.memory.value.flatMap { own in plain.memory.value.map { own - $0 } }
            return
                "prewarming takes the first reading of \(plain.variant.name) from \(NumberText.milliseconds(without)) to "
                + NumberText.milliseconds(first)
                + (memory.map { " for \(NumberText.megabytes($0)) of peak memory" } ?? "")
        }
    }
}
