import Basics
package import Evaluation
package import ScanningPolicies

/// Results of one measurement on one device, modelled except the memory, which was measured on the host, and latencies
/// that were recorded on the device.
package struct DeviceRow: Sendable, Equatable, Codable {
    /// Percentiles of whole readings on the device, warm and cool.
    package struct Latency: Sendable, Equatable, Codable {
        package var p50, p95, p99: Spread
    }

    package struct Session: Sendable, Equatable, Codable {
        package var nominal: SessionResult
        /// Percent of the battery that the whole phone takes in a minute, by both models.
        package var energy, seed: Spread
        /// Skin temperature at the end, in °C.
        package var skin: Spread
        /// The 5th and the 95th percentile of the worst states of the draws.
        package var mildest, worst: ThermalState
    }

    /// Rank correlation of a figure with outcomes in the draws; nil for an outcome that does not vary.
    package struct Sensitivity: Sendable, Equatable, Codable {
        package var key, name, unit: String
        package var kind: Estimate.Kind
        package var low, high: Double
        /// With the P95 of a whole reading, with the battery and with the skin's temperature after ten minutes.
        package var p95, battery, skin: Double?

        package var most: Double { [p95, battery, skin].compactMap { $0.map(abs) }.max() ?? 0 }
    }

    package var measurement: String
    package var tier: String
    package var device: String
    package var chip: String
    /// Unit that its networks run on.
    package var unit: ComputeUnit
    package var link: SessionPlan.Link
    /// Class of the latencies, modelled or of a recording; all else is modelled.
    package var evidence: EvidenceClass
    package var latency: Latency
    /// Recording that took the place of the model, and the model's latencies; nil where they are in ``latency``.
    package var recording: DeviceRecording?
    package var modelled: Latency?
    /// The most that its process held on the host, in MB; nil when that is not known.
    package var memory: Double?
    package var tenMinutes: Session
    /// Its nominal session has a timeline and minutes.
    package var halfHour: Session
    package var requirements: [DeviceRequirement]
    /// The figures that matter most first.
    package var sensitivity: [Sensitivity]
    package var asked: [DeviceMetricValue]?

    /// Class of a requirement's figure; memory was measured on the host.
    package func evidence(of requirement: DeviceRequirement) -> EvidenceClass {
        switch requirement.subject {
        case .latency: requirement.evidence ?? evidence
        case .memory: .measured
        default: .modelled
        }
    }

    /// Verdict of the requirements that gate; nil when none does.
    package var verdict: Verdict? { Verdict.overall(requirements.filter(\.gates).map(\.verdict)) }
}

extension DeviceRow.Session {
    /// `sessions`: The nominal one first; `detail`: the same with its timeline.
    init(_ sessions: [SessionResult], detail: SessionResult? = nil) {
        func spread(_ value: (SessionResult) -> Double) -> Spread { Drawn(sessions) { value($0) }.spread }
        let states = sessions.dropFirst().map { Double(ThermalStates.rising.firstIndex(of: $0.worstState) ?? 0) }
            .sorted()
        nominal = detail ?? sessions[0]
        (energy, seed) = (spread(\.percentPerMinute), spread(\.seedPercentPerMinute))
        skin = spread(\.skin)
        mildest = ThermalStates.rising[Int(Percentile.nearestRank(5, of: states))]
        worst = ThermalStates.rising[Int(Percentile.nearestRank(95, of: states))]
    }
}

extension Drawn {
    /// Creates a figure of sessions, of the nominal one first; nil is beyond any limit.
    init(_ sessions: [SessionResult], _ value: (SessionResult) -> Double?) {
        self.init(
            nominal: value(sessions[0]).map { .value($0) } ?? .absent("no book was identified"),
            draws: sessions.dropFirst().map(value)
        )
    }
}

package struct DeviceRequirement: Sendable, Equatable, Codable {
    package enum Subject: Sendable, Equatable, Codable {
        /// A percentile of readings on the device, in ms.
        case latency(Metric)
        /// Time to load the networks and read once, in ms: after an install, or in later starts.
        case firstText(isFirstStart: Bool)
        /// Memory that the system took here, in MB.
        case memory
        /// Energy that reading adds for each book, in J, in the ten-minute session.
        case joulesPerBook
        /// Percent of the battery that reading adds to the session of half an hour.
        case readingPerHalfHour
        /// Percent of the battery that the whole phone takes, in a minute of the ten-minute session.
        case percentPerMinute(BatteryModel)
        /// Battery use in the session of half an hour.
        case percentPerHalfHour(BatteryModel)
    }

    /// Limit of ``Subject/firstText(isFirstStart:)`` in ms (S2-20).
    package static let mostToFirstText = 500.0

    /// Limit of ``Subject/joulesPerBook``: the energy that Wi-Fi takes to send the picture that reading saves, 2 MB
    /// (S0-T04) in 1.6 s at 10 Mbit/s and the profiles' 1.2 W, rounded up.
    package static let mostJoulesPerBook = 2.0

    /// Model of the use of a battery (K-4).
    package enum BatteryModel: String, Sendable, Codable, CaseIterable {
        /// Power × time of each component.
        case energy
        /// The formula of the project documents, which contradicts its own targets; it never gates.
        case seed
    }

    /// Source of the requirement: "S0-B01".
    package var source: String
    package var subject: Subject
    package var comparator: Target.Comparator
    /// Limit in the subject's unit.
    package var limit: Double
    package var figure: Spread
    package var outcome: PlausibleOutcome
    package var gates: Bool
    /// Class of a latency that is the model's although the device was recorded, as the target does not admit the
    /// recording; nil for that of the row.
    package var evidence: EvidenceClass?
    /// Machine that the limit of a latency holds for; nil for any.
    package var machine: Target.Machine?

    /// Order of several requirements, the hardest last: a missed one after an open one, and then the one whose limit is
    /// nearest or farthest exceeded, or without a figure the lowest.
    package var hardness: (Int, Double, Double) {
        let verdict = [Verdict.pass, .inconclusive, .fail].firstIndex(of: verdict) ?? 0
        return (verdict, (figure.nominal.value ?? 0) / max(limit, .leastNonzeroMagnitude), -limit)
    }

    /// Whether it is met by all plausible phones, by none, or neither.
    package var verdict: Verdict {
        switch outcome {
        case .passesAlways: .pass
        case .failsAlways: .fail
        case .depends, .undecided, .cannotBeMissed: .inconclusive
        }
    }
}

extension DeviceRequirement {
    /// Creates a requirement that a figure's draws answer; `deciding` names the figure that decides draws most.
    init(
        _ subject: Subject,
        source: String,
        _ comparator: Target.Comparator,
        _ limit: Double,
        _ figure: Drawn,
        gates: Bool,
        deciding: ([Double?]) -> String?
    ) {
        let met = figure.draws.count { value in
            value.map { comparator.isMet(by: $0, limit: limit) } ?? comparator.isLowerBound
        }
        self.source = source
        (self.subject, self.comparator, self.limit) = (subject, comparator, limit)
        (self.figure, self.gates) = (figure.spread, gates)
        outcome =
            figure.draws.isEmpty
            ? .undecided(reason: figure.nominal.reason ?? "no figure")
            : PlausibleOutcome(met: met, of: figure.draws.count) { deciding(figure.draws) }
    }
}

/// Outcome of a requirement over the draws of a device's figures, each of which is a plausible phone.
package enum PlausibleOutcome: Sendable, Equatable, Codable {
    case passesAlways
    case failsAlways
    /// The share of plausible phones that meet it, and the figure that decides most; nil when none does.
    case depends(share: Double, most: String?)
    /// Neither passed nor missed: the device's maximum power is below the limit, for any reading.
    ///
    /// `maximum` is the device's maximum at nominal figures, `worst` the most of all draws.
    case cannotBeMissed(maximum: Double, worst: Double)
    case undecided(reason: String)

    package init(met: Int, of all: Int, most: () -> String?) {
        self =
            met == all
            ? .passesAlways : met == 0 ? .failsAlways : .depends(share: Double(met) / Double(all), most: most())
    }

    /// Text of the tables: "met by all plausible phones".
    package var text: String {
        switch self {
        case .passesAlways: "met by all plausible phones"
        case .failsAlways: "met by no plausible phone"
        case .depends(let share, let most):
            "met by \(NumberText.percent(share)) of plausible phones" + (most.map { ", depends most on \($0)" } ?? "")
        case .cannotBeMissed(let maximum, let worst):
            "cannot be missed: the device's maximum is \(NumberText.fixed(maximum, 1)) % "
                + "(\(NumberText.fixed(worst, 1)) % at most in the draws)"
        case .undecided(let reason): "not decided: \(reason)"
        }
    }
}
