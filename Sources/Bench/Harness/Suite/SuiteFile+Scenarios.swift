extension SuiteFile {
    /// Returns the scenarios of a list; a list of values makes one scenario for each.
    func scenarios(_ value: YAMLValue) -> [Scenario] {
        let elements = value.list(expected: "a list of scenarios")
        if elements.isEmpty, value.elements != nil { value.fault("no scenarios; specify at least one") }
        var scenarios: [Scenario] = []
        for element in elements {
            for scenario in self.scenario(element) {
                if scenarios.contains(where: { $0.label == scenario.label }) {
                    element.fault("duplicate scenario \"\(scenario.label)\"; reports could not distinguish them")
                }
                scenarios.append(scenario)
            }
            if scenarios.count > 100 {
                element.fault("makes more than 100 scenarios; expected at most 100 in a suite")
                break
            }
        }
        return scenarios
    }

    private func scenario(_ element: YAMLValue) -> [Scenario] {
        let kindValue: YAMLValue
        var fields: [String: YAMLValue] = [:]
        if element.text != nil {
            kindValue = element
        } else {
            let expected = "the kind of a scenario, or a mapping with the key 'kind'"
            guard let found = element.fields(Self.scenarioKeys.map(\.name), expected: expected),
                let value = required("kind", in: found, of: element)
            else { return [] }
            (kindValue, fields) = (value, found)
        }
        guard let kind = kindValue.choice(Scenario.Kind.self) else { return [] }
        for (name, _, kinds) in Self.scenarioKeys where !kinds.contains(kind) {
            let others = kinds.map(\.rawValue).joined(separator: ", ")
            fields[name]?.fault("does not apply to the scenario \(kind.rawValue), only to \(others)")
        }
        if kind == .server { _ = required("rate", in: fields, of: element) }
        if kind == .soak { _ = required("seconds", in: fields, of: element) }
        var scenarios = [Scenario(kind: kind)]
        for number in Scenario.numbers {
            guard let value = fields[number.name] else { continue }
            if value.oneOrMore.isEmpty { value.fault("no values") }
            let values = value.oneOrMore.compactMap { value in
                number.isWhole
                    ? value.integer(1...Int(number.most)).map(Double.init) : value.number(0...number.most, above: true)
            }
            scenarios = scenarios.prefix(100).flatMap { scenario in
                values.map { value in
                    var changed = scenario
                    number.set(&changed, value)
                    return changed
                }
            }
        }
        return scenarios
    }
}
