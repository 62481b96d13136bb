package import DeviceSimulation
import Documents
import Evaluation
package import Harness
import ScanningPolicies

/// What the questions of a run are answered from.
package struct ExperimentInput: Sendable {
    /// A measurement of the run, as far as a device can do it.
    package struct Subject: Sendable {
        /// Its readings, and how it is used.
        package var assessed: AssessmentSubject
        /// The name of the network that it was run behind; nil for none.
        package var network: String?

        /// - Parameters:
        ///   - assessed: its readings, and how it is used.
        ///   - network: the name of the network that it was run behind; nil for none.
        package init(_ assessed: AssessmentSubject, network: String?) {
            self.assessed = assessed
            self.network = network
        }

        var name: String { assessed.name }
        var tier: String { assessed.tier }
        /// How the work is divided; what only reads does it all on the device.
        var strategy: ScanStrategy { assessed.plan.strategy }
    }

    /// The devices that were asked for, in order.
    package var profiles: [DeviceProfile]
    /// In the run's order; readings of them may all have failed.
    package var subjects: [Subject]
    package var measurements: [MeasurementResult]
    package var records: [SampleRecord]
    /// What the records are readings of; nil when no labels are at hand.
    package var labels: SampleIndex?
    /// Of the host that the run was measured on.
    package var calibration: HostCalibration
    /// What the presence gate did; nil when it was not run.
    package var gating: GatingTrial?
    /// What chance is drawn from.
    package var seed: UInt64 = 1

    /// - Parameters:
    ///   - profiles: the devices that were asked for, in order.
    ///   - subjects: in the run's order.
    ///   - measurements: of the run.
    ///   - records: of the run.
    ///   - calibration: of the host that the run was measured on.
    ///   - gating: what the presence gate did; nil when it was not run.
    package init(
        profiles: [DeviceProfile],
        subjects: [Subject],
        measurements: [MeasurementResult],
        records: [SampleRecord],
        calibration: HostCalibration,
        gating: GatingTrial? = nil
    ) {
        self.profiles = profiles
        self.subjects = subjects
        self.measurements = measurements
        self.records = records
        self.calibration = calibration
        self.gating = gating
    }
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
        var plan = subject.assessed.plan
        plan.seconds = minutes * 60
        change(&plan)
        return plan
    }

    /// What a subject's readings cost on a device at full speed.
    ///
    /// - Parameters:
    ///   - subject: that reads.
    ///   - profile: the device.
    ///   - bound: where its figures, and those of the scaling, lie.
    /// - Returns: one for each reading.
    func costs(_ subject: Subject, on profile: DeviceProfile, _ bound: Bound = .nominal) -> [ReadingCost] {
        subject.assessed.session(on: profile, calibration: calibration, at: bound).costs
    }

    /// How long a subject's readings take on a device, as the rows of devices have it: those without an answer are longer than
    /// all others, and percentiles are picked by the run's formula.
    ///
    /// - Parameters:
    ///   - metric: up to what.
    ///   - subject: that reads.
    ///   - profile: the device.
    ///   - bound: where its figures, and those of the scaling, lie.
    /// - Returns: nil for a metric that no device has a part in.
    func latency(
        until metric: Metric,
        _ subject: Subject,
        on profile: DeviceProfile,
        _ bound: Bound = .nominal
    ) -> LatencySummary? {
        subject.assessed.milliseconds(until: metric, on: profile, calibration: calibration, at: bound).map { times in
            let answered = times.sorted.filter(\.isFinite)
            return LatencySummary(
                milliseconds: answered,
                timeouts: times.sorted.count - answered.count,
                samples: times.independent,
                method: subject.assessed.method,
                infinite: AssessmentSubject.infinite
            )
        }
    }

    /// The measurement that a subject's readings are of.
    func measurement(of subject: Subject) -> MeasurementResult? { measurements.first { $0.id == subject.name } }

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
        let (own, costs) = subject.assessed.session(on: profile, calibration: calibration, at: bound)
        var plan = plan
        plan.unit = own.unit
        plan.gate = plan.gate?.at(bound)
        return try? SessionSimulator(plan: plan, values: profile.values(at: bound), costs: costs).run(seed: seed)
    }

    /// The answer to a question, or what is missing for one.
    package func finding(_ experiment: Experiment) -> Finding {
        switch experiment {
        case .computeOrRadio: ComputeOrRadioQuestion(input: self).finding
        case .tenMinutes: TenMinutesQuestion(input: self).finding
        case .latencyClaims: LatencyClaimsQuestion(input: self).finding
        case .accuracy: AccuracyQuestion(measurements).finding
        case .hybrid: HybridQuestion(input: self).finding
        case .gating: GatingQuestion(input: self).finding
        case .thermalPolicies: ThermalPoliciesQuestion(input: self).finding
        case .outages: OutagesQuestion(measurements).finding
        case .privacy: PrivacyQuestion(measurements).finding
        case .deviceMatrix: DeviceMatrixQuestion(input: self).finding
        case .coldStart: ColdStartQuestion.finding(measurements, records: records)
        case .ladder: LadderQuestion(input: self).finding
        case .fourModels: FourModelsQuestion(input: self).finding
        }
    }

    /// An answer that there is none.
    func unanswered(_ experiment: Experiment, _ what: String) -> Finding { .unanswered(experiment, what) }
}

extension Finding {
    /// The answer to one of the questions.
    init(
        _ experiment: Experiment,
        _ decision: Decision,
        _ answer: String,
        evidence: EvidenceClass = .modelled,
        tables: [Table],
        plots: [Plot] = []
    ) {
        self.init(
            id: experiment.rawValue,
            question: experiment.question,
            answer: answer,
            decision: decision,
            evidence: evidence,
            tables: tables,
            plots: plots
        )
    }

    /// An answer that there is none.
    static func unanswered(
        _ experiment: Experiment,
        _ what: String,
        evidence: EvidenceClass = .modelled
    ) -> Finding {
        Finding(experiment, .undecided, "Not answered: \(what).", evidence: evidence, tables: [])
    }
}

extension EvidenceClass {
    /// The weakest of several: modelled before reported before measured; what is only claimed is the weakest of all.
    static func weakest(_ classes: some Sequence<EvidenceClass>) -> EvidenceClass {
        let all = Set(classes)
        return [.claimed, .modelled, .reported].first { all.contains($0) } ?? .measured
    }
}
