package import DeviceSimulation
import Evaluation
package import ScanningPolicies

/// What the questions of a run are answered from.
package struct ExperimentInput: Sendable {
    /// Where in their ranges the figures of a device lie.
    package enum Bound: String, Sendable, Codable, CaseIterable {
        /// Each on its better side.
        case favourable
        case nominal
        /// Each on its worse side.
        case adverse
    }

    /// A variant of the run, as far as a device can do it.
    package struct Subject: Sendable {
        /// The variant's.
        package var name: String
        /// nil for none.
        package var tier: String?
        /// How the work is divided; a variant that only reads does it all on the device.
        package var strategy: ScanVariant
        /// The name of the network that it was run behind; nil for none.
        package var network: String?
        /// What it held at most, on the host, in MB; nil when it is not known.
        package var memory: Double?
        /// What its readings cost on a device at full speed.
        package var costs: @Sendable (DeviceProfile, Bound) -> [ReadingCost]
    }

    /// The devices that were asked for, in order.
    package var profiles: [DeviceProfile]
    /// In the run's order; none without readings.
    package var subjects: [Subject]
    package var measurements: [MeasurementResult]
    package var records: [SampleRecord]
    /// What chance is drawn from.
    package var seed: UInt64 = 1
}

extension ExperimentInput {
    /// The standard session of a subject on a device.
    ///
    /// - Parameters:
    ///   - subject: that reads.
    ///   - minutes: how long.
    ///   - change: what is not standard.
    /// - Returns: the plan.
    func plan(_ subject: Subject, minutes: Double = 10, _ change: (inout SessionPlan) -> Void = { _ in }) -> SessionPlan
    {
        var plan = SessionPlan()
        plan.seconds = minutes * 60
        plan.variant = subject.strategy
        plan.memory = subject.memory ?? 0
        if subject.strategy.needsBackEnd {
            let profile = subject.network.flatMap(NetworkProfile.named)
            plan.link = profile == nil || profile?.name == "wifi" ? .wifi : .cellular
            plan.uplink = profile?.upMegabits
            plan.downlink = profile?.downMegabits
        }
        change(&plan)
        return plan
    }

    /// Simulates one session.
    ///
    /// - Parameters:
    ///   - plan: what is done.
    ///   - subject: that reads.
    ///   - profile: on which device.
    ///   - bound: where its figures lie.
    /// - Returns: what it came to; nil when the subject has nothing to draw from.
    func outcome(
        _ plan: SessionPlan,
        _ subject: Subject,
        on profile: DeviceProfile,
        _ bound: Bound = .nominal
    ) -> SessionOutcome? {
        let values = bound == .nominal ? profile.values() : profile.values(adverse: bound == .adverse)
        return try? SessionSimulator(plan: plan, values: values, costs: subject.costs(profile, bound)).run(seed: seed)
    }

    /// The answer to a question, or what is missing for one.
    package func finding(_ experiment: Experiment) -> Finding {
        switch experiment {
        case .computeOrRadio: ComputeOrRadioQuestion(input: self).finding
        case .tenMinutes: TenMinutesQuestion(input: self).finding
        case .latencyClaims: LatencyClaimsQuestion(input: self).finding
        case .gating: GatingQuestion(input: self).finding
        case .thermalPolicies: ThermalPoliciesQuestion(input: self).finding
        case .deviceMatrix: DeviceMatrixQuestion(input: self).finding
        case .coldStart: ColdStartQuestion.finding(measurements, records: records)
        case .ladder: LadderQuestion(input: self).finding
        case .fourModels: FourModelsQuestion(input: self).finding
        }
    }

    /// An answer that there is none.
    func unanswered(_ experiment: Experiment, _ what: String) -> Finding {
        Finding(
            id: experiment.rawValue,
            question: experiment.question,
            answer: "Not answered: \(what).",
            evidence: .modelled
        )
    }
}
