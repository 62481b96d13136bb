package import Basics

/// Variants in a suite's file: one of a base with settings, or one for each combination of a matrix.
package struct VariantEntry: Codable, Checked {
    var base: String
    var name: String?
    var tier: String?
    var gates: Bool?
    var optional: Bool?
    var settings: [String: String]?
    var matrix: [String: [String]]?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case base, name, tier, gates, optional, settings, matrix
    }

    package static var short: (key: String, name: String)? { ("base", "the name of a base") }
    package static var others: String? { "settings" }

    package mutating func check(_ at: Checker) {
        for (key, values) in matrix ?? [:] {
            let place = at["matrix"][key]
            if settings?[key] != nil {
                place.faultOfKey("\"\(key)\" is also among the settings; expected it in one place")
            }
            if place.isSound, values.isEmpty { place.fault("no values") }
        }
    }

    init(_ variant: Variant, base: String, isOptional: Bool) {
        (self.base, name, tier) = (base, variant.name, variant.tier ?? "none")
        (gates, optional) = (variant.gates, isOptional ? true : nil)
        settings = variant.settings.isEmpty ? nil : variant.settings
    }
}

/// Variants of a suite while its entries are read.
struct VariantExpansion {
    static let limit = 200

    let catalogue: VariantCatalogue
    private(set) var variants: [Variant] = []
    private(set) var optional: Set<String> = []
    private var places: [String: LocatedNode.Place] = [:]
    /// Names of the variants that state that they do not gate.
    private var ungated: Set<String> = []

    init(catalogue: VariantCatalogue) { self.catalogue = catalogue }

    private struct Setting {
        var key: String
        var text: String
        /// Places of its key's value and of its own, which is one of a list in a matrix.
        var keyAt: Checker
        var at: Checker
    }

    mutating func add(_ entry: VariantEntry, _ at: Checker) {
        let tier = tier(entry.tier, at["tier"])
        guard at["base"].isSound else { return }
        guard let base = catalogue.base(entry.base) else {
            return at["base"].unknown("base", entry.base, among: catalogue.bases.map(\.name))
        }
        // The order of the file decides the order of combinations, which a dictionary does not know.
        let settings = at["settings"].keys.compactMap { key in
            entry.settings?[key].map {
                Setting(key: key, text: $0, keyAt: at["settings"][key], at: at["settings"][key])
            }
        }.filter(\.at.isSound)
        let matrix = at["matrix"].keys.map { key in
            (entry.matrix?[key] ?? []).enumerated().map { index, text in
                Setting(key: key, text: text, keyAt: at["matrix"][key], at: at["matrix"][key][index])
            }.filter(\.at.isSound)
        }
        let count = matrix.reduce(1) { min($0, Self.limit + 1) * $1.count }
        guard variants.count + count <= Self.limit else {
            return at.fault("makes more than \(Self.limit) variants; expected at most \(Self.limit) in a suite")
        }
        let combinations = matrix.reduce([settings]) { combinations, values in
            combinations.flatMap { combination in values.map { combination + [$0] } }
        }
        for combination in combinations {
            let name = name(entry, combination, besides: settings.count, at["name"])
            guard let all = resolve(base.name, combination, at), let name else { continue }
            if let first = places.updateValue(at.place, forKey: name) {
                let problem = "duplicate variant \"\(name)\", first defined in line \(first.line)"
                at.fault("\(problem); expected a distinct 'name'")
            }
            if entry.gates == false { ungated.insert(name) }
            if entry.optional == true { optional.insert(name) }
            var variant = Variant(name: name, tier: entry.tier == nil ? base.tier : tier, settings: all)
            variant.gates = entry.gates ?? false
            variants.append(variant)
        }
    }

    /// Makes variants gate by their names.
    mutating func gate(_ names: [String], _ at: Checker) {
        for (place, name) in names.enumerated() where at[place].isSound {
            if let index = variants.firstIndex(where: { $0.name == name }) {
                if ungated.contains(name) { at[place].fault("the variant \"\(name)\" itself has 'gates: false'") }
                variants[index].gates = true
            } else {
                at[place].unknown("variant", name, among: variants.map(\.name))
            }
        }
    }

    private func tier(_ text: String?, _ at: Checker) -> String? {
        guard let text, at.isSound else { return nil }
        let tiers = catalogue.bases.compactMap(\.tier).reduce(into: ["none"]) { if !$0.contains($1) { $0.append($1) } }
        if !tiers.contains(text) { at.unknown("tier", text, among: tiers) }
        return text == "none" ? nil : text
    }

    /// Returns all settings of a combination over its base's.
    private func resolve(_ base: String, _ settings: [Setting], _ at: Checker) -> [String: String]? {
        do {
            return try catalogue.resolve(base, Dictionary(settings.map { ($0.key, $0.text) }) { first, _ in first })
        } catch {
            for fault in error.faults {
                guard let setting = settings.first(where: { $0.key == fault.key }) else {
                    at.fault("\(fault.key): \(fault.problem)")
                    continue
                }
                if fault.isOfKey { setting.keyAt.faultOfKey(fault.problem) } else { setting.at.fault(fault.problem) }
            }
            return nil
        }
    }

    private func name(_ entry: VariantEntry, _ settings: [Setting], besides count: Int, _ at: Checker) -> String? {
        func part(_ text: String) -> String { String(text.map { SuiteFile.isOfName($0) ? $0 : "-" }) }
        guard var name = entry.name else {
            return ([entry.base] + settings.dropFirst(count).map { part($0.text) }).joined(separator: "-")
        }
        guard at.isSound else { return nil }
        for setting in settings { name = name.replacing("{\(setting.key)}", with: part(setting.text)) }
        if let unknown = name.firstMatch(of: /\{([^{}]*)\}/) {
            let hint = NearName.hint(for: String(unknown.1), among: settings.map(\.key))
            at.fault("unknown setting {\(unknown.1)}; \(hint)")
            return nil
        }
        guard SuiteFile.isName(name) else {
            at.unexpected("letters, digits, '-', '_', '.' and {setting}")
            return nil
        }
        return name
    }
}
