import Basics
import Foundation

/// How readings are asked for, and when.
package struct Scenario: Sendable, Equatable, Codable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The next reading begins when the last one is done: latency as one user sees it.
        case single
        /// Readings arrive at random times, as if from many users; latency counts from the scheduled time.
        case server
        /// One at a time at a steady pace, as a person scans: what a reading takes on a machine that was idle in between;
        /// latency counts from the scheduled time.
        case paced
        /// Everything is there at once: throughput.
        case offline
        /// `single` for minutes: latency and memory over time.
        case soak
        /// A fresh process for each reading: what a user waits for after opening the app.
        case cold
        /// A camera's frames, aimed at one spine after the other: which are read, and what they find.
        case live
        /// MLPerf's compliance tests: accuracy in performance mode, caching, other seeds.
        case audit
    }

    /// One of each kind, as the command line has it.
    package static let examples =
        "single, server:rate=5,seconds=60, offline:lanes=2, soak:seconds=300, paced:rate=0.5, cold:readings=10, live:rate=30,readings=20, audit"

    package var kind: Kind
    /// `server`: mean arrivals a second; `paced`: readings a second (0.5); `live`: frames a second, a whole number (30).
    package var ratePerSecond: Double?
    /// `server`, `paced`, `offline` and `soak`: the least duration; 60 for a `server` that names no readings, 300 for `soak`.
    package var seconds: Double?
    /// The least number of readings of `server`, `paced` (90) and `offline` (those of `single`), the number of processes of `cold`
    /// (10), the spines of `live` (20), the most readings of `audit` (400).
    package var readings: Int?
    /// `server` and `offline`: readings at a time (1); `audit`: likewise, in the part that streams (2).
    package var lanes: Int?

    /// What makes no sense in it; nil when nothing does.
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

    /// The settings that are numbers of any kind, by their names in suites and on the command line.
    private static let numbers: [(name: String, path: any WritableKeyPath<Scenario, Double?> & Sendable)] = [
        ("rate", \.ratePerSecond), ("seconds", \.seconds),
    ]
    /// The settings that are whole numbers, likewise.
    private static let counts: [(name: String, path: any WritableKeyPath<Scenario, Int?> & Sendable)] = [
        ("readings", \.readings), ("lanes", \.lanes),
    ]

    /// The settings that it has.
    var settings: [(name: String, value: Double)] {
        Self.numbers.compactMap { setting in self[keyPath: setting.path].map { (setting.name, $0) } }
            + Self.counts.compactMap { setting in self[keyPath: setting.path].map { (setting.name, Double($0)) } }
    }

    /// Its name in reports, which tells it from others of its kind: "single", "server 5/s", "offline ×2".
    package var label: String {
        var parts = [kind.rawValue]
        if let ratePerSecond { parts.append("\(NumberText.short(ratePerSecond))/s") }
        if let lanes, lanes != 1 { parts.append("×\(lanes)") }
        return parts.joined(separator: " ")
    }
}

extension Scenario {
    /// The scenario that `text` says: a kind, and settings after a colon.
    ///
    /// "server:rate=5,seconds=60", "offline:lanes=2", "soak".
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` for what it cannot be, with what it may be.
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
            if let path = numbers.first(where: { $0.name == name })?.path {
                guard let number = Double(value) else {
                    throw problem("invalid \(name) \"\(value)\": expected a number")
                }
                scenario[keyPath: path] = number
            } else if let path = counts.first(where: { $0.name == name })?.path {
                guard let number = Int(value) else {
                    throw problem("invalid \(name) \"\(value)\": expected a whole number")
                }
                scenario[keyPath: path] = number
            }
        }
        if let message = scenario.problem { throw problem(message) }
        return scenario
    }

    /// The settings that mean something in a kind.
    private static func settings(of kind: Kind) -> [String] {
        SuiteFile.scenarioKeys.dropFirst().filter { $0.kinds.contains(kind) }.map(\.name)
    }
}

extension Scenario {
    /// How many readings there are at least: what was said, or what is usual for the kind; `single` has its own number.
    func leastReadings(single: Int) -> Int {
        switch kind {
        case .single: single
        // P95 can be claimed from so many on.
        case .server, .paced: readings ?? 90
        case .offline: readings ?? single
        case .soak: readings ?? 1
        case .cold: readings ?? 10
        case .live: readings ?? 20
        case .audit: readings ?? 400
        }
    }

    /// How long the readings go on at least.
    package var leastSeconds: Double {
        switch kind {
        case .single, .cold, .live, .audit: 0
        // As MLPerf Mobile has it, unless the number of readings was said.
        case .server: seconds ?? (readings == nil ? 60 : 0)
        case .offline, .paced: seconds ?? 0
        case .soak: seconds ?? 300
        }
    }

    /// `live`: frames a second of the camera.
    var framesPerSecond: Int { ratePerSecond.map { Int($0) } ?? 30 }

    /// When readings are due, in seconds, without end; nil where nobody waits for a time.
    func arrivals(seed: UInt64) -> AnySequence<Double>? {
        switch kind {
        case .server: AnySequence(PoissonArrivals(ratePerSecond: ratePerSecond ?? 1, seed: seed))
        case .paced: AnySequence((1...).lazy.map { [pace = ratePerSecond ?? 0.5] in Double($0) / pace })
        case .single, .offline, .soak, .cold, .live, .audit: nil
        }
    }

    /// Readings at a time; `audit`: in the part that streams.
    package var laneCount: Int { lanes ?? (kind == .audit ? 2 : 1) }
}

extension Suite {
    /// How many readings a run counts at least, over datasets of so many spines, without the warm-up; nil when a scenario
    /// runs by the clock, or as the harness sees fit.
    package func readings(samples: [Int]) -> Int? {
        let each = scenarios.map { scenario -> Int? in
            switch scenario.kind {
            case .single: samples.reduce(0) { $0 + min($1, limit ?? $1) } * repetitions
            case .server, .paced, .offline:
                scenario.seconds.map { Int($0 * (scenario.ratePerSecond ?? 0)) }.map { max($0, scenario.readings ?? 0) }
                    ?? scenario.readings
            case .cold: scenario.readings
            case .live: scenario.readings ?? 20
            case .soak, .audit: nil
            }
        }
        let known = each.compactMap(\.self)
        return known.count == each.count ? known.reduce(0, +) * variants.count * seeds.count : nil
    }
}

extension SuiteFile {
    /// Every key of a scenario that is a mapping, with one sentence on what it holds and the kinds that have it.
    package static let scenarioKeys: [(name: String, meaning: String, kinds: [Scenario.Kind])] = [
        (
            "kind", "`single`, `server`, `paced`, `offline`, `soak`, `cold`, `live` or `audit`; required.",
            Scenario.Kind.allCases
        ),
        (
            "rate",
            "Mean arrivals per second; required for `server`. Readings per second for `paced`, frames per second for `live`.",
            [.server, .paced, .live]
        ),
        ("seconds", "Minimum duration; required for `soak`.", [.server, .paced, .offline, .soak]),
        (
            "readings", "Minimum number of readings; processes for `cold`, spines for `live`.",
            [.server, .paced, .offline, .cold, .live, .audit]
        ),
        ("lanes", "Readings in parallel.", [.server, .offline, .audit]),
    ]
}
