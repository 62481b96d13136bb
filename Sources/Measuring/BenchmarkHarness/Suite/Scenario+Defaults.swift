extension Scenario {
    /// How many readings there are at least, where nothing else says so.
    ///
    /// - Parameter single: how many `single` has.
    /// - Returns: what was said, or what is usual for the kind.
    func leastReadings(single: Int) -> Int {
        switch kind {
        case .single: single
        // P95 can be claimed from so many on.
        case .server: readings ?? 90
        case .offline: readings ?? single
        case .soak: readings ?? 1
        case .cold: readings ?? 10
        case .live: readings ?? 20
        case .audit: readings ?? 400
        }
    }

    /// How long the readings go on at least.
    var leastSeconds: Double {
        switch kind {
        case .single, .cold, .live, .audit: 0
        // As MLPerf Mobile has it, unless the number of readings was said.
        case .server: seconds ?? (readings == nil ? 60 : 0)
        case .offline: seconds ?? 0
        case .soak: seconds ?? 300
        }
    }

    /// `live`: frames a second of the camera.
    var framesPerSecond: Int { ratePerSecond.map { Int($0) } ?? 30 }

    /// Readings at a time; `audit`: in the part that streams.
    var laneCount: Int { lanes ?? (kind == .audit ? 2 : 1) }
}
