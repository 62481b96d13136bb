package import Evaluation

/// One variant in one scenario over one dataset.
package struct PageMeasurement: Sendable, Encodable {
    /// Unique in the page.
    package var id: String
    package var variant: String
    package var tier: String?
    package var scenario: String
    package var dataset: String
    /// Of the latencies and of the accuracy.
    package var evidence: EvidenceClass = .measured
    /// Readings that were asked for.
    package var readings = 0
    package var failures = 0
    package var timeouts = 0
    /// Samples that were not read the same every time; nil when each was read once.
    package var unstable: Int?
    /// Of the latency, rising.
    package var percentiles: [PagePercentile] = []
    /// The latencies as counts, when they are not those of the samples' readings: an arrival's, or too many to list.
    package var histogram: [PageBucket]?
    /// All samples first, as "all", then each category.
    package var accuracy: [PageAccuracy] = []
    /// Memory, start, throughput and whatever else has one figure.
    package var costs: [PageCost] = []
    package var reliability: PageReliability?
    package var timeline: PageTimeline?
    /// The scenario's validity rules and the compliance tests.
    package var checks: [PageCheck] = []
    /// Every setting of the variant.
    package var settings: [String: String] = [:]
    /// The names of `PageReading.stages`, in their order.
    package var stages: [String] = []
    /// What else happened: workers that were lost, lines that were no messages.
    package var notes: [String] = []

    package init(id: String, variant: String, tier: String? = nil, scenario: String, dataset: String) {
        self.id = id
        self.variant = variant
        self.tier = tier
        self.scenario = scenario
        self.dataset = dataset
    }
}

/// A percentile of a measurement's latency.
package struct PagePercentile: Sendable, Encodable {
    /// 0…100.
    package var percent: Double
    /// In milliseconds.
    package var latency: PageValue

    package init(_ percent: Double, _ latency: PageValue) {
        self.percent = percent
        self.latency = latency
    }
}

/// Readings that took about as long.
package struct PageBucket: Sendable, Encodable {
    /// The highest latency that is counted here.
    package var milliseconds: Double
    package var count: Int

    package init(milliseconds: Double, count: Int) {
        self.milliseconds = milliseconds
        self.count = count
    }

    /// Encodes `[12.5, 3]`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(milliseconds)
        try container.encode(count)
    }
}

/// How well a category was read.
package struct PageAccuracy: Sendable, Encodable {
    /// A share, or a figure that is none.
    package enum Value: Sendable, Encodable {
        case share(PageShare)
        case figure(PageValue)

        package func encode(to encoder: any Encoder) throws {
            switch self {
            case .share(let share): try share.encode(to: encoder)
            case .figure(let figure): try figure.encode(to: encoder)
            }
        }
    }

    /// "all", or a category's name.
    package var category: String
    package var values: [Metric: Value]
}

/// What a measurement takes of something, by one figure.
package struct PageCost: Sendable, Encodable {
    /// What a cost is counted in.
    package enum Unit: String, Sendable, Encodable {
        case bytes
        case milliseconds = "ms"
        case perSecond = "/s"
        /// 0…1.
        case share
        case number
    }

    /// Equal in all measurements that have it: "peak memory", "until first reading".
    package var name: String
    package var unit: Unit
    package var value: PageValue
    package var evidence: EvidenceClass

    package init(_ name: String, in unit: Unit, _ value: PageValue, evidence: EvidenceClass = .measured) {
        self.name = name
        self.unit = unit
        self.value = value
        self.evidence = evidence
    }
}
