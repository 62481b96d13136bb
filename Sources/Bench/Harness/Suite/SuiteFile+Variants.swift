import Basics

extension SuiteFile {
    package static let variantKeys: [(name: String, meaning: String)] = [
        ("base", "The base whose settings it inherits; required."),
        ("name", "Name; `{key}` is replaced by a setting's value. Default: the base and the matrix."),
        ("tier", "The tier whose targets apply to it, or `none`. Default: the base's tier."),
        ("gates", "`true` or `false`: whether its missed targets fail the run. Default: by the key `gate`."),
        (
            "optional",
            "`true` to skip it where it cannot run; if it gates, the run is then not decided. Default: `false`."
        ),
        ("settings", "Settings by their keys, overriding the base's."),
        (
            "matrix",
            "Lists of values by the settings' keys: one variant for each combination, the last key changing first."
        ),
    ]

    static let variantLimit = 200

    /// Returns the variants of a list, expanded and with every setting; `optional` takes up the names of some.
    func variants(_ value: YAMLValue, gate: YAMLValue?, optional: inout Set<String>) -> [Variant] {
        let elements = value.list(expected: "a list of variants")
        if elements.isEmpty, value.elements != nil { value.fault("no variants; specify at least one") }
        var variants: [Variant] = []
        var places: [String: SuitePlace] = [:]
        var stated: [String: Bool] = [:]
        for element in elements {
            guard let draft = draft(element) else { continue }
            guard variants.count + draft.count <= Self.variantLimit else {
                element.fault(
                    "makes more than \(Self.variantLimit) variants; expected at most \(Self.variantLimit) in a suite"
                )
                break
            }
            for variant in draft.combinations.compactMap({ self.variant(draft, $0) }) {
                if let first = places[variant.name] {
                    let problem = "duplicate variant \"\(variant.name)\", first defined in line \(first.line)"
                    faults.add("\(problem); expected a distinct 'name'", at: element.place)
                }
                places[variant.name] = element.place
                stated[variant.name] = draft.gates
                if draft.isOptional { optional.insert(variant.name) }
                variants.append(variant)
            }
        }
        return gated(variants, by: gate, stated: stated)
    }

    private func gated(_ variants: [Variant], by gate: YAMLValue?, stated: [String: Bool]) -> [Variant] {
        guard let gate else { return variants }
        var variants = variants
        for element in gate.list(expected: "a list of variants") {
            guard let name = element.text(expected: "a variant's name") else { continue }
            guard let index = variants.firstIndex(where: { $0.name == name }) else {
                element.unknown("variant", name, among: variants.map(\.name))
                continue
            }
            if stated[name] == false { element.fault("the variant \"\(name)\" itself has 'gates: false'") }
            variants[index].gates = true
        }
        return variants
    }

    // MARK: One element

    private struct Draft {
        var value: YAMLValue
        var base: VariantCatalogue.Base
        var tier: String?
        var gates: Bool?
        var isOptional = false
        /// Name with `{key}` for values; nil for the base's name and the matrix's values.
        var name: YAMLValue?
        var settings: [Setting]
        var matrix: [[Setting]]

        /// Number of variants that it makes; more than the limit for any number beyond it.
        var count: Int { matrix.reduce(1) { min($0, SuiteFile.variantLimit + 1) * $1.count } }

        var combinations: [[Setting]] {
            matrix.reduce([settings]) { combinations, values in
                combinations.flatMap { combination in values.map { combination + [$0] } }
            }
        }
    }

    private struct Setting {
        var key: String
        var text: String
        var places: (key: SuitePlace, value: SuitePlace)
    }

    private func draft(_ element: YAMLValue) -> Draft? {
        if let name = element.text {
            return base(name, at: element).map {
                Draft(value: element, base: $0, tier: $0.tier, settings: [], matrix: [])
            }
        }
        let expected = "the name of a base, or a mapping with the key 'base'"
        guard let fields = element.fields(Self.variantKeys.map(\.name), expected: expected),
            let baseValue = required("base", in: fields, of: element)
        else { return nil }
        let base = baseValue.text(expected: "the name of a base").flatMap { self.base($0, at: baseValue) }
        let tier = fields["tier"].map(self.tier)
        let gates = fields["gates"].flatMap { $0.bool() }
        let isOptional = fields["optional"].flatMap { $0.bool() } ?? false
        let settings = (fields["settings"]?.entries(expected: "a mapping of settings") ?? []).compactMap { entry in
            setting(entry, entry.value)
        }
        let matrix = matrix(fields["matrix"], besides: settings)
        guard let base else { return nil }
        return Draft(
            value: element,
            base: base,
            tier: tier ?? base.tier,
            gates: gates,
            isOptional: isOptional,
            name: fields["name"],
            settings: settings,
            matrix: matrix
        )
    }

    private func base(_ name: String, at value: YAMLValue) -> VariantCatalogue.Base? {
        if let base = catalogue.base(name) { return base }
        value.unknown("base", name, among: catalogue.bases.map(\.name))
        return nil
    }

    private func tier(_ value: YAMLValue) -> String? {
        let tiers = catalogue.bases.compactMap(\.tier).reduce(into: ["none"]) { if !$0.contains($1) { $0.append($1) } }
        guard let text = value.text(expected: "a tier") else { return nil }
        if !tiers.contains(text) { value.unknown("tier", text, among: tiers) }
        return tiers.dropFirst().contains(text) ? text : nil
    }

    private func setting(_ entry: YAMLValue.Entry, _ value: YAMLValue) -> Setting? {
        guard let text = value.text(expected: "a value") else { return nil }
        return Setting(key: entry.key, text: text, places: (entry.place, value.place))
    }

    private func matrix(_ value: YAMLValue?, besides settings: [Setting]) -> [[Setting]] {
        guard let entries = value?.entries(expected: "a mapping of lists") else { return [] }
        return entries.map { entry in
            if settings.contains(where: { $0.key == entry.key }) {
                faults.add("\"\(entry.key)\" is also among the settings; expected it in one place", at: entry.place)
            }
            let elements = entry.value.list(expected: "a list of values")
            if elements.isEmpty, entry.value.elements != nil { entry.value.fault("no values") }
            return elements.compactMap { setting(entry, $0) }
        }
    }

    // MARK: One variant

    private func variant(_ draft: Draft, _ settings: [Setting]) -> Variant? {
        let name = name(draft, settings)
        do {
            let overrides = Dictionary(settings.map { ($0.key, $0.text) }) { first, _ in first }
            let all = try catalogue.resolve(draft.base.name, overrides)
            return name.map { Variant(name: $0, tier: draft.tier, gates: draft.gates ?? false, settings: all) }
        } catch {
            for fault in error.faults {
                let setting = settings.first { $0.key == fault.key }
                let place = fault.isOfKey ? setting?.places.key : setting?.places.value
                let key = setting == nil ? "\(fault.key): " : ""
                faults.add(key + fault.problem, at: place ?? draft.value.place)
            }
            return nil
        }
    }

    private func name(_ draft: Draft, _ settings: [Setting]) -> String? {
        func part(_ text: String) -> String { String(text.map { Self.isOfName($0) ? $0 : "-" }) }
        guard let value = draft.name else {
            let keys = settings.dropFirst(draft.settings.count)
            return ([draft.base.name] + keys.map { part($0.text) }).joined(separator: "-")
        }
        guard var name = value.text(expected: "a name") else { return nil }
        for setting in settings { name = name.replacing("{\(setting.key)}", with: part(setting.text)) }
        if let unknown = name.firstMatch(of: /\{([^{}]*)\}/) {
            let keys = settings.map(\.key)
            value.fault("unknown setting {\(unknown.1)}; \(NearName.hint(for: String(unknown.1), among: keys))")
            return nil
        }
        guard Self.isName(name) else {
            value.unexpected("letters, digits, '-', '_', '.' and {setting}")
            return nil
        }
        return name
    }
}
