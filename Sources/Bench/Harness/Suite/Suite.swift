package import Basics
package import Evaluation

package struct Suite: Sendable, Equatable {
    package var name: String
    package var description: String
    /// Folders of the datasets; empty when the command line has them.
    package var datasets: [String]
    package var variants: [Variant]
    /// Names of the variants that are omitted where they cannot run.
    package var optional: Set<String>
    package var scenarios: [Scenario]
    package var targets: [Target]
    package var repetitions: Int
    package var warmUpReadings: Int
    /// Seeds of orders and arrivals: one run for each.
    package var seeds: [UInt64]
    /// A reading that takes longer is given up.
    package var sampleTimeoutSeconds: Double
    package var startTimeoutSeconds: Double
    /// Maximum number of read samples per dataset, taken from the categories in turn; nil for all.
    package var limit: Int?
    package var percentileMethod: PercentileMethod
    package var decideBy: DecisionRule
    package var assertions: [Assertion]?
    /// Public keys whose signatures make recordings measured on a device, in base64.
    package var recordingKeys: [String] = []
}

extension Suite {
    /// Returns the suite as a self-contained file without defaults: all settings of a variant over its `base`.
    package func yaml(base: (Variant) -> String) -> String {
        var lines = ["suite: \(YAMLText.quoted(name))", "description: \(YAMLText.quoted(description))"]
        if !datasets.isEmpty { lines.append("datasets: \(YAMLText.list(datasets))") }
        lines.append("variants:")
        for variant in variants {
            lines += [
                "  - name: \(YAMLText.quoted(variant.name))", "    base: \(base(variant))",
                "    tier: \(variant.tier ?? "none")", "    gates: \(variant.gates)",
            ]
            if optional.contains(variant.name) { lines.append("    optional: true") }
            if !variant.settings.isEmpty { lines.append("    settings:") }
            lines += variant.settings.sorted { $0.key < $1.key }.map { "      \($0): \(YAMLText.quoted($1))" }
        }
        lines += ["scenarios:"] + scenarios.map { "  - \($0.yaml)" }
        lines += [
            "repetitions: \(repetitions)", "warm-up: \(warmUpReadings)",
            "seeds: \(YAMLText.list(seeds.map(\.description)))",
        ]
        if let limit { lines.append("limit: \(limit)") }
        lines += [
            "timeout: \(NumberText.short(sampleTimeoutSeconds))",
            "start-timeout: \(NumberText.short(startTimeoutSeconds))",
            "percentile: \(percentileMethod.rawValue)", "decide-by: \(decideBy.rawValue)",
        ]
        func add(_ key: String, _ entries: [String]) {
            lines += entries.isEmpty ? ["\(key): []"] : ["\(key):"] + entries.map { "  - \($0)" }
        }
        if !recordingKeys.isEmpty { lines += ["recordings:", "  keys: \(YAMLText.list(recordingKeys))"] }
        add("targets", targets.map(\.yaml))
        if let assertions { add("assert", assertions.map(\.yaml)) }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Values in the flow style of YAML.
package enum YAMLText {
    /// Returns a double-quoted scalar, where a plain one would be ambiguous.
    package static func quoted(_ text: String) -> String {
        let isPlain =
            text.allSatisfy { SuiteFile.isOfName($0) || "/+".contains($0) }
            && text.first.map { $0.isLetter || $0.isNumber } == true && text.lowercased() != "null"
        if isPlain { return text }
        let escaped = text.map { character -> String in
            switch character {
            case "\"", "\\": "\\\(character)"
            case "\n": "\\n"
            case "\t": "\\t"
            default: String(character)
            }
        }
        return "\"\(escaped.joined())\""
    }

    package static func list(_ texts: [String]) -> String { "[\(texts.map(quoted).joined(separator: ", "))]" }

    /// Returns a mapping of the keys that have a value, which is YAML itself.
    static func mapping(_ fields: [(String, String?)]) -> String {
        let texts = fields.compactMap { key, value in value.map { "\(key): \($0)" } }
        return "{ \(texts.joined(separator: ", ")) }"
    }
}

extension Scenario {
    fileprivate var yaml: String {
        let numbers: [(String, String?)] = settings.map { ($0.name, NumberText.short($0.value)) }
        return YAMLText.mapping([("kind", kind.rawValue)] + numbers)
    }
}

extension Target {
    fileprivate var yaml: String {
        let comparator = Assertion.Comparator.allCases.first { $0.targets == [self.comparator] }
        return YAMLText.mapping([
            ("metric", metric.id),
            (comparator?.rawValue ?? "", NumberText.short(limit / metric.unit.suite.scale)),
            ("tier", tier), ("except", except.map(YAMLText.list)), ("category", category),
            ("source", YAMLText.quoted(source)), ("gates", gatesIfMeasured == true ? "if-measured" : "\(gates)"),
            ("machine", machine?.rawValue), ("evidence", evidence.map { YAMLText.list($0.map(\.rawValue)) }),
            ("expected-miss", expectedMiss.map(YAMLText.quoted)),
        ])
    }
}
