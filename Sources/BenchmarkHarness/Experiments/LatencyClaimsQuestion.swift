import DeviceSimulation
import Evaluation
import ScanningPolicies

/// E-03: the latencies that the documents claim of each tier, on every device (S0-M01, S0-M02, S0-M03, S0-T07).
struct LatencyClaimsQuestion {
    let input: ExperimentInput

    private struct Row {
        var subject: String
        var device: String
        var tier: String
        var claim: Double
        /// P95 at favourable, nominal and adverse figures.
        var p95: [Double]
        var texts: [String]
        var holds: String {
            if p95.allSatisfy({ $0 < claim }) { return "holds" }
            return p95.allSatisfy { $0 >= claim } ? "does not hold" : "depends on the device's figures"
        }
    }

    var finding: Finding {
        let rows = input.profiles.flatMap { profile in input.subjects.compactMap { row($0, profile) } }
        guard !rows.isEmpty else {
            return input.unanswered(
                .latencyClaims,
                "no variant of the run has one of the four tiers' claims, or no device was asked for"
            )
        }
        let parts = ModelTarget.tiers.compactMap { claim -> String? in
            let own = rows.filter { $0.tier == claim.name }
            guard !own.isEmpty else { return nil }
            let kept = own.filter { $0.holds == "holds" }
            let range = own.map { $0.p95[1] }
            return
                "\(claim.name) below \(NumberText.milliseconds(claim.p95Milliseconds)) holds in \(kept.count) of \(own.count) cases "
                + "(nominal P95 \(NumberText.milliseconds(range.min() ?? 0)) to \(NumberText.milliseconds(range.max() ?? 0)))"
        }
        return Finding(
            id: Experiment.latencyClaims.rawValue,
            question: Experiment.latencyClaims.question,
            answer: parts.joined(separator: "; ") + ", by P95.",
            evidence: .modelled,
            tables: [
                FindingTable(
                    "Claimed latencies",
                    note:
                        "Modelled from this run's readings, scaled to the device; waiting for network and back end is as in the "
                        + "run. P95 in brackets: at the best and the worst plausible figures of the device.",
                    columns: [
                        "Variant", "Device", "Claim", "n", "P50", "P95", "P99", "Image work", "Inference", "Waiting",
                        "Verdict",
                    ],
                    rows: rows.map { [$0.subject, $0.device] + $0.texts + [$0.holds] },
                    numbersFrom: 2
                )
            ]
        )
    }

    private func row(_ subject: ExperimentInput.Subject, _ profile: DeviceProfile) -> Row? {
        let tier =
            subject.strategy == .hybrid ? "enrichment" : subject.strategy == .talariaOnly ? "upload" : subject.tier
        guard let claim = ModelTarget.tiers.first(where: { $0.name == tier }) else { return nil }
        let bounds = Bound.allCases.map { bound in
            input.costs(subject, on: profile, bound).map { Self.milliseconds($0, tier: claim.name) }.sorted()
        }
        guard let nominal = bounds.dropFirst().first, bounds.allSatisfy({ !$0.isEmpty }) else { return nil }
        let p95 = bounds.map { Percentile.nearestRank(95, of: $0) }
        let costs = input.costs(subject, on: profile)
        func mean(_ part: (ReadingCost) -> Double) -> String {
            NumberText.milliseconds(1_000 * costs.reduce(0) { $0 + part($1) } / Double(costs.count))
        }
        let canSayP99 = nominal.count >= 100
        return Row(
            subject: subject.name,
            device: profile.name,
            tier: claim.name,
            claim: claim.p95Milliseconds,
            p95: p95,
            texts: [
                "\(claim.name) < \(NumberText.milliseconds(claim.p95Milliseconds)) (\(claim.source.prefix { $0 != "," }))",
                "\(nominal.count)",
                NumberText.milliseconds(Percentile.nearestRank(50, of: nominal)),
                "\(NumberText.milliseconds(p95[1])) [\(NumberText.fixed(p95[0], 1)), \(NumberText.fixed(p95[2], 1))]",
                canSayP99 ? NumberText.milliseconds(Percentile.nearestRank(99, of: nominal)) : "needs ≥ 100",
                mean(\.imageSeconds), mean(\.inferenceSeconds), mean(\.waitSeconds),
            ]
        )
    }

    /// What a tier's claim is about: enrichment alone for text, everything for a picture or a reading.
    private static func milliseconds(_ cost: ReadingCost, tier: String) -> Double {
        let device = tier == "enrichment" ? 0 : cost.imageSeconds + cost.inferenceSeconds
        let waits = tier == "enrichment" || tier == "upload" ? cost.waitSeconds : 0
        return 1_000 * (device + waits)
    }
}
