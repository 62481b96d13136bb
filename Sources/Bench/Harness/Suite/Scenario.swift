import Basics
import SpineDatasets

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
        let numbers = [
            ("rate", ratePerSecond), ("seconds", seconds), ("readings", readings.map(Double.init)),
            ("lanes", lanes.map(Double.init)),
        ]
        for (name, value) in numbers {
            if let value, value <= 0 || !value.isFinite { return "invalid \(name) \(value): expected more than 0" }
        }
        return nil
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
    package func readings(samples: [Int], photos: [Int]? = nil) -> Int? {
        let each = variants.flatMap { variant in scenarios.map { (variant, $0) } }.map { variant, scenario -> Int? in
            switch scenario.kind {
            case .single:
                (variant.subject == .shelves ? photos ?? samples : samples).reduce(0) { $0 + min($1, limit ?? $1) }
                    * repetitions
            case .server, .paced, .offline:
                scenario.seconds.map { Int($0 * (scenario.ratePerSecond ?? 0)) }.map { max($0, scenario.readings ?? 0) }
                    ?? scenario.readings
            case .cold: scenario.readings
            case .live: scenario.readings ?? 20
            case .soak: nil
            }
        }
        let known = each.compactMap(\.self)
        return known.count == each.count ? known.reduce(0, +) * seeds.count : nil
    }
}
