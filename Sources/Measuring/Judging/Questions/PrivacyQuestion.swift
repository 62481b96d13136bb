import DeviceSimulation
import Documents
import Evaluation
import Harness
import ScanningPolicies
import Statistics

/// E-12: what leaves the device by content, and the badge of what claims that nothing does (S0-P01, S0-P04, S3-42).
struct PrivacyQuestion {
    let measurements: [MeasurementResult]

    init(_ measurements: [MeasurementResult]) { self.measurements = measurements }

    private struct Row {
        var measurement: MeasurementResult
        var traffic: TrafficSummary?
        /// Scans that came to an end.
        var scans: Int
        /// Whether it claims that nothing leaves.
        var isLocal: Bool
        /// Whether it claims that no picture leaves.
        var isText: Bool

        /// Whether it does what it claims; nil when it claims nothing.
        var decision: Finding.Decision? {
            guard isLocal || isText else { return nil }
            guard let traffic else { return .undecided }
            let isKept = isLocal ? traffic.silent == traffic.scans : traffic.sentPerScan(.image) == 0
            // What was counted is enough for a no, and all of it for a yes.
            return !isKept ? .doesNotHold : traffic.scans == scans ? .holds : .undecided
        }

        var badge: String {
            switch decision {
            case .holds where isLocal: "🔒 Processing Locally"
            case .doesNotHold where isLocal: "⚠️ Privacy Check Failed"
            case .undecided: "not counted"
            default: "–"
            }
        }
    }

    var finding: Finding {
        let rows = measurements.compactMap { measurement -> Row? in
            let strategy = measurement.variant.strategy
            guard measurement.traffic != nil || strategy != nil else { return nil }
            return Row(
                measurement: measurement,
                traffic: measurement.traffic,
                scans: measurement.outcomes[SampleRecord.Outcome.read.rawValue] ?? 0,
                isLocal: strategy == .onDeviceOnly,
                isText: strategy == .hybrid
            )
        }
        let decisions = rows.compactMap(\.decision)
        guard !decisions.isEmpty else {
            return .unanswered(
                .privacy,
                "it needs a variant with the strategy on-device-only or hybrid",
                evidence: .reported
            )
        }
        return Finding(
            .privacy,
            .overall(decisions),
            rows.map(sentence).joined(separator: "; ") + ".",
            // Counted by the pipeline itself, at the sockets that it knows of.
            evidence: .reported,
            tables: [
                Table(
                    "What left the device",
                    note:
                        "Bytes sent a scan (mean), by what they tell, as the pipeline's own client counts them at its socket: what would leave "
                        + "by another way it does not see, and only a run without a network shows. Badge: of variants that claim to keep "
                        + "everything on the device.",
                    columns: ["Measurement", "Scans"] + Traffic.Content.allCases.map(\.rawValue)
                        + ["Over the wire", "Nothing sent", "Badge"],
                    rows: rows.map { row in
                        guard let traffic = row.traffic else {
                            return [row.measurement.id, "\(row.scans)"]
                                + [String](repeating: "–", count: Traffic.Content.allCases.count + 2) + [row.badge]
                        }
                        return [row.measurement.id, "\(row.scans)"]
                            + Traffic.Content.allCases.map { NumberText.bytes(traffic.sentPerScan($0)) }
                            + [
                                traffic.wireUp == nil ? "–" : NumberText.bytes(traffic.sentPerScan),
                                NumberText.proportion(Proportion(successes: traffic.silent, trials: traffic.scans)),
                                row.badge,
                            ]
                    },
                    numbersFrom: 1
                )
            ]
        )
    }

    private func sentence(_ row: Row) -> String {
        guard let traffic = row.traffic else { return "\(row.measurement.id) did not count what it sent" }
        let parts = Traffic.Content.allCases.filter { traffic.sentPerScan($0) > 0 }.map {
            "\(NumberText.bytes(traffic.sentPerScan($0))) of \($0.rawValue)"
        }
        let what =
            parts.isEmpty
            ? traffic.silent == traffic.scans
                ? "nothing" : "\(NumberText.bytes(traffic.sentPerScan)) that it cannot name"
            : parts.joined(separator: ", ")
        let claim: String =
            switch row.decision {
            case .doesNotHold: ", though it claims to send \(row.isLocal ? "nothing" : "no picture")"
            case .undecided: " as far as it counted"
            default: ""
            }
        return "\(row.measurement.id) sends \(what) a scan\(claim)"
    }
}
