import DeviceSimulation
import Evaluation
import ScanningPolicies

/// E-13: the five phones that the documents test on, each with what it is there for (S3-19).
struct DeviceMatrixQuestion {
    let input: ExperimentInput

    /// Percent of the battery in half an hour (S3-06).
    static let halfHourTarget = ModelBudget().batteryPercentPer30Minutes

    /// What a variant does on a phone.
    private struct Standing {
        var subject: ExperimentInput.Subject
        var p95: Double
        var claim: Double
        var session: SessionOutcome
        var pressed: Bool
        var missed: [String] {
            var missed: [String] = []
            if p95 >= claim {
                missed.append("P95 \(NumberText.milliseconds(p95)) of \(NumberText.milliseconds(claim))")
            }
            if session.percentPerHalfHour >= DeviceMatrixQuestion.halfHourTarget {
                missed.append("\(NumberText.fixed(session.percentPerHalfHour, 1)) % in 30 min of 10")
            }
            if pressed { missed.append("more memory than its budget") }
            return missed
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
        for (profile, focus) in phones {
            let standings = subjects.compactMap { standing($0, profile) }
            for standing in standings {
                rows.append([
                    profile.name, profile.tier.rawValue, focus, standing.subject.name,
                    NumberText.milliseconds(standing.p95), NumberText.milliseconds(standing.claim),
                    TenMinutesQuestion.percent(standing.session.percentPerMinute),
                    TenMinutesQuestion.percent(standing.session.percentPerHalfHour),
                    standing.session.worstState.rawValue,
                    "\(standing.session.minutes.first?.reads ?? 0) → \(standing.session.minutes.last?.reads ?? 0)",
                    standing.missed.isEmpty ? "meets all" : "misses " + standing.missed.joined(separator: ", "),
                ])
            }
            let best = standings.firstIndex { $0.missed.isEmpty }
            let used =
                switch best {
                case 0?: "\(standings[0].subject.name) meets all"
                case let index?:
                    "needs \(standings[index].subject.name), \(NumberText.count(index, "quality level", plural: "quality levels")) lower"
                case nil:
                    "misses with every quality, with \(standings.last?.subject.name ?? "none") \(standings.last?.missed.joined(separator: " and ") ?? "")"
                }
            verdicts.append("\(profile.name): \(used)")
        }
        return Finding(
            id: Experiment.deviceMatrix.rawValue,
            question: Experiment.deviceMatrix.question,
            answer: verdicts.joined(separator: "; ") + ".",
            evidence: .modelled,
            tables: [
                FindingTable(
                    "The test matrix",
                    note:
                        "Modelled, at nominal figures, in sessions of 30 minutes. P95 against what is claimed of the tier, the "
                        + "battery against 10 % in half an hour by the energy model.",
                    columns: [
                        "Device", "Tier", "Focus", "Variant", "P95", "Claim", "%/min", "%/30 min", "Worst state",
                        "Readings, minute 1 → 30", "Verdict",
                    ],
                    rows: rows,
                    numbersFrom: 4
                )
            ]
        )
    }

    private func standing(_ subject: ExperimentInput.Subject, _ profile: DeviceProfile) -> Standing? {
        let latencies = input.costs(subject, on: profile).map { 1_000 * ($0.imageSeconds + $0.inferenceSeconds) }
            .sorted()
        guard let claim = ModelTarget.tiers.first(where: { $0.name == subject.tier }), !latencies.isEmpty,
            let session = input.outcome(input.plan(subject, minutes: 30), subject, on: profile)
        else { return nil }
        return Standing(
            subject: subject,
            p95: Percentile.nearestRank(95, of: latencies),
            claim: claim.p95Milliseconds,
            session: session,
            pressed: (subject.assessed.memory ?? 0) > profile.values()[.memoryBudget]
        )
    }
}
