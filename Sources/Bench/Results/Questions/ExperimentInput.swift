package import DeviceSimulation
import Evaluation
package import Harness
import ScanningPolicies

/// All that the questions of a run are answered from.
package struct ExperimentInput: Sendable {
    /// The devices that were asked for, in order.
    var profiles: [DeviceProfile]
    /// Measurements as far as a device can do them, in the run's order; readings of them may all have failed.
    var subjects: [AssessmentSubject]
    var measurements: [MeasurementResult]
    var records: [SampleRecord]
    /// What the records are readings of; nil when no labels are at hand.
    var labels: SampleIndex?
    /// Of the host that the run was measured on.
    var calibration: HostCalibration
    /// Answers of the presence gate; nil when it was not run.
    var gating: GatingTrial?
    /// Of what is drawn at random.
    var seed: UInt64 = 1

    /// The answer to a question, or what is missing for one.
    package func finding(_ experiment: Experiment) -> Finding { question(experiment).finding }

    private func question(_ experiment: Experiment) -> any Question {
        switch experiment {
        case .computeOrRadio: ComputeOrRadioQuestion(input: self)
        case .tenMinutes: TenMinutesQuestion(input: self)
        case .latencyClaims: LatencyClaimsQuestion(input: self)
        case .accuracy: AccuracyQuestion(input: self)
        case .hybrid: HybridQuestion(input: self)
        case .gating: GatingQuestion(input: self)
        case .thermalPolicies: ThermalPoliciesQuestion(input: self)
        case .outages: OutagesQuestion(input: self)
        case .privacy: PrivacyQuestion(input: self)
        case .deviceMatrix: DeviceMatrixQuestion(input: self)
        case .coldStart: ColdStartQuestion(input: self)
        }
    }
}

extension RunContents {
    /// All that questions of the run are answered from; subjects are as ``subjects(_:)`` gives them.
    package func experimentInput(
        _ subjects: [AssessmentSubject],
        on profiles: [DeviceProfile],
        calibration: HostCalibration,
        gating: GatingTrial?
    ) -> ExperimentInput {
        ExperimentInput(
            profiles: profiles,
            subjects: subjects,
            measurements: result.measurements,
            records: records,
            labels: samples,
            calibration: calibration,
            gating: gating
        )
    }
}

extension AssessmentSubject {
    /// How the work is divided; what only reads does it all on the device.
    var strategy: ScanStrategy { plan.strategy }
}

extension ExperimentInput {
    /// Those that read on the device alone, from the lightest reader to the heaviest.
    var localSubjects: [AssessmentSubject] { subjects.filter { $0.strategy == .onDeviceOnly } }

    /// The standard session of a subject.
    func plan(
        _ subject: AssessmentSubject,
        minutes: Double = 10,
        _ change: (inout SessionPlan) -> Void = { _ in }
    ) -> SessionPlan {
        var plan = subject.plan
        plan.seconds = minutes * 60
        change(&plan)
        return plan
    }

    /// The cost of each of a subject's readings on a device at full speed.
    func costs(
        _ subject: AssessmentSubject,
        on profile: DeviceProfile,
        at bound: Bound = .nominal
    ) -> [ReadingCost] {
        subject.session(on: profile, calibration: calibration, at: bound).costs
    }

    /// Latency of a subject's readings on a device, as the rows of devices have it: those without an answer are longer than
    /// all others, and percentiles are picked by the run's formula.
    ///
    /// - Returns: nil for a metric that no device has a part in.
    func latency(
        until metric: Metric,
        _ subject: AssessmentSubject,
        on profile: DeviceProfile,
        at bound: Bound
    ) -> LatencySummary? {
        subject.milliseconds(until: metric, on: profile, calibration: calibration, at: bound).map { times in
            let answered = times.sorted.filter(\.isFinite)
            return LatencySummary(
                milliseconds: answered,
                timeouts: times.sorted.count - answered.count,
                samples: times.independent,
                method: subject.method,
                infinite: AssessmentSubject.infinite
            )
        }
    }

    /// One simulated session; nil when the subject has nothing to draw from.
    func outcome(
        _ plan: SessionPlan,
        _ subject: AssessmentSubject,
        on profile: DeviceProfile,
        at bound: Bound = .nominal
    ) -> SessionOutcome? {
        let (own, costs) = subject.session(on: profile, calibration: calibration, at: bound)
        var plan = plan
        plan.unit = own.unit
        plan.gate = plan.gate?.at(bound)
        return try? SessionSimulator(plan: plan, values: profile.values(at: bound), costs: costs).run(seed: seed)
    }
}
