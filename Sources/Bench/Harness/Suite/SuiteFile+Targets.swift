import Basics
package import Evaluation
import SpineDatasets

extension SuiteFile {
    /// The metrics that targets are set for: all but the shift, which only two measurements have.
    package static let metrics = Metric.current.filter { $0 != .latency }

    package static let targetKeys: [(name: String, meaning: String)] = [
        ("metric", "Compared metric: see below; required."),
        ("below", "Exclusive upper limit of the figure; exactly one of the three limits is required."),
        ("at-most", "Inclusive upper limit of the figure."),
        ("at-least", "Inclusive lower limit of the figure."),
        ("tier", "The only tier that it applies to. Default: all variants."),
        ("except", "Tiers that it does not apply to. Default: none."),
        (
            "category",
            "The only category of spines that it applies to: without a sample, it is not decided. Default: all."
        ),
        ("source", "Source requirement. Default: the suite."),
        (
            "gates",
            "`false` when a miss does not fail the run; `if-measured` when a figure that is only claimed does not. Default: `true`."
        ),
        (
            "machine",
            "`phone` for a limit that applies only to phones: another machine does not decide it, but the phones that are modelled "
                + "or recorded do."
        ),
        ("evidence", "Classes of evidence that decide it. Default: those of the suite."),
        ("expected-miss", "Reason of a known miss, which the report shows beside it."),
    ]

    /// Returns the targets of a suite; nil is `standard`: those of the scanner, as far as variants have the tiers.
    func targets(_ value: YAMLValue?, suite: String, tiers: Set<String>) -> [Target] {
        guard let value, value.text != "standard" else {
            return Target.standard.filter { $0.tier.map(tiers.contains) ?? true }
        }
        return value.list(expected: "standard, or a list of targets").compactMap {
            target($0, suite: suite, tiers: tiers)
        }
    }

    private func target(_ element: YAMLValue, suite: String, tiers: Set<String>) -> Target? {
        let expected = "a mapping with the key 'metric'"
        guard let fields = element.fields(Self.targetKeys.map(\.name), expected: expected) else { return nil }
        let metric = required("metric", in: fields, of: element).flatMap(metric)
        let given = [Assertion.Comparator.below, .atMost, .atLeast].filter { fields[$0.rawValue] != nil }
        if given.count != 1 {
            let found = given.isEmpty ? "none" : given.map(\.rawValue).joined(separator: " and ")
            element.fault("expected exactly one of below, at-most and at-least, found \(found)")
        }
        let tier = fields["tier"].flatMap { value -> String? in
            guard let text = value.text(expected: "a tier") else { return nil }
            if !tiers.contains(text) {
                value.fault("unknown tier \"\(text)\"; \(NearName.hint(for: text, among: tiers.sorted()))")
            }
            return text
        }
        let except = fields["except"]?.list(expected: "a list of tiers").compactMap { $0.text(expected: "a tier") }
        let expectedMiss = fields["expected-miss"].flatMap { $0.text(expected: "one sentence") }
        let category = fields["category"].flatMap { $0.choice(SampleCategory.self)?.rawValue }
        let source = fields["source"].flatMap { $0.text(expected: "a requirement") }
        let isIfMeasured = fields["gates"]?.text == "if-measured"
        let gates = isIfMeasured ? true : fields["gates"].flatMap { $0.bool() }
        let machine = fields["machine"].flatMap { $0.choice(Target.Machine.self) }
        guard let metric, given.count == 1,
            let limit = fields[given[0].rawValue]?.number(metric.unit.suite.limits)
        else { return nil }
        var target = Target(
            source: source ?? "suite \(suite)",
            metric: metric,
            tier: tier,
            except: except,
            category: category,
            comparator: given[0].targets[0],
            limit: limit * metric.unit.suite.scale,
            gates: gates ?? true,
            machine: machine,
            expectedMiss: expectedMiss,
            gatesIfMeasured: isIfMeasured ? true : nil,
            evidence: fields["evidence"].map(evidence)
        )
        // A suite that is shown in full states the scanner's own targets.
        if !Target.standard.contains(target) { target.isAsked = true }
        return target
    }

    func metric(_ value: YAMLValue) -> Metric? {
        guard let name = value.text(expected: "a metric") else { return nil }
        if let metric = Self.metrics.first(where: { $0.id == name }) { return metric }
        if let advice = Metric.advice(for: name) {
            value.fault(advice)
        } else {
            value.unknown("metric", name, among: Self.metrics.map(\.id))
        }
        return nil
    }
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
