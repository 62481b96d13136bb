import Basics
package import DeviceSimulation
import Evaluation

/// What every tier would do on every device, as tables: Markdown and the page print the same.
package struct DeviceTables: Sendable {
    private let assessment: DeviceAssessment
    private let gates: Bool
    /// So many figures of each measurement on each device are listed; the JSON report has all.
    private static let listedFigures = 4

    /// - Parameters:
    ///   - assessment: of a run.
    ///   - gates: whether what is missed on a device fails the run.
    package init(_ assessment: DeviceAssessment, gates: Bool = false) {
        self.assessment = assessment
        self.gates = gates
    }

    /// What the figures are, a paragraph each.
    package var method: [String] {
        var paragraphs = [
            "**Everything here is modelled**, from readings that were measured on this host, except memory, which is as it "
                + "was here. A stage's time is scaled by what that kind of work takes here and on an A15, and by the speed of the device's unit "
                + "beside an A15's; never by TOPS. Waiting for network and back end stays as it was measured on this host.",
            "In brackets: the least and the most that come of nominal figures, of all figures on their better side, and of all on "
                + "their worse one. A requirement passes or fails for every plausible value when it does so at both ends, in the "
                + "middle, and with each figure alone at its own ends; else the figures that decide it alone are named.",
            gates
                ? "What is missed here fails the run (`--gate-devices`)."
                : "What is missed here does not fail the run: `--gate-devices` makes it.",
        ]
        paragraphs += assessment.omitted.map { "Not modelled: \(MarkdownReport.cell($0))." }
        return paragraphs
    }

    /// All of them; the first is the one to read.
    package var tables: [FindingTable] {
        [summary, requirements, battery, heat, energy, sensitivity, coverage].filter { !$0.rows.isEmpty }
    }

    /// A heading and a row for each measurement on each device, as a terminal has room for them.
    package var compactRows: [[String]] {
        [["tier", "device", "P95", "battery a minute", "in 30 min", "worst state", "verdict"]]
            + rows { row, text in
                let gating = row.requirements.filter(\.gates)
                func names(_ verdict: Verdict, _ word: String) -> String? {
                    let own = gating.filter { $0.verdict == verdict }.map(DeviceRequirementText.init)
                    return own.isEmpty
                        ? nil : "\(word): \(own.map { "\($0.name) \($0.limit)" }.joined(separator: ", "))"
                }
                let open = [names(.fail, "fails"), names(.inconclusive, "open")].compactMap(\.self)
                return [
                    text.percentile(\.p95), text.percent(row.tenMinutes, minutes: 1, .energy, 2),
                    text.percent(row.halfHour, minutes: 30, .energy, 1), text.worstState(row.halfHour),
                    open.isEmpty ? "passes for every plausible value" : open.joined(separator: "; "),
                ]
            }
    }

    private func rows(_ cells: (DeviceRow, DeviceRowText) -> [String]) -> [[String]] {
        assessment.rows.map { [$0.measurement, $0.device] + cells($0, DeviceRowText($0)) }
    }

    private var summary: FindingTable {
        FindingTable(
            "Tiers on devices",
            note:
                "Latency of whole readings, warm and cool; memory as measured here. The verdict is of the requirements that "
                + "gate.",
            columns: ["Measurement", "Device", "P50", "P95", "P99", "Memory, here", "Evidence", "Verdict"],
            rows: rows { row, text in
                [
                    text.percentile(\.p50), text.percentile(\.p95), text.percentile(\.p99),
                    row.memory.map { NumberText.megabytes($0 * 1e6) } ?? "–", row.evidence.rawValue, text.verdict,
                ]
            },
            numbersFrom: .max
        )
    }

    private var requirements: FindingTable {
        FindingTable(
            "Requirements on devices",
            note:
                "Latencies of the device's own work and of whole readings; the battery in a session of ten minutes and in one of "
                + "thirty, at 25 °C. Of the two battery models only energy gates.",
            columns: ["Measurement", "Device", "Requirement", "Value", "Target", "Outcome", "Gates"],
            rows: assessment.rows.flatMap { row in
                row.requirements.map { requirement in
                    let text = DeviceRequirementText(requirement)
                    let gates = requirement.gates ? (self.gates ? "as asked" : "no, modelled") : "no, informational"
                    return [
                        row.measurement, row.device, text.name, text.value, text.target, text.outcome, gates,
                    ]
                }
            },
            numbersFrom: .max
        )
    }

    private var battery: FindingTable {
        let pose = SeedBattery.percent(hertz: 20, milliseconds: 30, seconds: 1_800, on: .neuralEngine)
        return FindingTable(
            "Battery by both models",
            note: "Energy: power × time of every component. Seed: the formula of the project documents, "
                + "of the time that compute units work. It contradicts the targets that come with it: a pose model at its own "
                + "targets (20 Hz, 30 ms) takes \(NumberText.short(pose.rounded())) % in half an hour by it, where 5 % are "
                + "allowed (K-4); so it is shown, and never gates.",
            columns: [
                "Measurement", "Device", "A minute, energy", "30 min, energy", "A minute, seed", "30 min, seed",
                "Books per 1 %",
            ],
            rows: rows { row, text in
                [
                    text.percent(row.tenMinutes, minutes: 1, .energy, 2),
                    text.percent(row.halfHour, minutes: 30, .energy, 1),
                    text.percent(row.tenMinutes, minutes: 1, .seed, 2),
                    text.percent(row.halfHour, minutes: 30, .seed, 1),
                    row.halfHour.nominal.booksPerPercent.map { NumberText.fixed($0, 1) } ?? "–",
                ]
            },
            numbersFrom: 2
        )
    }

    private var heat: FindingTable {
        func p95(_ milliseconds: Double?) -> String { milliseconds.map(NumberText.milliseconds) ?? "–" }
        return FindingTable(
            "Heat",
            note: "The worst thermal state and the skin at the end; what half an hour makes of the pace.",
            columns: [
                "Measurement", "Device", "Worst state, 10 min", "30 min", "Skin after 10 min", "after 30 min",
                "Readings, minute 1 → last", "P95, minute 1 → last",
            ],
            rows: rows { row, text in
                let half = row.halfHour.nominal
                return [
                    text.worstState(row.tenMinutes), text.worstState(row.halfHour), text.skin(row.tenMinutes),
                    text.skin(row.halfHour), "\(half.firstReads) → \(half.lastReads)",
                    "\(p95(half.firstP95)) → \(p95(half.lastP95))",
                ]
            },
            numbersFrom: 4
        )
    }

    private var energy: FindingTable {
        FindingTable(
            "Where the energy goes",
            note: "In J, in half an hour, with nominal figures.",
            columns: ["Measurement", "Device"] + DevicePlots.components.map(\.name) + ["All"],
            rows: rows { row, _ in
                let energy = row.halfHour.nominal.energy
                return DevicePlots.components.map { NumberText.fixed(energy[keyPath: $0.path], 0) }
                    + [NumberText.fixed(energy.total, 0)]
            },
            numbersFrom: 2
        )
    }

    private var sensitivity: FindingTable {
        FindingTable(
            "What the figures depend on",
            note:
                "One figure at its low and at its high end, all others nominal: the \(Self.listedFigures) that change most. Ten "
                + "minutes for battery and skin.",
            columns: [
                "Measurement", "Device", "Figure", "Low → high", "Kind", "P95", "Battery a minute", "Skin at the end",
            ],
            rows: assessment.rows.flatMap { row in
                row.sensitivity.prefix(Self.listedFigures).map { figure in
                    func range(_ value: (DeviceRow.Sensitivity.Effect) -> Double?, _ decimals: Int) -> String {
                        [figure.low, figure.high].map { value($0).map { NumberText.fixed($0, decimals) } ?? "–" }
                            .joined(separator: " → ")
                    }
                    func number(_ value: Double) -> String { NumberText.short((value * 1_000).rounded() / 1_000) }
                    return [
                        row.measurement, row.device, figure.name,
                        "\(number(figure.low.value)) → \(number(figure.high.value))"
                            + (figure.unit.isEmpty ? "" : " \(figure.unit)"),
                        figure.kind.rawValue, range(\.p95, 1) + " ms", range(\.percentPerMinute, 2) + " %",
                        range(\.skin, 1) + " °C",
                    ]
                }
            },
            numbersFrom: 5
        )
    }

    private var coverage: FindingTable {
        FindingTable(
            "Devices of the matrix",
            note: "What the project documents test a device for (S3-19), and what it can run (S0-D03).",
            columns: [
                "Device", "Chip", "Tier", "Systems", "Apple Intelligence", "There for", "Met by all", "Open", "Missed",
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
