import DeviceSimulation
import Evaluation
import ScanningPolicies

/// E-08: the thermal policies beside each other, in half an hour without a gate, in mild and in hot air (K-1, S0-TH4).
struct ThermalPoliciesQuestion {
    let input: ExperimentInput
    private static let minutes = 30.0
    private static let ambients = [25.0, 35.0]

    private struct Row {
        var profile: DeviceProfile
        var ambient: Double
        var policy: ThermalPolicy
        var outcome: SessionOutcome
        /// Seconds in the states in which the system throttles hard.
        var hot: Double { outcome.stateSeconds.serious + outcome.stateSeconds.critical }
    }

    var finding: Finding {
        // The heaviest reader is the one that policies matter for.
        guard let subject = input.subjects.last(where: { $0.strategy == .onDeviceOnly }), !input.profiles.isEmpty else {
            return input.unanswered(.thermalPolicies, "it needs a variant that reads on the device, and a device")
        }
        var rows: [Row] = []
        for profile in input.profiles {
            for ambient in Self.ambients {
                for policy in ThermalPolicy.allCases {
                    let plan = input.plan(subject, minutes: Self.minutes) {
                        $0.thermalPolicy = policy
                        $0.gate = nil
                        $0.idleLimit = nil
                        $0.ambient = ambient
                    }
                    guard let outcome = input.outcome(plan, subject, on: profile) else { continue }
                    rows.append(Row(profile: profile, ambient: ambient, policy: policy, outcome: outcome))
                }
            }
        }
        guard !rows.isEmpty else { return input.unanswered(.thermalPolicies, "\(subject.name) has no readings") }
        return Finding(
            id: Experiment.thermalPolicies.rawValue,
            question: Experiment.thermalPolicies.question,
            answer: answer(rows),
            evidence: .modelled,
            tables: [table(rows, subject)],
            plots: plots(rows, subject)
        )
    }

    private func answer(_ rows: [Row]) -> String {
        let sums = ThermalPolicy.allCases.map { policy in
            let own = rows.filter { $0.policy == policy }
            return (
                policy: policy, books: own.reduce(0) { $0 + $1.outcome.books }, hot: own.reduce(0) { $0 + $1.hot },
                skin: own.map(\.outcome.skin).max() ?? 0
            )
        }
        let text = sums.map {
            "\($0.policy.rawValue) \(NumberText.count($0.books, "book")), \(NumberText.span(seconds: $0.hot)) serious or worse, "
                + "skin at most \(NumberText.fixed($0.skin, 1)) °C"
        }
        let most = sums.map(\.books).max() ?? 0
        let least = sums.map(\.hot).min() ?? 0
        func names(_ rows: [(policy: ThermalPolicy, books: Int, hot: Double, skin: Double)]) -> String {
            rows.map(\.policy.rawValue).joined(separator: " and ")
        }
        return "Most books: \(names(sums.filter { $0.books == most })); least time in serious or critical: "
            + "\(names(sums.filter { $0.hot <= least })) (over \(rows.count / sums.count) half hours: \(text.joined(separator: "; ")))."
    }

    private func table(_ rows: [Row], _ subject: ExperimentInput.Subject) -> FindingTable {
        FindingTable(
            "Half an hour by each thermal policy",
            note: "Modelled: \(subject.name), every frame to the reader, from a device as warm as the air.",
            columns: [
                "Device", "Air", "Policy", "Books", "Read", "Skipped", "Fair", "Serious", "Critical", "Skin at the end",
                "Energy",
                "Books a percent", "Minute 1, reads", "Last minute, reads",
            ],
            rows: rows.map { row in
                let outcome = row.outcome
                func seconds(_ value: Double) -> String { NumberText.fixed(value, 0) + " s" }
                return [
                    row.profile.name, "\(NumberText.short(row.ambient)) °C", row.policy.rawValue, "\(outcome.books)",
                    "\(outcome.counts.read)", "\(outcome.counts.thermal)", seconds(outcome.stateSeconds.fair),
                    seconds(outcome.stateSeconds.serious), seconds(outcome.stateSeconds.critical),
                    "\(NumberText.fixed(outcome.skin, 1)) °C", NumberText.fixed(outcome.energy.total, 0) + " J",
                    outcome.booksPerPercent.map { NumberText.fixed($0, 1) } ?? "–",
                    "\(outcome.minutes.first?.reads ?? 0)", "\(outcome.minutes.last?.reads ?? 0)",
                ]
            },
            numbersFrom: 3
        )
    }

    private func plots(_ rows: [Row], _ subject: ExperimentInput.Subject) -> [FindingPlot] {
        guard let profile = input.profiles.last else { return [] }
        let own = rows.filter { $0.profile.name == profile.name && $0.ambient == Self.ambients.last }
        let values = profile.values()
        func series(_ y: (SessionOutcome.Point) -> Double) -> [FindingPlot.Series] {
            own.map { row in
                .init(
                    row.policy.rawValue,
                    x: row.outcome.timeline.map { $0.second / 60 },
                    y: row.outcome.timeline.map(y)
                )
            }
        }
        let what = "\(profile.name), \(subject.name), 35 °C air (modelled)"
        return [
            FindingPlot(
                "Skin temperature, \(what)",
                xLabel: "time (min)",
                yLabel: "skin (°C)",
                series: series(\.skin),
                levels: [
                    .init("fair", y: values[.fairAt]), .init("serious", y: values[.seriousAt]),
                    .init("critical", y: values[.criticalAt]),
                ]
            ),
            FindingPlot("Books, \(what)", xLabel: "time (min)", yLabel: "books", series: series { Double($0.books) }),
        ]
    }
}
