import Basics
import DeviceSimulation
import Evaluation
import Harness
import ScanningPolicies

/// Devices for spreadsheets: one row for every requirement on a measurement on a device.
///
/// An empty field is an unavailable figure; `gates` is "no", "as a target" or "asked".
struct DevicesCSV {
    let assessment: DeviceAssessment
    let gates: DeviceSelection.Gating

    var bytes: [UInt8] {
        var table = CSVTable([
            "measurement", "tier", "device", "chip", "unit", "link", "evidence", "requirement", "source", "comparator",
            "limit", "nominal", "favourable", "adverse", "outcome", "depends_on", "gates", "p50_ms", "p95_ms", "p99_ms",
            "memory_mb", "energy_percent_per_min", "seed_percent_per_min", "energy_percent_30min",
            "seed_percent_30min", "worst_state_10min", "worst_state_30min", "skin_30min_c", "books_per_percent",
            "recorded_on", "recorded_n", "modelled_p50_ms", "modelled_p95_ms", "recorded_evidence",
        ])
        for row in assessment.rows {
            for requirement in row.requirements { table.add(fields(requirement, of: row)) }
        }
        return table.bytes
    }

    private func gates(_ requirement: DeviceRequirement) -> String {
        guard requirement.gates, let text = DeviceTables.gates(gates, requirement) else { return "no" }
        return gates == .all ? "asked" : text
    }

    private func fields(_ requirement: DeviceRequirement, of row: DeviceRow) -> [String] {
        func number(_ value: Double?, _ decimals: Int = 4) -> String {
            value.map { NumberText.fixed($0, decimals) } ?? ""
        }
        let (outcome, names) =
            switch requirement.outcome {
            case .passesAlways: ("passes", [String]())
            case .failsAlways: ("fails", [])
            case .depends(let names): ("depends", names)
            case .cannotBeMissed: ("cannot be missed", [])
            case .undecided: ("undecided", [])
            }
        var fields = [
            row.measurement, row.tier, row.device, row.chip, row.unit.rawValue, row.link.rawValue,
            row.evidence(of: requirement).rawValue, DeviceRequirementText(requirement: requirement).name,
            requirement.source,
            requirement.comparator.rawValue, NumberText.short(requirement.limit),
        ]
        let figures = requirement.figures
        fields += [figures.nominal, figures.favourable, figures.adverse].map { number($0.value) }
        fields += [outcome, names.joined(separator: "; "), gates(requirement)]
        let latency = row.latency.nominal
        fields += [latency.p50, latency.p95, latency.p99].map { number($0.value.value, 3) }
        let (ten, half) = (row.tenMinutes.nominal, row.halfHour.nominal)
        fields += [
            number(row.memory, 1), number(ten.percentPerMinute(.energy)), number(ten.percentPerMinute(.seed)),
            number(half.percentPerMinute(.energy).map { $0 * 30 }),
            number(half.percentPerMinute(.seed).map { $0 * 30 }), ten.worstState.rawValue, half.worstState.rawValue,
            number(half.skin, 2), number(half.booksPerPercent, 2), row.recording?.origin ?? "",
            row.recording.map { "\($0.readings)" } ?? "", number(row.modelled?.nominal.p50.value.value, 3),
            number(row.modelled?.nominal.p95.value.value, 3), row.recording?.evidence.rawValue ?? "",
        ]
        return fields
    }
}
