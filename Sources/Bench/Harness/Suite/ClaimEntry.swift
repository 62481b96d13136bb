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

    /// Adds the fault of a metric without a figure of its own: only two measurements have a shift.
    func checkFigure(_ at: Checker) {
        if metric == .latency, at.isSound {
            at.unknown(Self.kind, metric.id, among: Self.names.filter { $0 != metric.id })
        }
    }

    /// Limit in the form of files: its unit, its range, and the factor that converts it into the metric's unit.
    var unit: (name: String, limits: ClosedRange<Double>, scale: Double) { metric.unit.suite }
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
        }
    }
}

/// The targets of a suite's file: `standard`, or its own.
enum TargetList: Codable {
    case standard
    case own([TargetEntry])

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
            self = .own(try container.decode([TargetEntry].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .standard: try "standard".encode(to: encoder)
        case .own(let targets): try targets.encode(to: encoder)
        }
    }
}

/// Target in a suite's file.
package struct TargetEntry: Codable, Checked {
    enum Gates: String, Codable, CaseIterable {
        case yes = "true"
        case no = "false"
        case ifMeasured = "if-measured"

        func encode(to encoder: any Encoder) throws {
            if self == .ifMeasured { try rawValue.encode(to: encoder) } else { try (self == .yes).encode(to: encoder) }
        }
    }

    var metric: MetricName
    var below: Double?
    var atMost: Double?
    var atLeast: Double?
    var tier: String?
    var except: [String]?
    var category: SampleCategory?
    var source: String?
    var gates: Gates?
    var machine: Target.Machine?
    var evidence: [EvidenceClass]?
    var expectedMiss: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case metric, below
        case atMost = "at-most"
        case atLeast = "at-least"
        case tier, except, category, source, gates, machine, evidence
        case expectedMiss = "expected-miss"
    }

    private var limits: [(key: String, comparator: Target.Comparator, value: Double?)] {
        [("below", .below, below), ("at-most", .atMost, atMost), ("at-least", .atLeast, atLeast)]
    }

    package mutating func check(_ at: Checker) {
        metric.checkFigure(at["metric"])
        at.one(of: limits.map(\.key))
        if at["metric"].isSound { for limit in limits { at[limit.key].range(limit.value, metric.unit.limits) } }
        at["evidence"].unique(evidence ?? []) { "\"\($0.rawValue)\"" }
    }

    /// Returns the target, whose tier has to be one of these.
    func target(suite: String, tiers: Set<String>, _ at: Checker) -> Target? {
        if let tier, at["tier"].isSound, !tiers.contains(tier) {
            at["tier"].unknown("tier", tier, among: tiers.sorted())
        }
        guard case (_, let comparator, let value?)? = limits.first(where: { $0.value != nil }) else { return nil }
        var target = Target(
            source: source ?? "suite \(suite)",
            metric: metric.metric,
            tier: tier,
            except: except,
            category: category?.rawValue,
            comparator: comparator,
            limit: value * metric.unit.scale,
            gates: gates != .no,
            machine: machine,
            expectedMiss: expectedMiss,
            gatesIfMeasured: gates == .ifMeasured ? true : nil,
            evidence: evidence
        )
        // A suite that is shown in full states the scanner's own targets.
        if !Target.standard.contains(target) { target.isAsked = true }
        return target
    }

    init(_ target: Target) {
        metric = MetricName(target.metric)
        let limit = target.limit / metric.unit.scale
        below = target.comparator == .below ? limit : nil
        atMost = target.comparator == .atMost ? limit : nil
        atLeast = target.comparator == .atLeast ? limit : nil
        (tier, except, category) = (target.tier, target.except, target.category.flatMap(SampleCategory.init))
        (source, machine) = (target.source, target.machine)
        gates = target.gatesIfMeasured == true ? .ifMeasured : target.gates ? .yes : .no
        (evidence, expectedMiss) = (target.evidence, target.expectedMiss)
    }
}

/// Limit of an assertion: a number, or the same figure of another variant or session.
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

    init(_ limit: Double, _ reference: Assertion.Reference?) {
        (plus, variant, session) = (limit, reference?.variant?.text, reference?.session)
        times = reference?.factor
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

/// Assertion in a suite's file.
package struct AssertionEntry: Codable, Checked {
    var metric: MetricName?
    var device: DeviceMetric?
    var category: SampleCategory?
    var variants: OneOrMore<String>?
    var devices: OneOrMore<String>?
    var session: SessionConditions?
    var below: LimitEntry?
    var atMost: LimitEntry?
    var above: LimitEntry?
    var atLeast: LimitEntry?
    var equals: LimitEntry?
    var within: [Double]?
    var because: String?
    var gates: Bool?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case metric, device, category, variants, devices, session, below
        case atMost = "at-most"
        case above
        case atLeast = "at-least"
        case equals, within, because, gates
    }

    private var limits: [(comparator: Assertion.Comparator, limit: LimitEntry?)] {
        [(.below, below), (.atMost, atMost), (.above, above), (.atLeast, atLeast), (.equals, equals)]
    }

    private var unit: (name: String, limits: ClosedRange<Double>, scale: Double) {
        metric?.unit ?? (name: "", limits: 0...1e12, scale: 1)
    }

    package mutating func check(_ at: Checker) {
        at.one(of: Assertion.Comparator.allCases.map(\.rawValue))
        at.one(of: ["metric", "device"])
        metric?.checkFigure(at["metric"])
        let isOfDevice = at["device"].isGiven
        for key in isOfDevice ? ["category"] : ["devices", "session"] where at[key].isGiven {
            at[key].fault("only assertions of a \(isOfDevice ? "metric" : "device") have this key")
        }
        for (comparator, limit) in limits {
            guard let limit else { continue }
            let place = at[comparator.rawValue]
            if place.keys.isEmpty, isOfDevice || at["metric"].isSound { place.range(limit.plus, unit.limits) }
            if !isOfDevice, limit.session != nil { place["session"].fault("only assertions of a device have this key") }
        }
        let ends = at["within"]
        guard let within, ends.isSound else { return }
        if isOfDevice || at["metric"].isSound {
            for (index, value) in within.enumerated() { ends[index].range(value, unit.limits) }
        }
        if within.count != 2 || within[0] > within[1] {
            ends.fault("expected the lowest and the highest value, in this order")
        }
    }

    /// Returns the assertion of variants with these names.
    func assertion(among names: [String], _ at: Checker) -> Assertion? {
        for (index, name) in (variants?.values ?? []).enumerated() {
            check(NamePattern(name), among: names, at["variants"][index])
        }
        var assertion: Assertion
        if let within, within.count == 2 {
            assertion = Assertion(.within, within[0] * unit.scale, metric: metric?.metric, device: device)
            assertion.upperLimit = within[1] * unit.scale
        } else if case (let comparator, let limit?)? = limits.first(where: { $0.limit != nil }) {
            let number = (limit.plus ?? 0) * unit.scale
            assertion = Assertion(comparator, number, metric: metric?.metric, device: device)
            if !limit.isNumber {
                let variant = limit.variant.map { NamePattern($0) }
                assertion.reference = .init(variant: variant, session: limit.session, factor: limit.times ?? 1)
            }
        } else {
            return nil
        }
        assertion.variants = (variants?.values ?? []).map { NamePattern($0) }
        assertion.category = category?.rawValue
        assertion.devices = devices?.values ?? []
        assertion.session = session ?? SessionConditions()
        (assertion.because, assertion.gates) = (because, gates ?? false)
        if let pattern = assertion.reference?.variant {
            let place = at[assertion.comparator.rawValue]["variant"]
            check(pattern, among: names, place)
            for name in names where assertion.holds(for: name) && names.contains(where: { pattern.match($0) != nil }) {
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

    init(_ assertion: Assertion) {
        metric = assertion.metric.map(MetricName.init)
        (device, category) = (assertion.device, assertion.category.flatMap(SampleCategory.init))
        func list<Element>(_ values: [Element]) -> OneOrMore<Element>? { values.isEmpty ? nil : OneOrMore(values) }
        (variants, devices) = (list(assertion.variants.map(\.text)), list(assertion.devices))
        session = assertion.session == SessionConditions() ? nil : assertion.session
        (because, gates) = (assertion.because, assertion.gates)
        let limit = LimitEntry(assertion.limit / unit.scale, assertion.reference)
        switch assertion.comparator {
        case .below: below = limit
        case .atMost: atMost = limit
        case .above: above = limit
        case .atLeast: atLeast = limit
        case .equals: equals = limit
        case .within: within = [assertion.limit, assertion.upperLimit ?? assertion.limit].map { $0 / unit.scale }
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
