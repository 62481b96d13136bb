package import Basics
package import Evaluation
package import ScanningPolicies

/// Results of one measurement on one device, modelled except the memory, which was measured on the host, and latencies
/// that were recorded on the device.
package struct DeviceRow: Sendable, Equatable, Codable {
    /// Percentiles of whole readings on the device, warm and cool.
    package struct Latency: Sendable, Equatable, Codable {
        package var p50: PercentileEstimate
        package var p95: PercentileEstimate
        package var p99: PercentileEstimate
    }

    /// Sensitivity of the outcome to a figure, the others being nominal.
    package struct Sensitivity: Sendable, Equatable, Codable {
        package struct Effect: Sendable, Equatable, Codable {
            package var value: Double
            /// P95 of a whole reading, in ms; nil without one.
            package var p95: Double?
            /// Battery use by the energy model, over ten minutes.
            package var percentPerMinute: Double
            /// Skin temperature at the end of ten minutes, in °C.
            package var skin: Double
        }

        package var key: String
        package var name: String
        package var unit: String
        package var kind: Estimate.Kind
        package var low: Effect
        package var high: Effect
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
    package var latency: Plausible<Latency>
    /// Recording that took the place of the model, and the model's latencies; nil where they are in ``latency``.
    package var recording: DeviceRecording?
    package var modelled: Plausible<Latency>?
    /// The most that its process held on the host, in MB; nil when that is not known.
    package var memory: Double?
    package var memoryBudget: Estimate
    package var tenMinutes: Plausible<SessionSummary>
    package var halfHour: Plausible<SessionSummary>
    /// Points of plots of the half hour with nominal figures.
    package var timeline: [SessionOutcome.Point]
    package var minutes: [SessionOutcome.Minute]
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

        /// Returns the value of a session; nil for those that no session has, and for books when none was identified.
        func value(of session: SessionSummary) -> Double? {
            switch self {
            case .latency, .firstText, .memory: nil
            case .joulesPerBook: session.joulesPerBook
            case .readingPerHalfHour: session.seconds > 0 ? session.readingPercent * 1_800 / session.seconds : nil
            case .percentPerMinute(let model): session.percentPerMinute(model)
            case .percentPerHalfHour(let model): session.percentPerMinute(model).map { $0 * 30 }
            }
        }
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
    /// Value at nominal figures, with the best and the worst of nominal figures and both ends.
    package var figures: Plausible<Figure>
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
        return (verdict, (figures.nominal.value ?? 0) / max(limit, .leastNonzeroMagnitude), -limit)
    }

    package func isMet(by value: Double) -> Bool { comparator.isMet(by: value, limit: limit) }

    /// Whether it passes for every plausible value, fails for every one, or neither.
    package var verdict: Verdict {
        switch outcome {
        case .passesAlways: .pass
        case .failsAlways: .fail
        case .depends, .undecided, .cannotBeMissed: .inconclusive
        }
    }
}

package struct SessionSummary: Sendable, Equatable, Codable {
    /// Time that it reached, in s.
    package var seconds: Double
    /// Battery use by the energy model and by the seed's formula.
    package var percent: Double
    package var seedPercent: Double
    package var energy: EnergyUse
    package var worstState: ThermalState
    /// Skin temperature at the end, in °C.
    package var skin: Double
    package var chip: Double
    package var reads: Int
    package var books: Int
    package var booksPerPercent: Double?
    /// Percent of the battery, and J for each book, that reading adds to the same session without it.
    package var readingPercent: Double
    package var joulesPerBook: Double?
    /// Readings in the first and the last whole minute, and the P95 of their latency in ms.
    package var firstReads: Int
    package var lastReads: Int
    package var firstP95: Double?
    package var lastP95: Double?

    init(_ outcome: SessionOutcome) {
        seconds = outcome.seconds
        percent = outcome.percent
        seedPercent = outcome.seedPercent
        energy = outcome.energy
        worstState = outcome.worstState
        skin = outcome.skin
        chip = outcome.chip
        reads = outcome.counts.read
        books = outcome.books
        booksPerPercent = outcome.booksPerPercent
        readingPercent = outcome.readingPercent
        joulesPerBook = outcome.joulesPerBook
        let whole = outcome.minutes.filter { $0.seconds > 59.5 }
        firstReads = whole.first?.reads ?? 0
        lastReads = whole.last?.reads ?? 0
        firstP95 = whole.first?.p95
        lastP95 = whole.last?.p95
    }

    /// Returns the percentage that a battery loses in a minute, by a model; nil when the session had no length.
    package func percentPerMinute(_ model: DeviceRequirement.BatteryModel) -> Double? {
        guard seconds > 0 else { return nil }
        return (model == .energy ? percent : seedPercent) * 60 / seconds
    }
}
