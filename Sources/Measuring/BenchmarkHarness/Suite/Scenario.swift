/// How readings are asked for, and when.
package struct Scenario: Sendable, Equatable, Codable {
    /// The kinds of scenarios.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The next reading begins when the last one is done: latency as one user sees it.
        case single
        /// Readings arrive at random times, as if from many users; latency counts from the scheduled time.
        case server
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

    package var kind: Kind
    /// `server`: mean arrivals a second; `live`: frames a second, a whole number (30).
    package var ratePerSecond: Double?
    /// `server`, `offline` and `soak`: the least duration; 60 for a `server` that names no readings, 300 for `soak`.
    package var seconds: Double?
    /// The least number of readings of `server` (90) and `offline` (those of `single`), the number of processes of `cold`
    /// (10), the spines of `live` (20), the most readings of `audit` (400).
    package var readings: Int?
    /// `server` and `offline`: readings at a time (1); `audit`: likewise, in the part that streams (2).
    package var lanes: Int?
    /// `offline`: pictures a query, which is done when all of them are, and the next one begins then; nil for one query of
    /// everything.
    package var batch: Int?

    package init(
        _ kind: Kind,
        ratePerSecond: Double? = nil,
        seconds: Double? = nil,
        readings: Int? = nil,
        lanes: Int? = nil,
        batch: Int? = nil
    ) {
        self.kind = kind
        self.ratePerSecond = ratePerSecond
        self.seconds = seconds
        self.readings = readings
        self.lanes = lanes
        self.batch = batch
    }

    /// What makes no sense in it; nil when nothing does.
    package var problem: String? {
        func positive(_ value: Double?, _ name: String) -> String? {
            value.map { $0 > 0 && $0.isFinite ? nil : "\(name) is \($0); expected more than 0" } ?? nil
        }
        if kind == .server && ratePerSecond == nil { return "it needs a rate, the mean of arrivals a second" }
        if kind == .live, let rate = ratePerSecond, rate != rate.rounded() || !(1...1_000).contains(rate) {
            return "rate is \(NumberText.short(rate)); expected a whole number of frames a second, 1 to 1000"
        }
        return positive(ratePerSecond, "rate") ?? positive(seconds, "seconds")
            ?? positive(readings.map(Double.init), "readings") ?? positive(lanes.map(Double.init), "lanes")
            ?? positive(batch.map(Double.init), "batch")
    }

    /// Its name in reports, which tells it from others of its kind: "single", "server 5/s", "offline ×2".
    package var label: String {
        var parts = [kind.rawValue]
        if let ratePerSecond { parts.append("\(NumberText.short(ratePerSecond))/s") }
        if let batch, batch != 1 { parts.append("batch \(batch)") }
        if let lanes, lanes != 1 { parts.append("×\(lanes)") }
        return parts.joined(separator: " ")
    }
}
