import Basics
import DeviceSimulation
import Evaluation
import Harness
import ScanningPolicies

/// E-12: what leaves the device by content, and the badge of what claims that nothing does (S0-P01, S0-P04, S3-42).
struct PrivacyQuestion: Question {
    static let experiment = Experiment.privacy
    let input: ExperimentInput

    private struct Row {
        var measurement: String
        var traffic: TrafficSummary?
        /// Scans that came to an end.
        var scans: Int
        /// Whether it claims that nothing leaves, or that no picture does.
        var (isLocal, isText): (Bool, Bool)

        init?(_ measurement: MeasurementResult) {
            let strategy = measurement.variant.strategy
            traffic = measurement.traffic
            guard traffic != nil || strategy != nil else { return nil }
            self.measurement = measurement.id
            scans = measurement.outcomes[SampleRecord.Outcome.read.rawValue] ?? 0
            (isLocal, isText) = (strategy == .onDeviceOnly, strategy == .hybrid)
        }

        /// nil when it claims nothing.
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

        /// By content, over the wire, and how many scans sent nothing.
        var bytes: [String] {
            let contents = Traffic.Content.allCases
            guard let traffic else { return [String](repeating: "–", count: contents.count + 2) }
            return contents.map { NumberText.bytes(traffic.sentPerScan($0)) } + [
                traffic.wireUp == nil ? "–" : NumberText.bytes(traffic.sentPerScan),
                NumberText.proportion(Proportion(successes: traffic.silent, trials: traffic.scans)),
            ]
        }
    }

    func answer() throws(Unanswered) -> Finding {
        let rows = input.measurements.compactMap(Row.init)
        let decisions = rows.compactMap(\.decision)
        guard !decisions.isEmpty else {
            throw Unanswered("it needs a variant with the strategy on-device-only or hybrid", evidence: .reported)
        }
        return Self.finding(
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
                    rows: rows.map { [$0.measurement, "\($0.scans)"] + $0.bytes + [$0.badge] },
                    numbersFrom: 1
                )
            ]
        )
    }

    private func sentence(_ row: Row) -> String {
        guard let traffic = row.traffic else { return "\(row.measurement) did not count what it sent" }
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
        return "\(row.measurement) sends \(what) a scan\(claim)"
    }
}
