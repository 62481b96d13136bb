package import Basics
import Foundation

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
            switch self {
            case .kind: Scenario.Kind.allCases
            case .rate: [.server, .paced, .live]
            case .seconds: [.server, .paced, .offline, .soak]
            case .readings: [.server, .paced, .offline, .cold, .live]
            case .lanes: [.server, .offline]
            }
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
        if kind == .live {
            for (index, rate) in (rate?.values ?? []).enumerated() where rate != rate.rounded() || rate > 1_000 {
                at["rate"][index].unexpected("a whole number of frames per second, 1 to 1000")
            }
        }
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

    fileprivate var scenarios: [Scenario] {
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

extension Scenario {
    /// Parses a scenario of the command line: a kind, and settings after a colon: "server:rate=5,seconds=60", "soak".
    package static func parse(_ text: String) throws(HarnessError) -> Scenario {
        func problem(_ message: String) -> HarnessError { .configuration("scenario \"\(text)\": \(message)") }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var settings = [("kind", parts[0].trimmingCharacters(in: .whitespaces))]
        for setting in parts.dropFirst().flatMap({ $0.split(separator: ",") }) {
            let pair = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2 else { throw problem("invalid setting \"\(setting)\": expected name=value") }
            if settings.contains(where: { $0.0 == pair[0] }) { throw problem("duplicate setting \"\(pair[0])\"") }
            settings.append((pair[0], pair[1]))
        }
        if settings.map(\.0) == ["kind"], settings[0].1 == Kind.soak.rawValue { settings.append(("seconds", "300")) }
        let place = LocatedNode.Place(line: 1, column: 1)
        let entries = settings.map {
            LocatedNode.Entry(key: $0, place: place, value: LocatedNode(.plain($1), place))
        }
        let faults = FaultCollector(file: text)
        do throws(Faults) {
            let node = LocatedNode(.mapping { entries }, place)
            return try LocatedDecoder.decode(ScenarioEntry.self, from: node, faults) { entry, _ in
                entry.scenarios.first ?? Scenario(kind: entry.kind)
            }
        } catch {
            throw problem(error.faults.map(\.text).joined(separator: "; "))
        }
    }
}
