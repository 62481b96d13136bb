import Basics
import Foundation

package struct Scenario: Sendable, Equatable, Codable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The next reading begins when the last one is done: latency as one user sees it.
        case single
        /// Readings arrive at random times, as if from many users; latency counts from the scheduled time.
        case server
        /// Readings one at a time at a steady pace, as a person scans: the latency on a machine that was idle in
        /// between, from the scheduled time.
        case paced
        /// Everything is there at once: throughput.
        case offline
        /// `single` for minutes: latency and memory over time.
        case soak
        /// Fresh process for each reading: the wait of a user after opening the app.
        case cold
        /// Camera's frames, aimed at one spine after the other: the read ones, and their results.
        case live
    }

    package static let examples =
        "single, server:rate=5,seconds=60, offline:lanes=2, soak:seconds=300, paced:rate=0.5, cold:readings=10, live:rate=30,readings=20"

    package var kind: Kind
    /// `server`: mean arrivals a second; `paced`: readings a second (0.5); `live`: frames a second, a whole number
    /// (30).
    package var ratePerSecond: Double?
    /// `server`, `paced`, `offline` and `soak`: the least duration; 60 for a `server` that names no readings, 300 for
    /// `soak`.
    package var seconds: Double?
    /// The least number of readings of `server`, `paced` (90) and `offline` (those of `single`), the number of
    /// processes of `cold` (10) and the spines of `live` (20).
    package var readings: Int?
    /// `server` and `offline`: readings at a time (1).
    package var lanes: Int?

    /// Contradiction in the settings; nil for valid ones.
    package var problem: String? {
        if kind == .server && ratePerSecond == nil {
            return "a rate is required: the mean number of arrivals per second"
        }
        if kind == .live, let rate = ratePerSecond, rate != rate.rounded() || !(1...1_000).contains(rate) {
            return "invalid rate \(NumberText.short(rate)): expected a whole number of frames per second, 1 to 1000"
        }
        if let rate = ratePerSecond, rate > 10_000 { return "invalid rate \(rate): expected at most 10000" }
        return settings.first { $0.value <= 0 || !$0.value.isFinite }.map {
            "invalid \($0.name) \($0.value): expected more than 0"
        }
    }

    /// A number of a scenario, by its name in suites and on the command line.
    struct Number: Sendable {
        let name: String
        let kinds: [Kind]
        var isWhole = false
        let get: @Sendable (Scenario) -> Double?
        let set: @Sendable (inout Scenario, Double) -> Void
    }

    static let numbers = [
        Number(name: "rate", kinds: [.server, .paced, .live], get: \.ratePerSecond) { $0.ratePerSecond = $1 },
        Number(name: "seconds", kinds: [.server, .paced, .offline, .soak], get: \.seconds) { $0.seconds = $1 },
        whole("readings", [.server, .paced, .offline, .cold, .live], \.readings),
        whole("lanes", [.server, .offline], \.lanes),
    ]

    private static func whole(
        _ name: String,
        _ kinds: [Kind],
        _ path: any WritableKeyPath<Scenario, Int?> & Sendable
    ) -> Number {
        let get: @Sendable (Scenario) -> Double? = { $0[keyPath: path].map(Double.init) }
        return Number(name: name, kinds: kinds, isWhole: true, get: get) { $0[keyPath: path] = Int($1) }
    }

    var settings: [(name: String, value: Double)] {
        Self.numbers.compactMap { number in number.get(self).map { (number.name, $0) } }
    }

    /// Name in reports, which is unique among scenarios of its kind: "single", "server 5/s", "offline ×2".
    package var label: String {
        var parts = [kind.rawValue]
        if let ratePerSecond { parts.append("\(NumberText.short(ratePerSecond))/s") }
        if let lanes, lanes != 1 { parts.append("×\(lanes)") }
        return parts.joined(separator: " ")
    }
}

extension Scenario {
    /// Parses a scenario: a kind, and settings after a colon: "server:rate=5,seconds=60", "offline:lanes=2", "soak".
    package static func parse(_ text: String) throws(HarnessError) -> Scenario {
        func problem(_ message: String) -> HarnessError { .configuration("scenario \"\(text)\": \(message)") }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let kind = Kind(rawValue: parts[0].trimmingCharacters(in: .whitespaces)) else {
            let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw problem("unknown kind \"\(parts[0])\"; expected one of \(kinds)")
        }
        var scenario = Scenario(kind: kind)
        var seen: Set<String> = []
        for setting in parts.dropFirst().flatMap({ $0.split(separator: ",") }) {
            let pair = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2 else { throw problem("invalid setting \"\(setting)\": expected name=value") }
            let (name, value) = (pair[0], pair[1])
            guard settings(of: kind).contains(name) else {
                let names = settings(of: kind)
                let known = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
                throw problem("unknown setting \"\(name)\" of \(kind.rawValue); \(known)")
            }
            guard seen.insert(name).inserted else { throw problem("duplicate setting \"\(name)\"") }
            guard let setting = numbers.first(where: { $0.name == name }) else { continue }
            guard let number = setting.isWhole ? Int(value).map(Double.init) : Double(value) else {
                let expected = setting.isWhole ? "a whole number" : "a number"
                throw problem("invalid \(name) \"\(value)\": expected \(expected)")
            }
            setting.set(&scenario, number)
        }
        if let message = scenario.problem { throw problem(message) }
        return scenario
    }

    private static func settings(of kind: Kind) -> [String] {
        numbers.filter { $0.kinds.contains(kind) }.map(\.name)
    }
}

extension Scenario {
    /// Returns the minimum number of readings: the specified one, or the kind's default; `single` has its own number.
    func leastReadings(single: Int) -> Int {
        switch kind {
        case .single: single
        // P95 requires at least this number of readings.
        case .server, .paced: readings ?? 90
        case .offline: readings ?? single
        case .soak: readings ?? 1
        case .cold: readings ?? 10
        case .live: readings ?? 20
        }
    }

    package var leastSeconds: Double {
        switch kind {
        case .single, .cold, .live: 0
        // Default of MLPerf Mobile, unless the number of readings was specified.
        case .server: seconds ?? (readings == nil ? 60 : 0)
        case .offline, .paced: seconds ?? 0
        case .soak: seconds ?? 300
        }
    }

    var framesPerSecond: Int { ratePerSecond.map { Int($0) } ?? 30 }

    /// Returns the due times of readings, in seconds, without end; nil for unscheduled ones.
    func arrivals(seed: UInt64) -> AnySequence<Double>? {
        switch kind {
        case .server: AnySequence(PoissonArrivals(ratePerSecond: ratePerSecond ?? 1, seed: seed))
        case .paced: AnySequence((1...).lazy.map { [pace = ratePerSecond ?? 0.5] in Double($0) / pace })
        case .single, .offline, .soak, .cold, .live: nil
        }
    }

    /// Readings at a time.
    package var laneCount: Int { lanes ?? 1 }
}

extension Suite {
    /// Returns the minimum number of counted readings of a run, over datasets with these numbers of spines, without
    /// the warm-up; nil when a scenario runs by the clock, or as the harness decides.
    package func readings(samples: [Int]) -> Int? {
        let each = scenarios.map { scenario -> Int? in
            switch scenario.kind {
            case .single: samples.reduce(0) { $0 + min($1, limit ?? $1) } * repetitions
            case .server, .paced, .offline:
                scenario.seconds.map { Int($0 * (scenario.ratePerSecond ?? 0)) }.map { max($0, scenario.readings ?? 0) }
                    ?? scenario.readings
            case .cold: scenario.readings
            case .live: scenario.readings ?? 20
            case .soak: nil
            }
        }
        let known = each.compactMap(\.self)
        return known.count == each.count ? known.reduce(0, +) * variants.count * seeds.count : nil
    }
}
