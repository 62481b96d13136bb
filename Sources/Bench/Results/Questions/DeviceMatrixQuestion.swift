import Basics
import DeviceSimulation
import Evaluation
import Harness
import ScanningPolicies

/// E-13: the five phones that the documents test on, each with what it is there for (S3-19).
struct DeviceMatrixQuestion: Question {
    static let experiment = Experiment.deviceMatrix
    let input: ExperimentInput
    /// Of a session; its use of the battery is told for half an hour in any case.
    var minutes = 30.0

    /// Percent of the battery that reading adds in half an hour (S3-06).
    private static let halfHourTarget = ModelBudget().batteryPercentPer30Minutes

    /// A variant on a phone, with the phone's figures at one bound.
    private struct Standing {
        var missed: [String] = []
        /// What there is too little of to judge.
        var open: [String] = []
        var latency: LatencySummary
        var session: SessionOutcome

        var decision: Finding.Decision { missed.isEmpty ? open.isEmpty ? .holds : .undecided : .doesNotHold }
    }

    /// A quality of a phone.
    private struct Quality {
        var subject: AssessmentSubject
        var claim: Target
        var nominal: Standing
        /// Over all plausible figures.
        var decision: Finding.Decision

        var text: String {
            let missed = nominal.missed.joined(separator: " and ")
            let depends = "at nominal figures, and not at all plausible ones"
            return switch (decision, nominal.decision) {
            case (.holds, _): "meets all"
            case (.doesNotHold, _): "misses \(missed)"
            case (.undecided, .holds): "meets all \(depends)"
            case (.undecided, .doesNotHold): "misses \(missed) \(depends)"
            case (.undecided, .undecided): "not decided: \(nominal.open.joined(separator: " and "))"
            }
        }
    }

    func answer() throws(Unanswered) -> Finding {
        // The best quality first: what reads longest on the device.
        let subjects = input.localSubjects.reversed()
        let phones = DeviceAssessment.seedMatrix.compactMap { phone in
            input.profiles.first { $0.name == phone.device }.map { (profile: $0, focus: phone.focus) }
        }
        guard !subjects.isEmpty, !phones.isEmpty else {
            throw Unanswered("it needs a tier that reads on the device, and phones of the matrix")
        }
        let tried = phones.map { phone in (phone, subjects.compactMap { quality($0, phone.profile) }) }
            .filter { !$1.isEmpty }
        guard !tried.isEmpty else { throw Unanswered("the variants have no readings") }
        var verdicts = tried.map { phone, qualities in "\(phone.profile.name): \(Self.used(qualities))" }
        // A phone misses when no quality can meet everything, whatever its figures are.
        var decisions = tried.map { _, qualities -> Finding.Decision in
            let decisions = qualities.map(\.decision)
            return decisions.contains(.holds)
                ? .holds : decisions.allSatisfy { $0 == .doesNotHold } ? .doesNotHold : .undecided
        }
        let missing = DeviceAssessment.seedMatrix.map(\.device).filter { name in
            !phones.contains { $0.profile.name == name }
        }
        if !missing.isEmpty {
            verdicts.append("not asked for: \(missing.joined(separator: ", "))")
            decisions.append(.undecided)
        }
        return Self.finding(
            .overall(decisions),
            verdicts.joined(separator: "; ") + ".",
            tables: [
                Table(
                    "The test matrix",
                    note:
                        "Modelled, in sessions of \(NumberText.short(minutes)) minutes; figures are nominal, verdicts of all plausible figures. P95 against what is "
                        + "claimed of the tier, a reading without an answer being longer than all others; what reading adds to the battery's use "
                        + "against 10 % in half an hour by the energy model, and the whole phone's beside it; memory, as measured here, against the phone's budget.",
                    columns: [
                        "Phone", "Tier", "There for", "Quality", "P95", "Claim", "Reading, %/30 min",
                        "Whole phone, %/30 min", "Worst state",
                        "Readings, first → last minute", "Verdict",
                    ],
                    rows: tried.flatMap { phone, qualities in
                        qualities.map {
                            [phone.profile.name, phone.profile.tier.rawValue, phone.focus] + Self.texts($0)
                        }
                    },
                    numbersFrom: 4
                )
            ]
        )
    }

    /// The best quality that meets everything, or what keeps each from it.
    private static func used(_ qualities: [Quality]) -> String {
        switch qualities.firstIndex(where: { $0.decision == .holds }) {
        case 0?: "\(qualities[0].subject.name) meets all"
        case let index?: "needs \(qualities[index].subject.name), \(NumberText.count(index, "quality level")) lower"
        case nil: qualities.map { "\($0.subject.name) \($0.text)" }.joined(separator: ", ")
        }
    }

    private static func texts(_ quality: Quality) -> [String] {
        let (standing, session) = (quality.nominal, quality.nominal.session)
        return [
            quality.subject.name, NumberText.figure(standing.latency.p95.value, NumberText.milliseconds),
            NumberText.short(quality.claim.limit) + " ms", NumberText.battery(session.readingPercentPerHalfHour),
            NumberText.battery(session.percentPerHalfHour), session.worstState.rawValue,
            "\(session.minutes.first?.reads ?? 0) → \(session.minutes.last?.reads ?? 0)", quality.text,
        ]
    }

    /// nil for a tier of which no P95 is claimed, or without readings.
    private func quality(_ subject: AssessmentSubject, _ profile: DeviceProfile) -> Quality? {
        guard let claim = LatencyClaimsQuestion.claims.first(where: { $0.name == subject.tier })?.target,
            let standings = Plausible(at: { standing(subject, claim, profile, $0) })
        else { return nil }
        return Quality(
            subject: subject,
            claim: claim,
            nominal: standings.nominal,
            decision: .unanimous(standings.all.map(\.decision))
        )
    }

    private func standing(
        _ subject: AssessmentSubject,
        _ claim: Target,
        _ profile: DeviceProfile,
        _ bound: Bound
    ) -> Standing? {
        guard let latency = input.latency(until: claim.metric, subject, on: profile, at: bound),
            let session = input.outcome(input.plan(subject, minutes: minutes), subject, on: profile, at: bound)
        else { return nil }
        var standing = Standing(latency: latency, session: session)
        let judgement = latency.judgement(against: claim, rule: .point)
        switch judgement.verdict {
        case .pass: break
        case .fail:
            let p95 = NumberText.figure(latency.p95.point, NumberText.milliseconds)
            standing.missed.append("P95 \(claim.comparator.rawValue) \(NumberText.short(claim.limit)) ms (\(p95))")
        case .inconclusive: standing.open.append("P95: \(judgement.note)")
        }
        if session.readingPercentPerHalfHour >= Self.halfHourTarget {
            standing.missed.append(
                "reading takes \(NumberText.fixed(session.readingPercentPerHalfHour, 1)) % in 30 min of 10"
            )
        }
        switch subject.memory {
        case let memory? where memory > profile.values(at: bound)[.memoryBudget]:
            standing.missed.append("more memory than its budget")
        case nil: standing.open.append("memory was not measured")
        default: break
        }
        return standing
    }
}
