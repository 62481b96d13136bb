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
}

extension Suite {
    /// Returns the suite as a self-contained file without defaults: all settings of a variant over its `base`.
    package func yaml(base: (Variant) -> String) -> String {
        var lines = ["suite: \(Self.quoted(name))", "description: \(Self.quoted(description))"]
        if !datasets.isEmpty { lines.append("datasets: [\(datasets.map(Self.quoted).joined(separator: ", "))]") }
        lines.append("variants:")
        for variant in variants {
            lines += [
                "  - name: \(Self.quoted(variant.name))", "    base: \(base(variant))",
                "    tier: \(variant.tier ?? "none")",
            ]
            lines.append("    gates: \(variant.gates)")
            if optional.contains(variant.name) { lines.append("    optional: true") }
            lines.append("    settings:")
            lines += variant.settings.sorted { $0.key < $1.key }.map { "      \($0): \(Self.quoted($1))" }
        }
        lines.append("scenarios:")
        lines += scenarios.map { "  - { \(Self.fields($0).joined(separator: ", ")) }" }
        lines += [
            "repetitions: \(repetitions)", "warm-up: \(warmUpReadings)",
            "seeds: [\(seeds.map(String.init).joined(separator: ", "))]",
        ]
        if let limit { lines.append("limit: \(limit)") }
        lines += [
            "timeout: \(NumberText.short(sampleTimeoutSeconds))",
            "start-timeout: \(NumberText.short(startTimeoutSeconds))",
            "percentile: \(percentileMethod.rawValue)", "decide-by: \(decideBy.rawValue)",
        ]
        lines.append(targets.isEmpty ? "targets: []" : "targets:")
        lines += targets.map { "  - { \(Self.fields($0).joined(separator: ", ")) }" }
        if let assertions {
            lines.append(assertions.isEmpty ? "assert: []" : "assert:")
            lines += assertions.map { "  - \($0.yaml(Self.quoted))" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fields(_ scenario: Scenario) -> [String] {
        ["kind: \(scenario.kind.rawValue)"] + scenario.settings.map { "\($0.name): \(NumberText.short($0.value))" }
    }

    private static func fields(_ target: Target) -> [String] {
        let comparator =
            switch target.comparator {
            case .below: "below"
            case .atMost: "at-most"
            case .above: "above"
            case .atLeast: "at-least"
            }
        var fields = [
            "metric: \(target.metric.id)",
            "\(comparator): \(NumberText.short(target.limit / target.metric.meaning.unit.suite.scale))",
        ]
        if let tier = target.tier { fields.append("tier: \(tier)") }
        if let except = target.except { fields.append("except: [\(except.joined(separator: ", "))]") }
        if let category = target.category { fields.append("category: \(category)") }
        fields += ["source: \(quoted(target.source))", "gates: \(target.gates)"]
        if let machine = target.machine { fields.append("machine: \(machine.rawValue)") }
        return fields + (target.expectedMiss.map { ["expected-miss: \(quoted($0))"] } ?? [])
    }

    /// Returns a double-quoted scalar, where a plain one would be ambiguous.
    private static func quoted(_ text: String) -> String {
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
}
