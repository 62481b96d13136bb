import Basics
import Documents
import Evaluation
import Harness
import ScanningPolicies

/// Tables of every tier's results on every device, equal in Markdown and on the page.
struct DeviceTables {
    let assessment: DeviceAssessment
    let gates: DeviceSelection.Gating
    /// Number of listed figures of each measurement on each device; the JSON report has all.
    private static let listedFigures = 4

    /// Title of the section.
    var title: String { recorded.isEmpty ? "Devices (modelled)" : "Devices (modelled and recorded)" }

    private var recorded: [DeviceRow] { assessment.rows.filter { $0.recording != nil } }

    var method: [String] {
        let values = ["draws": "\(Draws.count)", "seed": "\(assessment.seed)"]
        return ReportText.of("devices", recorded.isEmpty ? ["modelled"] : ["recorded"], values) + [effect]
            + assessment.omitted.map { "Not modelled: \(Markdown.line($0))." }
    }

    /// What the verdict takes of these figures.
    private var effect: String { ReportText.note("devices effect \(gates.rawValue)") }

    var tables: [Table] {
        [latency, requirements, battery, heat, energy, sensitivity, coverage].filter { !$0.rows.isEmpty }
    }

    /// Overview of devices × requirements, so that misses of one kind do not hide the state of another.
    var matrix: Table {
        Table(
            note: ReportText.note("table devices") + " " + effect,
            columns: ["Tier", "Device"] + Self.asked.map { .number($0.heading, $0.unit) },
            rows: assessment.rows.map { row in
                [row.measurement, row.device]
                    + Self.asked.map { _, unit, isOwn in
                        let own = row.requirements.filter { $0.gates && isOwn($0.claim) }
                        let cell = own.max { $0.hardness < $1.hardness }.map { self.cell($0, unit) } ?? "–"
                        let evidence = own.first?.evidence ?? row.evidence
                        return cell + (unit == "ms" && row.recording != nil ? ", \(evidence.rawValue)" : "")
                    }
            }
        )
    }

    /// What gates of a phone, in the order of the columns.
    private static let asked: [(heading: String, unit: String, isOwn: @Sendable (Claim) -> Bool)] = [
        ("Latency", "ms", { $0.metric?.percent != nil }),
        ("Memory, of this host", "MB", { $0.metric?.isPeakOfMemory == true }),
        ("Reading, a book", "J", { $0.device == .joulesPerBook }),
        ("Reading, 30 min", "%", { $0.device == .readingPerHalfHour }),
    ]

    /// Returns a cell without the unit, which is in the column: "❌ **279.6** (< 200)".
    private func cell(_ answer: Answer, _ unit: String) -> String {
        func bare(_ text: String) -> String { text.replacing(" \(unit)", with: "") }
        let text = AnswerText(answer, isOfPhone: true)
        return "\(effective(answer).cell(bare(text.shortValue))) (\(bare(text.limit)))"
    }

    /// Returns an answer that gates only where it does in this run.
    private func effective(_ answer: Answer) -> Answer {
        var answer = answer
        answer.gates = answer.gates && Self.gates(gates, answer) != nil
        return answer
    }

    private func rows(_ cells: (DeviceRow) -> [String]) -> [[String]] {
        assessment.rows.map { [$0.measurement, $0.device] + cells($0) }
    }

    private var latency: Table {
        Table(
            "Latency on devices",
            note: ReportText.note("table device latency", recorded.isEmpty ? [] : ["recorded"]),
            columns: [
                "Measurement", "Device", .number("P50", "ms"), .number("P95", "ms"), .number("P99", "ms"), "Evidence",
            ]
                + (recorded.isEmpty
                    ? []
                    : ["Modelled P50", "Modelled P95"].map { .number($0, "ms") } + [.number("Recorded ÷ modelled, P50")]),
            rows: rows { row in
                let latency = row.latency
                let origin = row.recording.map { ": \($0.origin); n = \($0.readings)" } ?? ""
                return [latency.p50, latency.p95, latency.p99].map(\.milliseconds) + [row.evidence.rawValue + origin]
                    + (recorded.isEmpty ? [] : Self.modelled(row))
            }
        )
    }

    /// P50 and P95 of the model that a recording took the place of, and the recording's P50 beside the model's.
    private static func modelled(_ row: DeviceRow) -> [String] {
        guard let modelled = row.modelled else { return ["–", "–", "–"] }
        let pair = [row.latency, modelled].compactMap(\.p50.nominal.value)
        return [modelled.p50.milliseconds, modelled.p95.milliseconds]
            + [pair.count == 2 ? "× \(NumberText.fixed(pair[0] / pair[1], 2))" : "–"]
    }

    private var requirements: Table {
        Table(
            "Requirements on devices",
            note: ReportText.note("table device", [], ["joules": NumberText.short(Claim.mostJoulesPerBook)]),
            columns: ["Measurement", "Device", "Requirement", "Value", "Target", "Outcome"],
            rows: assessment.rows.flatMap { row in
                row.requirements.map { answer in
                    let text = AnswerText(answer, isOfPhone: true)
                    let outcome = effective(answer).sign + text.outcome
                    return [row.measurement, row.device, text.name, text.value, text.target, outcome]
                }
            },
            numbersFrom: .max
        )
    }

    /// Returns how a requirement that may gate does; nil when it does not.
    static func gates(_ gating: DeviceSelection.Gating, _ answer: Answer) -> String? {
        if gating == .all { return "as asked" }
        return gating == .latency && answer.claim.machine == .phone ? "as a target" : nil
    }

    private var battery: Table {
        let pose = SeedBattery.percent(hertz: 20, milliseconds: 30, seconds: 1_800, on: .neuralEngine)
        return Table(
            "Battery by both models",
            note: ReportText.note("table device battery", [], ["pose": NumberText.short(pose.rounded())]),
            columns: ["Measurement", "Device"]
                + ["A minute, energy", "30 min, energy", "A minute, seed", "30 min, seed"].map { .number($0, "%") }
                + [.number("Books per 1 %")],
            rows: rows { row in
                [
                    row.tenMinutes.energy.text(2), row.halfHour.energy.text(1, times: 30),
                    row.tenMinutes.seed.text(2), row.halfHour.seed.text(1, times: 30),
                    row.halfHour.nominal.booksPerPercent.map { NumberText.fixed($0, 1) } ?? "–",
                ]
            }
        )
    }

    private var heat: Table {
        func p95(_ milliseconds: Double?) -> String { milliseconds.map { NumberText.bareMilliseconds($0) } ?? "–" }
        return Table(
            "Heat",
            note: ReportText.note("table device heat"),
            columns: [
                "Measurement", "Device", "Worst state, 10 min", "30 min", .number("Skin after 10 min", "°C"),
                .number("after 30 min", "°C"), .number("Readings, minute 1 → last"),
                .number("P95, minute 1 → last", "ms"),
            ],
            rows: rows { row in
                let (first, last) = (row.halfHour.nominal.minutes.first, row.halfHour.nominal.minutes.last)
                let pace = [first, last].map { NumberText.fixed($0?.readings ?? 0, 0) }
                return [
                    row.tenMinutes.worstStateText, row.halfHour.worstStateText,
                    row.tenMinutes.skin.text(1), row.halfHour.skin.text(1),
                    "\(pace[0]) → \(pace[1])", "\(p95(first?.p95)) → \(p95(last?.p95))",
                ]
            }
        )
    }

    private var energy: Table {
        Table(
            "Where the energy goes",
            note: ReportText.note("table device energy"),
            columns: ["Measurement", "Device"]
                + (DevicePlots.components.map(\.name) + ["All"]).map { .number($0, "J") },
            rows: rows { row in
                let energy = row.halfHour.nominal.energy
                return DevicePlots.components.map { NumberText.fixed(energy[keyPath: $0.path], 0) }
                    + [NumberText.fixed(energy.total, 0)]
            }
        )
    }

    private var sensitivity: Table {
        Table(
            "What the figures depend on",
            note: ReportText.note("table device sensitivity", [], ["listed": "\(Self.listedFigures)"]),
            columns: [
                "Measurement", "Device", "Figure", "Low to high", "Kind", .number("P95"), .number("Battery"),
                .number("Skin at the end"),
            ],
            rows: assessment.rows.flatMap { row in
                row.sensitivity.prefix(Self.listedFigures).map { figure in
                    func number(_ value: Double) -> String { NumberText.short((value * 1_000).rounded() / 1_000) }
                    return [
                        row.measurement, row.device, figure.name,
                        "\(number(figure.low)) to \(number(figure.high))"
                            + (figure.unit.isEmpty ? "" : " \(figure.unit)"),
                        figure.kind.rawValue,
                    ] + [figure.p95, figure.battery, figure.skin].map { $0.map { NumberText.fixed($0, 2) } ?? "–" }
                }
            }
        )
    }

    private var coverage: Table {
        Table(
            "Devices of the matrix",
            note: ReportText.note("table device coverage"),
            columns: [
                "Device", "Chip", "Tier", "Systems", "Apple Intelligence", "Purpose", "Met by all", "Open", "Missed",
            ],
            rows: assessment.coverage.map { device in
                let own = assessment.rows.filter { $0.device == device.device }
                func count(_ verdict: Verdict) -> String { "\(own.count { $0.verdict == verdict })" }
                let newest = device.systems.upperBound >= 26 ? "" : ", not iOS 26"
                return [
                    device.device, device.chip, device.tier.rawValue,
                    "\(device.systems.lowerBound) to \(device.systems.upperBound)\(newest)",
                    device.intelligence == .none ? "⚠️ none" : device.intelligence.rawValue, device.focus ?? "–",
                    count(.pass), count(.inconclusive), count(.fail),
                ]
            },
            numbersFrom: 6
        )
    }
}

extension Spread {
    /// Returns text such as "12.3 [8.1 – 40.2]": nominal, and the 5th to 95th percentile of the draws.
    fileprivate func text(_ decimals: Int, times factor: Double = 1) -> String {
        guard let value = nominal.value else { return nominal.reason ?? "–" }
        func number(_ value: Double) -> String { NumberText.fixed(value * factor, decimals) }
        return number(value) + (range?.text(beside: value, number) ?? "")
    }

    fileprivate var milliseconds: String { text((range?.upperBound ?? nominal.value ?? 0) < 999.5 ? 1 : 0) }
}

extension DeviceRow.Session {
    /// "fair [nominal – serious]".
    fileprivate var worstStateText: String {
        let state = nominal.worstState
        return state.rawValue
            + (mildest == worst && worst == state ? "" : " [\(mildest.rawValue) – \(worst.rawValue)]")
    }
}
