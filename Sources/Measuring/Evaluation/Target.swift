/// What a number rests on.
package enum EvidenceClass: String, Sendable, Codable {
    /// Taken in this run on this machine.
    case measured
    /// Computed by a model from stated parameters.
    case modelled
    /// Stated by a system about itself.
    case reported
    /// Stated by someone, or true by construction, and not checked in this run.
    case claimed
}

/// A figure that a tier has to reach.
package struct Target: Sendable, Equatable, Codable {
    /// What is compared.
    package enum Metric: String, Sendable, Codable {
        /// Percentiles of the latency from file bytes to prediction, in milliseconds.
        case latencyP50
        case latencyP90
        case latencyP95
        case latencyP99
        /// Share of legible samples whose whole title was read, 0…1.
        case titleRead
        /// Share of legible samples whose whole title was read within 500 milliseconds, 0…1.
        case readInTime
        /// The most memory that was resident in the tier's process, in bytes.
        case peakMemory
        /// Bytes that left the device in a scan, the mean.
        case bytesSent
        /// P95 from file bytes to the draft of a book, in milliseconds.
        case timeToDraftP95
        /// P95 from file bytes to a picture that is ready to be sent.
        case timeToPreparedP95
        /// P95 from file bytes to text.
        case timeToTextP95
        /// P95 from file bytes to what the catalogue knows of the book.
        case timeToEnrichedP95
        /// P95 from text to what the catalogue knows of the book.
        case enrichmentP95
        /// Share of legible samples whose book is in the catalogue and was named, 0…1.
        case identified
        /// Share of legible samples whose book is not in the catalogue and for which one was named, 0…1.
        case falseMatch

        /// Whether it is about a part of a scan, up to a milestone or from one.
        package var isOfMilestone: Bool {
            switch self {
            case .timeToDraftP95, .timeToPreparedP95, .timeToTextP95, .timeToEnrichedP95, .enrichmentP95: true
            default: false
            }
        }

        /// Which percentile it is; nil for another metric.
        package var percent: Int? {
            switch self {
            case .latencyP50: 50
            case .latencyP90: 90
            case .latencyP95, .timeToDraftP95, .timeToPreparedP95, .timeToTextP95, .timeToEnrichedP95, .enrichmentP95:
                95
            case .latencyP99: 99
            default: nil
            }
        }
    }

    /// Which side of the limit is good.
    package enum Comparator: String, Sendable, Codable {
        case below = "<"
        case atMost = "≤"
        case atLeast = "≥"
    }

    /// The requirement that it comes from.
    package var source: String
    package var metric: Metric
    /// The only tier that it holds for; nil when it holds for all.
    package var tier: String?
    /// Of all tiers, those that it does not hold for; nil for none.
    package var except: [String]?
    /// The only category that it holds for; nil for all samples together.
    package var category: String?
    package var comparator: Comparator
    /// In the metric's unit.
    package var limit: Double
    /// Whether missing it fails the run of a tier that gates.
    package var gates: Bool
    /// Why it is known to be missed, for the report: it is told all the same, and not hidden; nil when it is to be met.
    package var expectedMiss: String?

    package init(
        source: String,
        metric: Metric,
        tier: String? = nil,
        except: [String]? = nil,
        category: String? = nil,
        comparator: Comparator,
        limit: Double,
        gates: Bool = true,
        expectedMiss: String? = nil
    ) {
        self.source = source
        self.metric = metric
        self.tier = tier
        self.except = except
        self.category = category
        self.comparator = comparator
        self.limit = limit
        self.gates = gates
        self.expectedMiss = expectedMiss
    }

    /// Whether it holds for the variants of a tier; nil is the tier of variants that have none.
    package func holds(for tier: String?) -> Bool {
        if let own = self.tier { return own == tier }
        return tier.map { !(except ?? []).contains($0) } ?? true
    }

    /// Whether `value` is on the good side.
    package func isMet(by value: Double) -> Bool {
        switch comparator {
        case .below: value < limit
        case .atMost: value <= limit
        case .atLeast: value >= limit
        }
    }
}
