import DeviceSimulation
import Documents
import Evaluation
import Harness
import ScanningPolicies
import Statistics

/// E-13: the five phones that the documents test on, each with what it is there for (S3-19).
struct DeviceMatrixQuestion {
    let input: ExperimentInput
    /// Of a session; its use of the battery is told for half an hour in any case.
    var minutes = 30.0

    /// Percent of the battery in half an hour (S3-06).
    static let halfHourTarget = ModelBudget().batteryPercentPer30Minutes

    /// What a variant does on a phone, with the phone's figures at one bound.
    private struct Standing {
        var missed: [String]
        /// What there is too little of to judge.
        var open: [String]
        var latency: LatencySummary
        var session: SessionOutcome

        var decision: Finding.Decision { missed.isEmpty ? open.isEmpty ? .holds : .undecided : .doesNotHold }
    }

    /// A quality of a phone.
    private struct Quality {
        var subject: ExperimentInput.Subject
        var nominal: Standing
        /// Over all plausible figures.
        var decision: Finding.Decision

        var text: String {
            switch (decision, nominal.decision) {
            case (.holds, _): "meets all"
            case (.doesNotHold, _): "misses \(nominal.missed.joined(separator: " and "))"
            case (.undecided, .holds): "meets all at nominal figures, and not at all plausible ones"
            case (.undecided, .doesNotHold):
                "misses \(nominal.missed.joined(separator: " and ")) at nominal figures, and not at all plausible ones"
            case (.undecided, .undecided): "not decided: \(nominal.open.joined(separator: " and "))"
            }
        }
    }

    var finding: Finding {
        // The best quality first: what reads longest on the device.
        let subjects = input.subjects.filter { $0.strategy == .onDeviceOnly }.reversed()
        let phones = DeviceAssessment.seedMatrix.compactMap { phone in
            input.profiles.first { $0.name == phone.device }.map { (profile: $0, focus: phone.focus) }
        }
        guard !subjects.isEmpty, !phones.isEmpty else {
            return input.unanswered(.deviceMatrix, "it needs a tier that reads on the device, and phones of the matrix")
        }
        var rows: [[String]] = []
        var verdicts: [String] = []
        var decisions: [Finding.Decision] = []
        for (profile, focus) in phones {
            let qualities = subjects.compactMap { quality($0, profile) }
            guard !qualities.isEmpty else { continue }
            for quality in qualities {
                let (standing, session) = (quality.nominal, quality.nominal.session)
                rows.append([
                    profile.name, profile.tier.rawValue, focus, quality.subject.name,
                    NumberText.figure(standing.latency.p95.value, NumberText.milliseconds),
                    Self.claim(quality.subject).map { NumberText.short($0.limit) + " ms" } ?? "–",
                    TenMinutesQuestion.percent(session.percentPerMinute),
                    TenMinutesQuestion.percent(session.percentPerHalfHour),
                    session.worstState.rawValue,
                    "\(session.minutes.first?.reads ?? 0) → \(session.minutes.last?.reads ?? 0)", quality.text,
                ])
            }
            let best = qualities.firstIndex { $0.decision == .holds }
            // A phone misses when no quality can meet everything, whatever its figures are.
            decisions.append(
                best != nil ? .holds : qualities.allSatisfy { $0.decision == .doesNotHold } ? .doesNotHold : .undecided
            )
            let used =
                switch best {
                case 0?: "\(qualities[0].subject.name) meets all"
                case let index?:
                    "needs \(qualities[index].subject.name), \(NumberText.count(index, "quality level", plural: "quality levels")) lower"
                case nil:
                    qualities.map { "\($0.subject.name) \($0.text)" }.joined(separator: ", ")
                }
            verdicts.append("\(profile.name): \(used)")
        }
        guard !rows.isEmpty else { return input.unanswered(.deviceMatrix, "the variants have no readings") }
        let missing = DeviceAssessment.seedMatrix.map(\.device).filter { name in
            !phones.contains { $0.profile.name == name }
        }
        if !missing.isEmpty {
            verdicts.append("not asked for: \(missing.joined(separator: ", "))")
            decisions.append(.undecided)
        }
        return Finding(
            .deviceMatrix,
            .overall(decisions),
            verdicts.joined(separator: "; ") + ".",
            tables: [
                Table(
                    "The test matrix",
                    note:
                        "Modelled, in sessions of \(NumberText.short(minutes)) minutes; figures are nominal, verdicts of all plausible figures. P95 against what is "
                        + "claimed of the tier, a reading without an answer being longer than all others; the battery against 10 % in half an "
                        + "hour by the energy model; memory, as measured here, against the phone's budget.",
                    columns: [
                        "Phone", "Tier", "There for", "Quality", "P95", "Claim", "%/min", "%/30 min", "Worst state",
                        "Readings, first → last minute", "Verdict",
                    ],
                    rows: rows,
                    numbersFrom: 4
                )
            ]
        )
    }

    /// What is claimed of a reader's P95.
    private static func claim(_ subject: ExperimentInput.Subject) -> Target? {
        LatencyClaimsQuestion.claims.first { $0.name == subject.tier }?.target
    }

    private func quality(_ subject: ExperimentInput.Subject, _ profile: DeviceProfile) -> Quality? {
        let standings = Bound.allCases.compactMap { standing(subject, profile, $0) }
        guard standings.count == Bound.allCases.count else { return nil }
        return Quality(
            subject: subject,
            nominal: standings[1],
            decision: .unanimous(standings.map(\.decision))
        )
    }

    private func standing(
        _ subject: ExperimentInput.Subject,
        _ profile: DeviceProfile,
        _ bound: Bound
    ) -> Standing? {
        guard let claim = Self.claim(subject),
            let latency = input.latency(until: claim.metric, subject, on: profile, bound),
            let session = input.outcome(input.plan(subject, minutes: minutes), subject, on: profile, bound)
        else { return nil }
        var standing = Standing(missed: [], open: [], latency: latency, session: session)
        let judgement = latency.judgement(against: claim, rule: .point)
        switch judgement.verdict {
        case .pass: break
        case .fail:
            let p95 = NumberText.figure(latency.p95.point, NumberText.milliseconds)
            standing.missed.append("P95 \(claim.comparator.rawValue) \(NumberText.short(claim.limit)) ms (\(p95))")
        case .inconclusive: standing.open.append("P95: \(judgement.note)")
        }
        if session.percentPerHalfHour >= Self.halfHourTarget {
            standing.missed.append("\(NumberText.fixed(session.percentPerHalfHour, 1)) % in 30 min of 10")
        }
        switch subject.assessed.memory {
        case let memory? where memory > profile.values(at: bound)[.memoryBudget]:
            standing.missed.append("more memory than its budget")
        case nil: standing.open.append("memory was not measured")
        default: break
        }
        return standing
    }
}
