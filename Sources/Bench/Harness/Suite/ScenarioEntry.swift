package import Basics

/// Scenario in a suite's file; a list of values makes one scenario for each.
package struct ScenarioEntry: Codable, Checked {
    var kind: Scenario.Kind
    var rate: OneOrMore<Double>?
    var seconds: OneOrMore<Double>?
    var readings: OneOrMore<Int>?
    var lanes: OneOrMore<Int>?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case kind, rate, seconds, readings, lanes

        /// Kinds that have the key.
        package var kinds: [Scenario.Kind] {
            Scenario.numbers.first { $0.name == rawValue }?.kinds ?? Scenario.Kind.allCases
        }
    }

    package static var short: (key: String, name: String)? { ("kind", "the kind of a scenario") }

    init(_ scenario: Scenario) {
        kind = scenario.kind
        rate = scenario.ratePerSecond.map { OneOrMore([$0]) }
        seconds = scenario.seconds.map { OneOrMore([$0]) }
        readings = scenario.readings.map { OneOrMore([$0]) }
        lanes = scenario.lanes.map { OneOrMore([$0]) }
    }

    package mutating func check(_ at: Checker) {
        check(rate, at["rate"]) { $0.range($1, 0...10_000, above: true) }
        check(seconds, at["seconds"]) { $0.range($1, 0...86_400, above: true) }
        check(readings, at["readings"]) { $0.range($1, 1...1_000_000) }
        check(lanes, at["lanes"]) { $0.range($1, 1...256) }
        guard at["kind"].isSound else { return }
        if kind == .server && rate == nil { at.fault("the key \"rate\" is missing") }
        if kind == .soak && seconds == nil { at.fault("the key \"seconds\" is missing") }
        for key in CodingKeys.allCases where at.keys.contains(key.rawValue) && !key.kinds.contains(kind) {
            let others = key.kinds.map(\.rawValue).joined(separator: ", ")
            at[key.rawValue].fault("does not apply to the scenario \(kind.rawValue), only to \(others)")
        }
    }

    private func check<Number>(_ list: OneOrMore<Number>?, _ at: Checker, _ check: (Checker, Number) -> Void) {
        guard let list, at.isSound else { return }
        if list.values.isEmpty { at.fault("no values") }
        for (index, number) in list.values.enumerated() { check(at[index], number) }
    }

    /// Returns the scenarios of a suite's entries.
    static func scenarios(_ entries: [ScenarioEntry], _ at: Checker) -> [Scenario] {
        if at.isSound, entries.isEmpty { at.fault("no scenarios; specify at least one") }
        var scenarios: [Scenario] = []
        for (index, entry) in entries.enumerated() where at[index].isSound {
            for scenario in entry.scenarios {
                if scenarios.contains(where: { $0.label == scenario.label }) {
                    at[index].fault("duplicate scenario \"\(scenario.label)\"; reports could not distinguish them")
                }
                scenarios.append(scenario)
            }
            if scenarios.count > 100 {
                at[index].fault("makes more than 100 scenarios; expected at most 100 in a suite")
                break
            }
        }
        return scenarios
    }

    private var scenarios: [Scenario] {
        var scenarios = [Scenario(kind: kind)]
        func spread<Number>(_ list: OneOrMore<Number>?, _ path: WritableKeyPath<Scenario, Number?>) {
            guard let list else { return }
            scenarios = scenarios.prefix(101).flatMap { scenario in
                list.values.map { number in
                    var changed = scenario
                    changed[keyPath: path] = number
                    return changed
                }
            }
        }
        spread(rate, \.ratePerSecond)
        spread(seconds, \.seconds)
        spread(readings, \.readings)
        spread(lanes, \.lanes)
        return scenarios
    }
}
