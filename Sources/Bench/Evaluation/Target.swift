/// A limit that a metric has to keep, and the measurements that it holds for: an entry of `targets` in a suite.
package struct Target: Sendable, Equatable, Codable {
    /// Good side of the limit.
    package enum Comparator: String, Sendable, Codable {
        case below = "<"
        case atMost = "≤"
        case above = ">"
        case atLeast = "≥"

        /// Whether more is better.
        package var isLowerBound: Bool { self == .above || self == .atLeast }

        package func isMet(by value: Double, limit: Double) -> Bool {
            switch self {
            case .below: value < limit
            case .atMost: value <= limit
            case .above: value > limit
            case .atLeast: value >= limit
            }
        }
    }

    /// Machine that a limit holds for, where it is not any.
    package enum Machine: String, Sendable, Codable, CaseIterable {
        /// A phone: a server's milliseconds do not apply to it.
        case phone
    }

    package var source: String
    package var metric: Metric
    /// The only tier that it holds for; nil when it holds for all.
    package var tier: String?
    /// Tiers without this target; nil for none.
    package var except: [String]?
    /// The only category that it holds for; nil for all samples together.
    package var category: String?
    package var comparator: Comparator
    /// Limit in the metric's unit.
    package var limit: Double
    /// Whether missing it fails the run of a tier that gates.
    package var gates: Bool
    /// The only kind of machine that it decides on; nil for any.
    package var machine: Machine?
    /// Reason for an expected miss, for the report: the miss is reported nevertheless, not hidden; nil when the
    /// target should be met.
    package var expectedMiss: String?
    /// Whether it gates only where its metric is measured, and not where a reader claims its value; nil is false.
    package var gatesIfMeasured: Bool?
    /// Whether a suite states it: it is not decided where its figure cannot be computed.
    ///
    /// nil for the scanner's own targets, which name categories that a dataset need not have, and kinds of figures that a
    /// run need not have.
    package var isAsked: Bool?
    /// The classes of evidence that decide it at a gate; nil for all but what is reported or modelled, and for the model
    /// of phones.
    package var evidence: [EvidenceClass]?

    package init(
        source: String,
        metric: Metric,
        tier: String? = nil,
        except: [String]? = nil,
        category: String? = nil,
        comparator: Comparator,
        limit: Double,
        gates: Bool = true,
        machine: Machine? = nil,
        expectedMiss: String? = nil,
        gatesIfMeasured: Bool? = nil,
        isAsked: Bool? = nil,
        evidence: [EvidenceClass]? = nil
    ) {
        self.evidence = evidence
        (self.source, self.metric, self.tier, self.except, self.category) = (source, metric, tier, except, category)
        (self.comparator, self.limit, self.gates, self.gatesIfMeasured) = (comparator, limit, gates, gatesIfMeasured)
        (self.machine, self.expectedMiss, self.isAsked) = (machine, expectedMiss, isAsked)
    }

    /// Returns whether the target holds for the variants of a tier; nil is the tier of variants without one.
    package func holds(for tier: String?) -> Bool {
        if let own = self.tier { return own == tier }
        return tier.map { !(except ?? []).contains($0) } ?? true
    }

    package func isMet(by value: Double) -> Bool { comparator.isMet(by: value, limit: limit) }

    /// Returns whether a figure of a class may decide it at a gate; `ofPhone`: whether that is a figure of a phone.
    package func admits(_ found: EvidenceClass, ofPhone: Bool = false) -> Bool {
        if let evidence { return evidence.contains(found) }
        return switch found {
        case .measured, .measuredOnDevice: true
        case .modelled: ofPhone
        case .claimed: gatesIfMeasured != true
        case .reported, .reportedByRecording: false
        }
    }
}

extension Target {
    /// Tiers that report more than text: their latency includes the book, and times of visible milestones are judged
    /// separately.
    private static let bookTiers = ["enrich", "upload", "hybrid", "on-device", "context"] + shelfTiers
    /// The tiers that read photos of whole shelves.
    private static let shelfTiers = ["shelf", "shelf-upload"]

    /// The targets of the scanner whose spines are read here.
    ///
    /// A megabyte is 1,000,000 bytes. S0-M08: processing within 500 ms; S0-T02: instant tier; S0-T07: local fallback;
    /// S0-T04: enrichment by text; S2-30: a picture ready to be sent; S0-T05: its upload; S0-M02: the same against
    /// 500 ms; S0-M03: both tiers of the hybrid together; S0-A02: accuracy below which the contingency is needed;
    /// S0-M04: runtime memory, judged by the footprint, which Apple's limit is about: what an app may still take is "the
    /// current dirty memory limit minus the dirty memory footprint" (os/proc.h, `os_proc_available_memory`), and clean
    /// pages are not in it (WWDC 2018, session 416). All resident memory stands beside it, with the same limit, and does
    /// not gate. S0-P01: pictures stay on device. Every limit in milliseconds is a phone's. K-14
    /// defines “within 500 ms”: a picture ready to be sent, time to text and time to enriched, each at P95.
    package static let standard: [Target] =
        ([
            target("S0-M08", .latencyP95, .below, 500, except: bookTiers),
            target("S0-T02", .latencyP95, .below, 50, tier: "fast"),
            target("S0-T07", .latencyP95, .atMost, 150, tier: "accurate"),
            target("S0-M08", .timeToTextP95, .below, 500, tier: "enrich"),
            target("S0-T04", .enrichmentP95, .below, 200, tier: "enrich"),
            target("S0-M03", .timeToEnrichedP95, .below, 500, tier: "enrich"),
            target("S2-30", .timeToPreparedP95, .below, 500, tier: "upload"),
            target("S0-T05", .timeToEnrichedP95, .below, 1_000, tier: "upload"),
            target("S0-M02", .timeToEnrichedP95, .below, 500, tier: "upload").missed(
                because: "the project documents specify 1000 ms and expect a miss (K-14)"
            ),
            target("S0-M08", .timeToTextP95, .below, 500, tier: "hybrid"),
            target("S0-M03", .timeToEnrichedP95, .below, 500, tier: "hybrid"),
            target("S0-M08", .timeToTextP95, .below, 500, tier: "on-device"),
            target("S0-A02", .titleRead, .atLeast, 0.85),
            target("S0-A02", .titleRead, .atLeast, 0.85, category: "vertical"),
            target("S0-A02", .titleRead, .atLeast, 0.85, category: "inverted"),
            target("S0-A02", .titleRead, .atLeast, 0.85, category: "stylized"),
            target("S0-M04", .peakFootprint, .below, 200_000_000, except: shelfTiers + ["context"]),
            target("S0-P01", .bytesSent, .atMost, 0, tier: "fast", gatesIfMeasured: true),
            target("S0-P01", .bytesSent, .atMost, 0, tier: "accurate", gatesIfMeasured: true),
            target("S0-P01", .bytesSent, .atMost, 0, except: bookTiers + ["fast", "accurate"], gates: false),
            target("S0-P01", .bytesSent, .atMost, 0, tier: "on-device"),
            target("S0-P01", .bytesSent, .atMost, 0, tier: "shelf"),
        ] + shelfTiers.flatMap(shelf) + visualSearch + context + frames).flatMap { $0.withResidentMemory }

    /// Targets of the answers of visual search: S1-13, right before anything else and nothing rather than a guess;
    /// S1-14, at once, and once for all questions of a gesture.
    private static let visualSearch = [
        target("S1-13", .identified, .atLeast, 0.95, tier: "visual-search"),
        target("S1-13", .falseMatch, .atMost, 0.05, tier: "visual-search"),
        target("S1-14", .gestureReadings, .atMost, 1, tier: "visual-search"),
        target("S1-14", .repeatP95, .atMost, 1, tier: "visual-search"),
    ]

    /// Targets of captures: S4-17, codes read and subjects extracted as drawn; S4-18, labels right or omitted; S4-35,
    /// every narrative is valid; S4-43, known facts survive failing sources; S0-P01, nothing leaves the device.
    private static let context = [
        target("S0-M08", .timeToTextP95, .below, 500, tier: "context").missed(
            because: "the limit is for a spine; a page of twenty lines and a shelf take longer"
        ),
        // Captures may be photos of shelves, with those tiers' memory, and not the 200 MB of a spine's (S0-M04).
        target("E-18", .peakFootprint, .below, 600_000_000, tier: "context"),
        target("S4-17", .codesRead, .atLeast, 0.98, tier: "context"),
        target("S4-17", .subjectOverlap, .atLeast, 0.9, tier: "context").missed(
            because: "on cluttered backgrounds, subjects are rarely cut out"
        ),
        target("S4-18", .sceneWrong, .atMost, 0.05, tier: "context"),
        // Answering nothing is not enough: the required number equals that of titles.
        target("S4-18", .sceneRight, .atLeast, 0.85, tier: "context"),
        target("S4-35", .captureTold, .atLeast, 1, tier: "context"),
        target("S4-43", .factsLost, .atMost, 0, tier: "context"),
        target("S0-P01", .bytesSent, .atMost, 0, tier: "context"),
    ]

    /// Targets of a camera's frames: S0-C01, each spine is one scan, and names no other book.
    private static let frames = [
        target("S0-C01", .oneScan, .atLeast, 0.97, except: shelfTiers),
        target("S0-C01", .wrongScan, .atMost, 0.005, except: shelfTiers),
    ]

    /// Returns the targets of a tier that reads whole shelves; a photo of many megapixels is held at once.
    private static func shelf(tier: String) -> [Target] {
        let limits: [(Metric, Comparator, Double)] = [
            (.bookRecall, .atLeast, 0.9), (.bookPrecision, .atLeast, 0.97), (.bookTitleRead, .atLeast, 0.92),
            (.countError, .atMost, 0.03), (.mergedSpines, .atMost, 0.02), (.sliverSpines, .atMost, 0.02),
            (.orderDistance, .atMost, 0.01), (.timePerBook, .below, 200), (.peakFootprint, .below, 600_000_000),
        ]
        return limits.map { target("E-18", $0.0, $0.1, $0.2, tier: tier) }
            + (tier == "shelf" ? [target("E-18", .timeToDraftP50, .atMost, 500, tier: tier)] : [])
    }

    private static func target(
        _ source: String,
        _ metric: Metric,
        _ comparator: Comparator,
        _ limit: Double,
        tier: String? = nil,
        except: [String]? = nil,
        category: String? = nil,
        gates: Bool = true,
        gatesIfMeasured: Bool? = nil
    ) -> Target {
        var target = Target(source: source, metric: metric, comparator: comparator, limit: limit, gates: gates)
        (target.tier, target.except, target.category, target.gatesIfMeasured) = (
            tier, except, category, gatesIfMeasured
        )
        target.machine = metric.unit == .milliseconds ? .phone : nil
        return target
    }

    /// The target; after one of the footprint, that of all resident memory too, which does not gate.
    private var withResidentMemory: [Target] {
        var resident = self
        (resident.metric, resident.gates) = (.peakResident, false)
        return metric == .peakFootprint ? [self, resident] : [self]
    }

    /// Returns the target as one whose miss is expected and does not gate.
    private func missed(because reason: String) -> Target {
        var target = self
        (target.gates, target.expectedMiss) = (false, reason)
        return target
    }
}
