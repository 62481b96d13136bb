import Basics
import DeviceSimulation
import Evaluation
import Harness
import ScanningPolicies

/// E-08: the thermal policies beside each other, in half an hour without a gate, in mild and in hot air (K-1, S0-TH4).
struct ThermalPoliciesQuestion: Question {
    static let experiment = Experiment.thermalPolicies
    let input: ExperimentInput
    /// Of a session.
    var minutes = 30.0
    private static let ambients = [25.0, 35.0]

    private struct Row {
        var device: String
        var ambient: Double
        var policy: ThermalPolicy
        var outcome: SessionOutcome
        /// Seconds in the states in which the system throttles hard.
        var hot: Double { outcome.stateSeconds.serious + outcome.stateSeconds.critical }
    }

    func answer() throws(Unanswered) -> Finding {
        // The heaviest reader is the one that policies matter for.
        guard let subject = input.localSubjects.last, let last = input.profiles.last else {
            throw Unanswered("it needs a variant that reads on the device, and a device")
        }
        let rows = input.profiles.flatMap { profile in
            Self.ambients.flatMap { ambient in
                ThermalPolicy.allCases.compactMap { policy -> Row? in
                    let plan = input.plan(subject, minutes: minutes) {
                        $0.thermalPolicy = policy
                        $0.gate = nil
                        $0.idleLimit = nil
                        $0.ambient = ambient
                    }
                    return input.outcome(plan, subject, on: profile).map {
                        Row(device: profile.name, ambient: ambient, policy: policy, outcome: $0)
                    }
                }
            }
        }
        guard !rows.isEmpty else { throw Unanswered("\(subject.name) has no readings") }
        let sums = ThermalPolicy.allCases.map { Sum($0, rows) }
        let text = sums.map(\.text).joined(separator: "; ")
        let (most, coolest) = (Self.best(sums) { -Double($0.books) }, Self.best(sums, \.hot))
        let both = most.filter(coolest.contains)
        let (decision, sentence): (Finding.Decision, String) =
            if most.count == sums.count, coolest.count == sums.count {
                (.undecided, "No policy differs from another in this run")
            } else if both.isEmpty {
                (
                    .doesNotHold,
                    "No: most books with \(Self.names(most)), and least time in serious or critical with \(Self.names(coolest))"
                )
            } else {
                (.holds, "Yes: \(Self.names(both)), by books and by time in serious or critical")
            }
        return Self.finding(
            decision,
            "\(sentence) (over \(rows.count / sums.count) half hours: \(text)).",
            tables: [table(rows, subject)],
            plots: plots(rows, subject, on: last)
        )
    }

    /// A policy over all half hours.
    private struct Sum {
        var policy: ThermalPolicy
        var books: Int
        /// Seconds in serious or critical.
        var hot: Double
        var skin: Double

        init(_ policy: ThermalPolicy, _ rows: [Row]) {
            let own = rows.filter { $0.policy == policy }
            self.policy = policy
            books = own.reduce(0) { $0 + $1.outcome.books }
            hot = own.reduce(0) { $0 + $1.hot }
            skin = own.map(\.outcome.skin).max() ?? 0
        }

        var text: String {
            "\(policy.rawValue) \(NumberText.count(books, "book")), \(NumberText.span(seconds: hot)) serious or worse, "
                + "skin at most \(NumberText.fixed(skin, 1)) °C"
        }
    }

    /// Those with the least of something.
    private static func best(_ sums: [Sum], _ value: (Sum) -> Double) -> [ThermalPolicy] {
        let least = sums.map(value).min()
        return sums.filter { value($0) == least }.map(\.policy)
    }

    private static func names(_ policies: [ThermalPolicy]) -> String {
        policies.map(\.rawValue).joined(separator: " and ")
    }

    private func table(_ rows: [Row], _ subject: AssessmentSubject) -> Table {
        Table(
            "Half an hour by each thermal policy",
            note: "Modelled: \(subject.name), every frame to the reader, from a device as warm as the air.",
            columns: [
                "Device", "Air", "Policy", "Books", "Read", "Skipped", "Fair", "Serious", "Critical", "Skin at the end",
                "Energy", "Books a percent", "Minute 1, reads", "Last minute, reads",
            ],
            rows: rows.map { row in
                let outcome = row.outcome
                func seconds(_ value: Double) -> String { NumberText.fixed(value, 0) + " s" }
                return [
                    row.device, "\(NumberText.short(row.ambient)) °C", row.policy.rawValue, "\(outcome.books)",
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

    private func plots(_ rows: [Row], _ subject: AssessmentSubject, on profile: DeviceProfile) -> [Plot] {
        let own = rows.filter { $0.device == profile.name && $0.ambient == Self.ambients.last }
        let values = profile.values()
        func series(_ y: (SessionOutcome.Point) -> Double) -> [Plot.Series] {
            own.map { $0.outcome.series($0.policy.rawValue, y) }
        }
        let what = "\(profile.name), \(subject.name), 35 °C air (modelled)"
        return [
            Plot(
                "Skin temperature, \(what)",
                xLabel: "time (min)",
                yLabel: "skin (°C)",
                series: series(\.skin),
                levels: [
                    .init("fair", y: values[.fairAt]), .init("serious", y: values[.seriousAt]),
                    .init("critical", y: values[.criticalAt]),
                ]
            ),
            Plot("Books, \(what)", xLabel: "time (min)", yLabel: "books", series: series { Double($0.books) }),
        ]
    }
}
