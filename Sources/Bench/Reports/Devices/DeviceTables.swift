import Basics
import Evaluation
import Harness

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
        var paragraphs = [
            "**Everything here is modelled**, from readings that were measured on this host, except memory, which is the "
                + "host's figure\(recorded.isEmpty ? "" : ", and latencies that were recorded on the device"). A stage's time is scaled by the speed of its kind of work on this host and on an A15, and by the speed of the device's unit "
                + "relative to an A15's; never by TOPS. Waiting for network and back end is not scaled.",
            "In brackets: the 5th to 95th percentile of \(Draws.count) draws (seed \(assessment.seed)) of all uncertain figures "
                + "from their ranges, with triangular distributions: each draw is a plausible phone. A requirement is met by all of "
                + "them, by none, or by a share; then the figure whose ranks correlate most with the result is named.",
            effect,
        ]
        paragraphs += assessment.omitted.map { "Not modelled: \(Markdown.line($0))." }
        return paragraphs
    }

    /// What the verdict takes of these figures.
    private var effect: String {
        switch gates {
        case .none: "Modelled figures do not affect the verdict (`--gate-devices none`)."
        case .latency:
            "Latencies decide the targets that are a phone's; nothing else here affects the verdict, except with "
                + "`--gate-devices all`."
        case .all: "A missed requirement here fails the run (`--gate-devices all`)."
        }
    }

    var tables: [Table] {
        [latency, requirements, battery, heat, energy, sensitivity, coverage].filter { !$0.rows.isEmpty }
    }

    /// Overview of devices × requirements, so that misses of one kind do not hide the state of another.
    var matrix: Table {
        Table(
            note: "Nominal figures, with the requirement in brackets; of several limits, the tightest one is shown. "
                + "⚠️ depends on unmeasured device parameters. Battery: the increase over the same session without reading. "
                + effect,
            columns: ["Tier", "Device"]
                + [
                    ("Latency", "ms"), ("Memory, of this host", "MB"), ("Reading, a book", "J"),
                    ("Reading, 30 min", "%"),
                ]
                .map { .number($0.0, $0.1) },
            rows: assessment.rows.map { row in
                [row.measurement, row.device]
                    + DeviceRequirementText.Kind.shown.map { kind in
                        let own = row.requirements.filter {
                            $0.gates && DeviceRequirementText(requirement: $0).kind == kind
                        }
                        let cell = DeviceRequirementText.hardest(of: own)?.cell ?? "–"
                        let evidence = own.first.map(row.evidence(of:)) ?? row.evidence
                        return cell + (kind == .latency && row.recording != nil ? ", \(evidence.rawValue)" : "")
                    }
            }
        )
    }

    private func rows(_ cells: (DeviceRow, DeviceRowText) -> [String]) -> [[String]] {
        assessment.rows.map { [$0.measurement, $0.device] + cells($0, DeviceRowText(row: $0)) }
    }

    private var latency: Table {
        Table(
            "Latency on devices",
            note: "Latency of whole readings, warmed up and without throttling."
                + (recorded.isEmpty ? "" : " A recording on the device replaces the model, which stands beside it."),
            columns: [
                "Measurement", "Device", .number("P50", "ms"), .number("P95", "ms"), .number("P99", "ms"), "Evidence",
            ]
                + (recorded.isEmpty
                    ? []
                    : ["Modelled P50", "Modelled P95"].map { .number($0, "ms") } + [.number("Recorded ÷ modelled, P50")]),
            rows: rows { row, text in
                text.latency + [text.evidence] + (recorded.isEmpty ? [] : text.modelled)
            }
        )
    }

    private var requirements: Table {
        Table(
            "Requirements on devices",
            note:
                "Latencies of the device's own work and of whole readings; the battery in sessions of ten and of thirty minutes, at "
                + "25 °C. First text: the networks' load and a reading; the first start after an install compiles them. The increase due to reading gates. The whole phone does not gate: screen and camera use most of the "
                + "battery even without reading. The limit per book is \(NumberText.short(DeviceRequirement.mostJoulesPerBook)) J, "
                + "the energy of sending its 2 MB picture over Wi-Fi (1.6 s at 10 Mbit/s and 1.2 W).",
            columns: ["Measurement", "Device", "Requirement", "Value", "Target", "Outcome", "Gates"],
            rows: assessment.rows.flatMap { row in
                row.requirements.map { requirement in
                    let text = DeviceRequirementText(requirement: requirement)
                    let gates =
                        requirement.gates
                        ? Self.gates(self.gates, requirement) ?? "no, \(row.evidence(of: requirement).rawValue)"
                        : "no, informational"
                    return [row.measurement, row.device, text.name, text.value, text.target, text.outcome, gates]
                }
            },
            numbersFrom: .max
        )
    }

    /// Returns how a requirement that may gate does; nil when it does not.
    static func gates(_ gating: DeviceSelection.Gating, _ requirement: DeviceRequirement) -> String? {
        if gating == .all { return "as asked" }
        return gating == .latency && requirement.machine == .phone ? "as a target" : nil
    }

    private var battery: Table {
        let pose = SeedBattery.percent(hertz: 20, milliseconds: 30, seconds: 1_800, on: .neuralEngine)
        return Table(
            "Battery by both models",
            note: "Energy: power × time of every component. Seed: the formula of the project documents, "
                + "of the compute units' busy time. It contradicts its own targets: a pose model at its own "
                + "targets (20 Hz, 30 ms) uses \(NumberText.short(pose.rounded())) % in half an hour by this formula, where 5 % are "
                + "allowed (K-4); so it is shown and never gates.",
            columns: ["Measurement", "Device"]
                + ["A minute, energy", "30 min, energy", "A minute, seed", "30 min, seed"].map { .number($0, "%") }
                + [.number("Books per 1 %")],
            rows: rows { row, _ in
                [
                    DeviceRowText.text(row.tenMinutes.energy, 2), DeviceRowText.text(row.halfHour.energy, 1, times: 30),
                    DeviceRowText.text(row.tenMinutes.seed, 2), DeviceRowText.text(row.halfHour.seed, 1, times: 30),
                    row.halfHour.nominal.booksPerPercent.map { NumberText.fixed($0, 1) } ?? "–",
                ]
            }
        )
    }

    private var heat: Table {
        func p95(_ milliseconds: Double?) -> String { milliseconds.map { NumberText.bareMilliseconds($0) } ?? "–" }
        return Table(
            "Heat",
            note: "Worst thermal state and final skin temperature; change of the pace over half an hour.",
            columns: [
                "Measurement", "Device", "Worst state, 10 min", "30 min", .number("Skin after 10 min", "°C"),
                .number("after 30 min", "°C"), .number("Readings, minute 1 → last"),
                .number("P95, minute 1 → last", "ms"),
            ],
            rows: rows { row, _ in
                let (first, last) = (row.halfHour.nominal.minutes.first, row.halfHour.nominal.minutes.last)
                let pace = [first, last].map { NumberText.fixed($0?.readings ?? 0, 0) }
                return [
                    DeviceRowText.worstState(row.tenMinutes), DeviceRowText.worstState(row.halfHour),
                    DeviceRowText.text(row.tenMinutes.skin, 1), DeviceRowText.text(row.halfHour.skin, 1),
                    "\(pace[0]) → \(pace[1])", "\(p95(first?.p95)) → \(p95(last?.p95))",
                ]
            }
        )
    }

    private var energy: Table {
        Table(
            "Where the energy goes",
            note: "Energy of half an hour, with nominal figures.",
            columns: ["Measurement", "Device"]
                + (DevicePlots.components.map(\.name) + ["All"]).map { .number($0, "J") },
            rows: rows { row, _ in
                let energy = row.halfHour.nominal.energy
                return DevicePlots.components.map { NumberText.fixed(energy[keyPath: $0.path], 0) }
                    + [NumberText.fixed(energy.total, 0)]
            }
        )
    }

    private var sensitivity: Table {
        Table(
            "What the figures depend on",
            note:
                "Rank correlation (Spearman) of each uncertain figure with the results in the draws: the "
                + "\(Self.listedFigures) with the strongest. Ten minutes for battery and skin temperature.",
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
            note: "Purpose of each device in the project documents (S3-19), and the software that it can run (S0-D03).",
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
