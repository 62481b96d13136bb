import Basics
import DeviceSimulation
import Evaluation
import ScanningPolicies
import SpineDatasets

extension SuiteFile {
    package static let assertionKeys: [(name: String, meaning: String)] = [
        ("metric", "Figure of measurements: a metric from the table above; this or `device` is given."),
        ("device", "Modelled figure on devices: see below."),
        ("category", "The only category of spines that a metric is taken of; all spines unless given."),
        ("variants", "One name or a list; one `*` stands for any characters; all variants unless given."),
        ("devices", "A list of devices; all devices of the run unless given."),
        ("session", "Conditions of the simulated session, as a mapping: see below."),
        ("below", "Limit that the figure stays below; one of the six is given."),
        ("at-most", "Limit that the figure does not exceed."),
        ("above", "Limit that the figure exceeds."),
        ("at-least", "Limit that the figure reaches."),
        ("equals", "Value that the figure has."),
        ("within", "A list of the lowest and the highest value."),
        ("because", "One sentence for the report; none unless given."),
        ("gates", "`true` when missing it fails the run; `false` unless given."),
    ]

    package static let referenceKeys: [(name: String, meaning: String)] = [
        ("variant", "Variant whose same figure is the limit; `*` stands for what it stands for in `variants`."),
        ("session", "Conditions, over those of the assertion, under which the same figure is the limit."),
        ("times", "Factor of that figure; 1 unless given."),
        ("plus", "Offset that is added to the product, in the figure's unit; 0 unless given."),
    ]

    package static let sessionKeys: [(name: String, meaning: String)] = [
        ("minutes", "Length; 10 unless given."),
        ("policy", "Thermal policy: `seed-code`, `proactive`, `interval` or `none`."),
        ("gate", "`on` reads the frames that the presence gate passes, by its measured rates; `off` reads all frames."),
        ("pause", "`off` keeps the camera running when nothing new is seen."),
        ("ambient", "Temperature of the air in °C; 25 unless given."),
        ("spine-share", "Share of frames that show a spine, above 0 and up to 1."),
    ]

    func assertions(_ value: YAMLValue, variants: [String]) -> [Assertion] {
        value.list(expected: "a list of assertions").compactMap { assertion($0, variants: variants) }
    }

    private func assertion(_ element: YAMLValue, variants: [String]) -> Assertion? {
        let expected = "a mapping with the key 'metric' or 'device'"
        guard let fields = element.fields(Self.assertionKeys.map(\.name), expected: expected) else { return nil }
        let given = Assertion.Comparator.allCases.filter { fields[$0.rawValue] != nil }
        let names = Assertion.Comparator.allCases.map(\.rawValue).joined(separator: ", ")
        if given.count != 1 { element.fault("expected one of \(names); found \(given.count)") }
        let metric = fields["metric"].flatMap(metric)
        let device = fields["device"].flatMap { value -> DeviceMetric? in
            guard let name = value.text(expected: "a figure of devices") else { return nil }
            if let figure = DeviceMetric(rawValue: name) { return figure }
            value.unknown("figure of devices", name, among: DeviceMetric.allCases.map(\.rawValue))
            return nil
        }
        if (fields["metric"] == nil) == (fields["device"] == nil) {
            element.fault("expected either 'metric' or 'device'; found \(fields["metric"] == nil ? "none" : "both")")
        }
        let ofOthers = fields["device"] == nil ? ["devices", "session"] : ["category"]
        for key in ofOthers {
            fields[key]?.fault("only assertions of a \(fields["device"] == nil ? "device" : "metric") have this key")
        }
        let patterns = (fields["variants"]?.oneOrMore ?? []).compactMap { pattern($0, among: variants) }
        guard given.count == 1, let comparator = given.first, let limit = fields[comparator.rawValue],
            metric != nil || device != nil
        else { return nil }
        var assertion = Assertion(comparator, 0, metric: metric, device: device)
        assertion.variants = patterns
        assertion.category = fields["category"].flatMap { $0.choice(SampleCategory.self)?.rawValue }
        assertion.devices = (fields["devices"]?.oneOrMore ?? []).compactMap { $0.text(expected: "a device") }
        assertion.session = fields["session"].map(session) ?? SessionConditions()
        assertion.because = fields["because"].flatMap { $0.text(expected: "one sentence") }
        assertion.gates = fields["gates"].flatMap { $0.bool() } ?? false
        return self.limit(limit, of: assertion, variants: variants)
    }

    private func limit(_ value: YAMLValue, of assertion: Assertion, variants: [String]) -> Assertion? {
        var assertion = assertion
        let unit = assertion.metric?.unit.suite ?? (name: "", limits: 0...1e12, scale: 1)
        if assertion.comparator == .within {
            let ends = value.list(expected: "a list of two numbers").map { $0.number(unit.limits) }
            guard ends.count == 2, let low = ends[0], let high = ends[1], low <= high else {
                value.fault("expected the lowest and the highest value, in this order")
                return nil
            }
            (assertion.limit, assertion.upperLimit) = (low * unit.scale, high * unit.scale)
            return assertion
        }
        if value.text != nil {
            guard let number = value.number(unit.limits) else { return nil }
            assertion.limit = number * unit.scale
            return assertion
        }
        guard let fields = value.fields(Self.referenceKeys.map(\.name), expected: "a number, or a mapping") else {
            return nil
        }
        if fields["variant"] == nil, fields["session"] == nil {
            value.fault("expected the key 'variant' or 'session'")
        }
        if assertion.device == nil { fields["session"]?.fault("only assertions of a device have this key") }
        let factor = fields["times"].flatMap { $0.number(0...1e12, above: true) } ?? 1
        assertion.limit = (fields["plus"].flatMap { $0.number(-1e12...1e12) } ?? 0) * unit.scale
        assertion.reference = Assertion.Reference(
            variant: fields["variant"].flatMap { pattern($0, among: variants) },
            session: fields["session"].map(session),
            factor: factor
        )
        if let place = fields["variant"] {
            for variant in variants where assertion.holds(for: variant) {
                guard let other = assertion.reference(of: variant), !variants.contains(other) else { continue }
                if let pattern = assertion.reference?.variant, pattern.hasStar || variants.contains(pattern.text) {
                    place.unknown("variant", other, among: variants)
                }
            }
        }
        return assertion
    }

    private func pattern(_ value: YAMLValue, among variants: [String]) -> NamePattern? {
        guard let text = value.text(expected: "a variant's name") else { return nil }
        let pattern = NamePattern(text)
        if !variants.contains(where: { pattern.match($0) != nil }) { value.unknown("variant", text, among: variants) }
        return pattern
    }

    private func session(_ value: YAMLValue) -> SessionConditions {
        var conditions = SessionConditions()
        guard let fields = value.fields(Self.sessionKeys.map(\.name), expected: "a mapping") else { return conditions }
        func isOn(_ key: String) -> Bool? { fields[key].flatMap { $0.choice(Switch.self) }.map { $0 == .on } }
        conditions.minutes = fields["minutes"].flatMap { $0.number(0...14_400, above: true) }
        conditions.thermalPolicy = fields["policy"].flatMap { $0.choice(ThermalPolicy.self) }
        (conditions.gate, conditions.pause) = (isOn("gate"), isOn("pause"))
        conditions.ambient = fields["ambient"].flatMap { $0.number(-40...80) }
        conditions.spineShare = fields["spine-share"].flatMap { $0.number(0...1, above: true) }
        return conditions
    }

    private enum Switch: String, CaseIterable { case on, off }
}

extension Assertion {
    var yaml: String {
        let scale = metric?.unit.suite.scale ?? 1
        func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : YAMLText.list(texts) }
        var limit = NumberText.short(self.limit / scale)
        if let upperLimit { limit = "[\(limit), \(NumberText.short(upperLimit / scale))]" }
        if let reference {
            limit = YAMLText.mapping([
                ("variant", reference.variant.map { YAMLText.quoted($0.text) }), ("session", reference.session?.yaml),
                ("times", NumberText.short(reference.factor)), ("plus", limit),
            ])
        }
        return YAMLText.mapping([
            ("metric", metric?.id), ("device", device?.rawValue), ("category", category),
            ("variants", list(variants.map(\.text))), ("devices", list(devices)),
            ("session", session == SessionConditions() ? nil : session.yaml), (comparator.rawValue, limit),
            ("because", because.map(YAMLText.quoted)), ("gates", "\(gates)"),
        ])
    }
}

extension SessionConditions {
    fileprivate var yaml: String {
        func word(_ isOn: Bool) -> String { isOn ? "on" : "off" }
        return YAMLText.mapping([
            ("minutes", minutes.map(NumberText.short)), ("policy", thermalPolicy?.rawValue), ("gate", gate.map(word)),
            ("pause", pause.map(word)), ("ambient", ambient.map(NumberText.short)),
            ("spine-share", spineShare.map(NumberText.short)),
        ])
    }
}
