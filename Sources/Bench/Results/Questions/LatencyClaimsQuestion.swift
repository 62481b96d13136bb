import Basics
import DeviceSimulation
import Evaluation
import Harness
import ScanningPolicies

/// E-03: the latencies that the documents claim of each tier, on every device (S0-M01, S0-M02, S0-M03, S0-T07).
struct LatencyClaimsQuestion: Question {
    static let experiment = Experiment.latencyClaims
    let input: ExperimentInput

    /// The target that is claimed of a tier, and the name that people know it by.
    typealias Claim = (name: String, target: Target)

    static let claims: [Claim] = [
        ("fast", "S0-T02"), ("accurate", "S0-T07"), ("enrichment", "S0-T04"), ("upload", "S0-T05"),
    ]
    .compactMap { name, source in Target.standard.first { $0.source == source }.map { (name, $0) } }

    /// A measurement on a device; on none where no device has a part in what is claimed.
    private struct Case {
        var subject: String
        var device: String?
        var claim: String
        var decision: Finding.Decision
        /// Nominal.
        var p95: Figure
        var evidence: EvidenceClass
        var texts: [String]
    }

    func answer() throws(Unanswered) -> Finding {
        let cases = input.subjects.flatMap(cases)
        guard !cases.isEmpty else {
            throw Unanswered("no variant of the run has one of the four tiers' claims, or no device was asked for")
        }
        let parts = Self.claims.compactMap { claim -> String? in
            let own = cases.filter { $0.claim == claim.name }
            return own.isEmpty ? nil : sentence(claim, own)
        }
        return Self.finding(
            .overall(cases.map(\.decision)),
            parts.joined(separator: "; ") + "; by P95.",
            evidence: .weakest(cases.map(\.evidence)),
            tables: [
                Table(
                    "Claimed latencies",
                    note:
                        "Scaled from this run's readings to the device, and so modelled; enrichment is waiting that no device has a part in, "
                        + "and is as in the run. P95 in brackets: the least and the most over the plausible figures of the device. A reading "
                        + "without an answer is longer than all others. A claim holds when the bounds of P95 are below it at all plausible "
                        + "figures, and does not when they are above it at all of them.",
                    columns: [
                        "Variant", "Device", "Claim", "n", "P50", "P95", "P99", "Image work", "Inference", "Waiting",
                        "Evidence", "Verdict",
                    ],
                    rows: cases.map { [$0.subject, $0.device ?? "any"] + $0.texts },
                    numbersFrom: 2
                )
            ]
        )
    }

    /// The waits of a measurement are the same on every device, so that measurements are counted, not cells.
    private func sentence(_ claim: Claim, _ cases: [Case]) -> String {
        let measurements = cases.map(\.subject).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let isOfDevices = cases.contains { $0.device != nil }
        let (decisions, all): ([Finding.Decision], String) =
            if measurements.count == 1, isOfDevices {
                (cases.map(\.decision), NumberText.count(cases.count, "device"))
            } else {
                (
                    measurements.map { name in .overall(cases.filter { $0.subject == name }.map(\.decision)) },
                    NumberText.count(measurements.count, "measurement") + (isOfDevices ? " on every device" : "")
                )
            }
        func count(_ decision: Finding.Decision) -> Int { decisions.count { $0 == decision } }
        let p95 = cases.compactMap(\.p95.value)
        let range =
            p95.isEmpty
            ? "no P95: \(cases.compactMap(\.p95.reason).first ?? "no readings")"
            : "nominal P95 \(NumberText.milliseconds(p95.min() ?? 0)) to \(NumberText.milliseconds(p95.max() ?? 0))"
        return
            "\(Self.text(claim)) holds in \(count(.holds)) of \(all), does not in \(count(.doesNotHold)), and is open in "
            + "\(count(.undecided)) (\(range))"
    }

    /// "fast < 50 ms".
    private static func text(_ claim: Claim) -> String {
        "\(claim.name) \(claim.target.comparator.rawValue) \(NumberText.short(claim.target.limit)) ms"
    }

    private func cases(_ subject: AssessmentSubject) -> [Case] {
        let tier =
            subject.strategy == .hybrid ? "enrichment" : subject.strategy == .talariaOnly ? "upload" : subject.tier
        guard let claim = Self.claims.first(where: { $0.name == tier }) else { return [] }
        guard claim.target.metric == .enrichmentP95 else {
            return input.profiles.compactMap { onDevice(subject, $0, claim) }
        }
        guard let measurement = input.measurements.first(where: { $0.id == subject.name }),
            let latency = enrichment(of: subject)
        else { return [] }
        let judgement = latency.judgement(against: claim.target, rule: .interval)
        return [
            Case(
                subject: subject.name,
                claim: claim.name,
                decision: .init(judgement.verdict),
                p95: latency.p95.value,
                evidence: measurement.evidence,
                texts: texts(claim, latency, range: nil)
                    + ["–", "–", "all", measurement.evidence.rawValue, verdict([judgement])]
            )
        ]
    }

    /// From the text to what the catalogue knows, by the harness's clock; nil without records of the measurement.
    private func enrichment(of subject: AssessmentSubject) -> LatencySummary? {
        let own = input.records.filter { $0.measurement == subject.name && $0.outcome != .notAttempted }
        let reached = own.compactMap { record -> Double? in
            record.outcome == .read ? record.prediction?.enrichmentMilliseconds : nil
        }
        guard !own.isEmpty else { return nil }
        return LatencySummary(
            milliseconds: reached,
            timeouts: own.count - reached.count,
            samples: Set(own.map(\.id)).count,
            method: subject.method,
            infinite: AssessmentSubject.infinite
        )
    }

    private func onDevice(_ subject: AssessmentSubject, _ profile: DeviceProfile, _ claim: Claim) -> Case? {
        guard
            let bounds = Plausible(at: { input.latency(until: claim.target.metric, subject, on: profile, at: $0) }),
            bounds.nominal.count + bounds.nominal.timeouts > 0
        else { return nil }
        let judgements = bounds.all.map { $0.judgement(against: claim.target, rule: .interval) }
        let costs = input.costs(subject, on: profile)
        func mean(_ part: (ReadingCost) -> Double) -> String {
            costs.isEmpty
                ? "–" : NumberText.milliseconds(1_000 * costs.reduce(0) { $0 + part($1) } / Double(costs.count))
        }
        let ends = bounds.all.compactMap(\.p95.value.value)
        return Case(
            subject: subject.name,
            device: profile.name,
            claim: claim.name,
            decision: .unanimous(judgements.map { .init($0.verdict) }),
            p95: bounds.nominal.p95.value,
            evidence: .modelled,
            texts: texts(claim, bounds.nominal, range: ends.count == 3 ? ClosedRange(of: ends) : nil)
                + [
                    mean(\.imageSeconds), mean(\.inferenceSeconds), mean(\.waitSeconds),
                    EvidenceClass.modelled.rawValue, verdict(judgements),
                ]
        )
    }

    private func texts(_ claim: Claim, _ latency: LatencySummary, range: ClosedRange<Double>?) -> [String] {
        func percentile(_ estimate: PercentileEstimate) -> String {
            NumberText.figure(estimate.value, NumberText.milliseconds)
        }
        let ends = range.map {
            " [\(NumberText.fixed($0.lowerBound, 1)), \(NumberText.fixed($0.upperBound, 1))]"
        }
        return [
            "\(Self.text(claim)) (\(claim.target.source))", "\(latency.count + latency.timeouts)",
            percentile(latency.p50), ends.map { percentile(latency.p95) + $0 } ?? NumberText.bounded(latency.p95),
            percentile(latency.p99),
        ]
    }

    private func verdict(_ judgements: [Judgement]) -> String {
        switch Finding.Decision.unanimous(judgements.map { .init($0.verdict) }) {
        case .holds: return "holds"
        case .doesNotHold: return "does not hold"
        case .undecided:
            let isOfFigures = Set(judgements.map(\.verdict)).count > 1
            return isOfFigures
                ? "depends on the device's figures" : "not decided: \(judgements.first?.note ?? "no readings")"
        }
    }
}
