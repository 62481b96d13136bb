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

    /// Requirement from which it derives.
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
        self.machine = machine
        self.expectedMiss = expectedMiss
    }

    /// Returns whether the target holds for the variants of a tier; nil is the tier of variants without one.
    package func holds(for tier: String?) -> Bool {
        if let own = self.tier { return own == tier }
        return tier.map { !(except ?? []).contains($0) } ?? true
    }

    package func isMet(by value: Double) -> Bool { comparator.isMet(by: value, limit: limit) }
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
    /// S0-M04: runtime memory; S0-P01: pictures stay on device. Every limit in milliseconds is a phone's. K-14
    /// defines “within 500 ms”: a picture ready to be sent, time to text and time to enriched, each at P95.
    package static let standard: [Target] = stated.map { target in
        var target = target
        if target.metric.meaning.unit == .milliseconds { target.machine = .phone }
        return target
    }

    private static let stated: [Target] =
        [
            Target(source: "S0-M08", metric: .latencyP95, except: bookTiers, comparator: .below, limit: 500),
            Target(source: "S0-T02", metric: .latencyP95, tier: "fast", comparator: .below, limit: 50),
            Target(source: "S0-T07", metric: .latencyP95, tier: "accurate", comparator: .atMost, limit: 150),
            Target(source: "S0-M08", metric: .timeToTextP95, tier: "enrich", comparator: .below, limit: 500),
            Target(source: "S0-T04", metric: .enrichmentP95, tier: "enrich", comparator: .below, limit: 200),
            Target(source: "S0-M03", metric: .timeToEnrichedP95, tier: "enrich", comparator: .below, limit: 500),
            Target(source: "S2-30", metric: .timeToPreparedP95, tier: "upload", comparator: .below, limit: 500),
            Target(source: "S0-T05", metric: .timeToEnrichedP95, tier: "upload", comparator: .below, limit: 1_000),
            Target(
                source: "S0-M02",
                metric: .timeToEnrichedP95,
                tier: "upload",
                comparator: .below,
                limit: 500,
                gates: false,
                expectedMiss: "the project documents specify 1000 ms and expect a miss (K-14)"
            ),
            Target(source: "S0-M08", metric: .timeToTextP95, tier: "hybrid", comparator: .below, limit: 500),
            Target(source: "S0-M03", metric: .timeToEnrichedP95, tier: "hybrid", comparator: .below, limit: 500),
            Target(source: "S0-M08", metric: .timeToTextP95, tier: "on-device", comparator: .below, limit: 500),
            Target(source: "S0-A02", metric: .titleRead, comparator: .atLeast, limit: 0.85),
            Target(source: "S0-A02", metric: .titleRead, category: "vertical", comparator: .atLeast, limit: 0.85),
            Target(source: "S0-A02", metric: .titleRead, category: "inverted", comparator: .atLeast, limit: 0.85),
            Target(source: "S0-A02", metric: .titleRead, category: "stylized", comparator: .atLeast, limit: 0.85),
            Target(
                source: "S0-M04",
                metric: .peakMemory,
                except: shelfTiers + ["context"],
                comparator: .below,
                limit: 200_000_000
            ),
            Target(
                source: "S0-P01",
                metric: .bytesSent,
                except: bookTiers,
                comparator: .atMost,
                limit: 0,
                gates: false
            ),
            Target(source: "S0-P01", metric: .bytesSent, tier: "on-device", comparator: .atMost, limit: 0),
            Target(source: "S0-P01", metric: .bytesSent, tier: "shelf", comparator: .atMost, limit: 0),
        ] + shelfTiers.flatMap(shelf) + visualSearch + context + frames

    /// Targets of the answers of visual search: S1-13, right before anything else and nothing rather than a guess;
    /// S1-14, at once, and once for all questions of a gesture.
    private static let visualSearch = [
        Target(source: "S1-13", metric: .identified, tier: "visual-search", comparator: .atLeast, limit: 0.95),
        Target(source: "S1-13", metric: .falseMatch, tier: "visual-search", comparator: .atMost, limit: 0.05),
        Target(source: "S1-14", metric: .gestureReadings, tier: "visual-search", comparator: .atMost, limit: 1),
        Target(source: "S1-14", metric: .repeatP95, tier: "visual-search", comparator: .atMost, limit: 1),
    ]

    /// Targets of captures: S4-17, codes read and subjects extracted as drawn; S4-18, labels right or omitted; S4-35,
    /// every narrative is valid; S4-43, known facts survive failing sources; S0-P01, nothing leaves the device.
    private static let context = [
        Target(
            source: "S0-M08",
            metric: .timeToTextP95,
            tier: "context",
            comparator: .below,
            limit: 500,
            gates: false,
            expectedMiss: "the limit is for a spine; a page of twenty lines and a shelf take longer"
        ),
        // Captures may be photos of shelves, with those tiers' memory, and not the 200 MB of a spine's (S0-M04).
        Target(source: "E-18", metric: .peakMemory, tier: "context", comparator: .below, limit: 600_000_000),
        Target(source: "S4-17", metric: .codesRead, tier: "context", comparator: .atLeast, limit: 0.98),
        Target(
            source: "S4-17",
            metric: .subjectOverlap,
            tier: "context",
            comparator: .atLeast,
            limit: 0.9,
            gates: false,
            expectedMiss: "on cluttered backgrounds, subjects are rarely cut out"
        ),
        Target(source: "S4-18", metric: .sceneWrong, tier: "context", comparator: .atMost, limit: 0.05),
        // Answering nothing is not enough: the required number equals that of titles.
        Target(source: "S4-18", metric: .sceneRight, tier: "context", comparator: .atLeast, limit: 0.85),
        Target(source: "S4-35", metric: .captureTold, tier: "context", comparator: .atLeast, limit: 1),
        Target(source: "S4-43", metric: .factsLost, tier: "context", comparator: .atMost, limit: 0),
        Target(source: "S0-P01", metric: .bytesSent, tier: "context", comparator: .atMost, limit: 0),
    ]

    /// Targets of a camera's frames: S0-C01, each spine is one scan, and names no other book.
    private static let frames = [
        Target(source: "S0-C01", metric: .oneScan, except: shelfTiers, comparator: .atLeast, limit: 0.97),
        Target(source: "S0-C01", metric: .wrongScan, except: shelfTiers, comparator: .atMost, limit: 0.005),
    ]

    /// Returns the targets of a tier that reads whole shelves; a photo of many megapixels is held at once.
    private static func shelf(tier: String) -> [Target] {
        func shelf(_ metric: Metric, _ comparator: Comparator, _ limit: Double, gates: Bool = true) -> Target {
            Target(source: "E-18", metric: metric, tier: tier, comparator: comparator, limit: limit, gates: gates)
        }
        return [
            shelf(.bookRecall, .atLeast, 0.9), shelf(.bookPrecision, .atLeast, 0.97),
            shelf(.bookTitleRead, .atLeast, 0.92), shelf(.countError, .atMost, 0.03),
            shelf(.mergedSpines, .atMost, 0.02), shelf(.sliverSpines, .atMost, 0.02),
            shelf(.orderDistance, .atMost, 0.01), shelf(.timePerBook, .below, 200),
            shelf(.peakMemory, .below, 600_000_000),
        ] + (tier == "shelf" ? [shelf(.timeToDraftP50, .atMost, 500)] : [])
    }
}
