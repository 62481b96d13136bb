package import ScanningPolicies

/// Summary of a simulated session.
package struct SessionSummary: Sendable, Equatable, Codable {
    /// Time that it reached, in s.
    package var seconds: Double
    /// Of the battery, by the energy model and by the seed's formula.
    package var percent: Double
    package var seedPercent: Double
    package var energy: EnergyUse
    package var worstState: ThermalState
    /// At its end, in °C.
    package var skin: Double
    package var chip: Double
    package var reads: Int
    package var books: Int
    package var booksPerPercent: Double?
    /// Readings in the first and the last whole minute, and the P95 of their latency in ms.
    package var firstReads: Int
    package var lastReads: Int
    package var firstP95: Double?
    package var lastP95: Double?

    /// In short.
    init(_ outcome: SessionOutcome) {
        seconds = outcome.seconds
        percent = outcome.percent
        seedPercent = outcome.seedPercent
        energy = outcome.energy
        worstState = outcome.worstState
        skin = outcome.skin
        chip = outcome.chip
        reads = outcome.counts.read
        books = outcome.books
        booksPerPercent = outcome.booksPerPercent
        let whole = outcome.minutes.filter { $0.seconds > 59.5 }
        firstReads = whole.first?.reads ?? 0
        lastReads = whole.last?.reads ?? 0
        firstP95 = whole.first?.p95
        lastP95 = whole.last?.p95
    }

    /// Percent that a battery loses in a minute, by a model; nil when the session had no length.
    package func percentPerMinute(_ model: DeviceRequirement.BatteryModel) -> Double? {
        guard seconds > 0 else { return nil }
        return (model == .energy ? percent : seedPercent) * 60 / seconds
    }
}
