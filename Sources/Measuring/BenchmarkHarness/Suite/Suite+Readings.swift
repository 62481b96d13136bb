extension Suite {
    /// How many readings a run counts at least, over datasets of so many spines.
    ///
    /// - Parameter samples: Spines of each dataset.
    /// - Returns: Without the warm-up; nil when a scenario runs by the clock, or as the harness sees fit.
    package func readings(samples: [Int]) -> Int? {
        let each = scenarios.map { scenario -> Int? in
            switch scenario.kind {
            case .single: samples.reduce(0) { $0 + min($1, limit ?? $1) } * repetitions
            case .server, .offline:
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
