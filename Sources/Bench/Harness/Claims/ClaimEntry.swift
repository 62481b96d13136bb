package import Basics
package import Evaluation
import SpineDatasets

/// Metric by the name that people write.
struct MetricName: Codable, Named {
    var metric: Metric

    init(_ metric: Metric) { self.metric = metric }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let metric = Metric.named(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a metric")
        }
        self.metric = metric
    }

    func encode(to encoder: any Encoder) throws { try metric.id.encode(to: encoder) }

    static let kind = "metric"
    static var names: [String] { Metric.current.map(\.id) }
    static func named(_ name: String) -> MetricName? { Metric.named(name).map(MetricName.init) }
    static func advice(for name: String) -> String? { Metric.advice(for: name) }
}

extension Metric.Unit {
    /// Limit in the form of suites: its unit, its range, and the factor that converts it into the metric's unit.
    package var suite: (name: String, limits: ClosedRange<Double>, scale: Double) {
        switch self {
        case .share: ("a share, 0 to 1", 0...1, 1)
        case .score: ("0 to 1", 0...1, 1)
        case .milliseconds: ("milliseconds", 0...1e12, 1)
        case .bytes, .byteDifference: ("megabytes of 1,000,000 bytes", 0...1e12, 1e6)
        case .bytesPerScan: ("bytes", 0...1e12, 1)
        case .count: ("a number", 0...1e12, 1)
        case .work: ("a number per reading", 0...1e15, 1)
        }
    }
}

/// The targets of a suite's file: `standard`, or its own.
enum TargetList: Codable {
    case standard
    case own([ClaimEntry])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = decoder.scalarText {
            guard text == "standard" else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "invalid value \"\(text)\"; expected standard, or a list of targets"
                )
            }
            self = .standard
        } else {
            self = .own(try container.decode([ClaimEntry].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .standard: try "standard".encode(to: encoder)
        case .own(let targets): try targets.encode(to: encoder)
        }
    }
}

extension Claim {
    /// The targets of the scanner whose spines are read here; `standard-targets.yaml` explains them.
    package static let standard: [Claim] = {
        let faults = FaultCollector(file: "standard-targets.yaml")
        do {
            let text = String(decoding: PackageResources.standard_targets_yaml, as: UTF8.self)
            let root = try YAMLFile.node(of: text, faults, expected: "targets")
            return try LocatedDecoder.decode([ClaimEntry].self, from: root, faults) { entries, at in
                let tiers = Set(entries.compactMap(\.tier))
                return entries.enumerated().compactMap { $1.target(suite: "standard", tiers: tiers, at[$0]) }
            }
        } catch {
            preconditionFailure("\(error)")
        }
    }()
}

/// Limit of a claim: a number, or the same figure of another variant or session.
package struct LimitEntry: Codable, Checked {
    var variant: String?
    var session: SessionConditions?
    var times: Double?
    var plus: Double?

    package enum CodingKeys: String, CodingKey, CaseIterable { case variant, session, times, plus }

    package static var short: (key: String, name: String)? { ("plus", "a number") }

    var isNumber: Bool { variant == nil && session == nil }

    package mutating func check(_ at: Checker) {
        guard !at.keys.isEmpty else { return }
        if isNumber { at.fault("expected the key 'variant' or 'session'") }
        at["times"].range(times, 0...1e12, above: true)
        at["plus"].range(plus, -1e12...1e12)
    }

    package func encode(to encoder: any Encoder) throws {
        if isNumber { return try plus.encode(to: encoder) }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(variant, forKey: .variant)
        try container.encodeIfPresent(session, forKey: .session)
        try container.encodeIfPresent(times, forKey: .times)
        try container.encodeIfPresent(plus, forKey: .plus)
    }
}

/// Claim in a suite's file: an entry of `targets`, or of `assert`, which have some of the keys each.
package struct ClaimEntry: Codable {
    enum Gates: String, Codable, CaseIterable {
        case yes = "true"
        case no = "false"
        case ifMeasured = "if-measured"

        func encode(to encoder: any Encoder) throws {
            if self == .ifMeasured { try rawValue.encode(to: encoder) } else { try (self == .yes).encode(to: encoder) }
        }
    }

    var metric: MetricName?
    var device: DeviceMetric?
    var category: SampleCategory?
    var tier: String?
    var except: [String]?
    var variants: OneOrMore<String>?
    var devices: OneOrMore<String>?
    var session: SessionConditions?
    var below, atMost, above, atLeast, equals: LimitEntry?
    var within: [Double]?
    var source: String?
    var gates: Gates?
    var machine: Claim.Machine?
    var evidence: [EvidenceClass]?
    var expectedMiss: String?
    var because: String?

    package enum CodingKeys: String, CodingKey {
        case metric, device, category, tier, except, variants, devices, session, below
        case atMost = "at-most"
        case above
        case atLeast = "at-least"
        case equals, within, source, gates, machine, evidence
        case expectedMiss = "expected-miss"
        case because
    }

    package static let ofTargets: [CodingKeys] = [
        .metric, .below, .atMost, .atLeast, .tier, .except, .category, .source, .gates, .machine, .evidence,
        .expectedMiss,
    ]
    package static let ofAssertions: [CodingKeys] = [
        .metric, .device, .category, .variants, .devices, .session, .below, .atMost, .above, .atLeast, .equals, .within,
        .because, .gates,
    ]

    private typealias Limit = any WritableKeyPath<Self, LimitEntry?> & Sendable

    private static let limits: [(key: CodingKeys, comparator: Bound.Comparator, path: Limit)] = [
        (.below, .below, \.below), (.atMost, .atMost, \.atMost), (.above, .above, \.above),
        (.atLeast, .atLeast, \.atLeast), (.equals, .equals, \.equals),
    ]
    private static let comparators = limits.map(\.key) + [.within]

    private var unit: (name: String, limits: ClosedRange<Double>, scale: Double) {
        metric?.metric.unit.suite ?? (name: "", limits: 0...1e12, scale: 1)
    }

    /// Adds the faults of an entry with some of the keys.
    private func check(_ keys: [CodingKeys], _ at: Checker) {
        let names = keys.map(\.rawValue)
        for key in at.keys where CodingKeys(rawValue: key) != nil && !names.contains(key) {
            at[key].faultOfKey("unknown key; \(NearName.hint(for: key, among: names))")
        }
        at.one(of: keys.filter(Self.comparators.contains).map(\.rawValue))
        // Only two measurements have a shift.
        if metric?.metric == .latency, at["metric"].isSound {
            at["metric"].unknown(
                "metric",
                Metric.latency.id,
                among: MetricName.names.filter { $0 != Metric.latency.id }
            )
        }
        if let device, at["device"].isSound, !DeviceMetric.allCases.contains(device) {
            at["device"].unknown("figure", device.rawValue, among: DeviceMetric.allCases.map(\.rawValue))
        }
        let isKnown = at["device"].isGiven || at["metric"].isSound
        for (key, _, path) in Self.limits {
            let place = at[key.rawValue]
            if place.keys.isEmpty, isKnown { place.range(self[keyPath: path]?.plus, unit.limits) }
        }
        let ends = at["within"]
        guard let within, ends.isSound else { return }
        if isKnown { for (index, value) in within.enumerated() { ends[index].range(value, unit.limits) } }
        if within.count != 2 || within[0] > within[1] {
            ends.fault("expected the lowest and the highest value, in this order")
        }
    }

    /// The claim, without what names variants and tiers; nil without a limit.
    private var claim: Claim? {
        var claim = Claim(metric: metric?.metric, device: device, comparator: .within, limit: 0)
        if let within, within.count == 2 {
            (claim.limit, claim.upperLimit) = (within[0] * unit.scale, within[1] * unit.scale)
        } else if let (_, comparator, path) = Self.limits.first(where: { self[keyPath: $0.path] != nil }),
            let limit = self[keyPath: path]
        {
            (claim.comparator, claim.limit) = (comparator, (limit.plus ?? 0) * unit.scale)
            if !limit.isNumber {
                let variant = limit.variant.map { NamePattern($0) }
                claim.reference = .init(variant: variant, session: limit.session, factor: limit.times ?? 1)
            }
        } else {
            return nil
        }
        (claim.category, claim.because) = (category?.rawValue, because)
        return claim
    }

    /// Returns the target of a suite, whose tier has to be one of these.
    func target(suite: String, tiers: Set<String>, _ at: Checker) -> Claim? {
        check(Self.ofTargets, at)
        if metric == nil { at["metric"].fault("the key is missing") }
        for (key, _, _) in Self.limits where !at[key.rawValue].keys.isEmpty { at[key.rawValue].unexpected("a number") }
        if let tier, at["tier"].isSound, !tiers.contains(tier) {
            at["tier"].unknown("tier", tier, among: tiers.sorted())
        }
        at["evidence"].unique(evidence ?? []) { "\"\($0.rawValue)\"" }
        guard var target = claim else { return nil }
        (target.source, target.tier, target.except) = (source ?? "suite \(suite)", tier, except)
        (target.gates, target.gatesIfMeasured) = (gates != .no, gates == .ifMeasured ? true : nil)
        (target.machine, target.evidence, target.expectedMiss) = (machine, evidence, expectedMiss)
        return target
    }

    /// Returns the assertion of variants with these names.
    func assertion(among names: [String], _ at: Checker) -> Claim? {
        at.one(of: ["metric", "device"])
        check(Self.ofAssertions, at)
        let isOfDevice = at["device"].isGiven
        for key in isOfDevice ? ["category"] : ["devices", "session"] where at[key].isGiven {
            at[key].fault("only assertions of a \(isOfDevice ? "metric" : "device") have this key")
        }
        for (key, _, path) in Self.limits where !isOfDevice && self[keyPath: path]?.session != nil {
            at[key.rawValue]["session"].fault("only assertions of a device have this key")
        }
        if gates == .ifMeasured { at["gates"].unexpected("true or false") }
        for (index, name) in (variants?.values ?? []).enumerated() {
            check(NamePattern(name), among: names, at["variants"][index])
        }
        guard var assertion = claim else { return nil }
        assertion.variants = variants?.values.map { NamePattern($0) }
        (assertion.devices, assertion.session, assertion.gates) = (devices?.values, session, gates == .yes)
        if let pattern = assertion.reference?.variant {
            let key = Self.limits.first { $0.comparator == assertion.comparator }?.key
            let place = at[key?.rawValue ?? ""]["variant"]
            check(pattern, among: names, place)
            for name in names
            where assertion.holds(forVariant: name) && names.contains(where: { pattern.match($0) != nil }) {
                guard let other = assertion.reference(of: name), !names.contains(other) else { continue }
                place.unknown("variant", other, among: names)
            }
        }
        return assertion
    }

    private func check(_ pattern: NamePattern, among names: [String], _ at: Checker) {
        if at.isSound, !names.contains(where: { pattern.match($0) != nil }) {
            at.unknown("variant", pattern.text, among: names)
        }
    }

    /// Creates the entry of a claim as a suite shows it in full.
    init(_ claim: Claim) {
        metric = claim.metric.map(MetricName.init)
        (device, category) = (claim.device, claim.category.flatMap(SampleCategory.init))
        (tier, except, source, session) = (claim.tier, claim.except, claim.source, claim.session)
        variants = claim.variants.map { OneOrMore($0.map(\.text)) }
        devices = claim.devices.map { OneOrMore($0) }
        gates = claim.gatesIfMeasured == true ? .ifMeasured : claim.gates ? .yes : .no
        (machine, evidence) = (claim.machine, claim.evidence)
        (expectedMiss, because) = (claim.expectedMiss, claim.because)
        let limit = claim.limit / unit.scale
        if let limits = Self.limits.first(where: { $0.comparator == claim.comparator }) {
            let other = claim.reference
            self[keyPath: limits.path] = LimitEntry(
                variant: other?.variant?.text,
                session: other?.session,
                times: other?.factor,
                plus: limit
            )
        } else {
            within = [limit, (claim.upperLimit ?? claim.limit) / unit.scale]
        }
    }
}

extension SessionConditions: Checked {
    package mutating func check(_ at: Checker) {
        at["minutes"].range(minutes, 0...14_400, above: true)
        at["ambient"].range(ambient, -40...80)
        at["spine-share"].range(spineShare, 0...1, above: true)
    }
}
