import Evaluation
package import ScanningPolicies

/// Heat, energy and battery of readings that were made elsewhere, as their files state them.
package struct StatedSummary: Sendable, Equatable, Codable {
    /// Mean of the readings that state it, in joules; nil without any.
    package var energyPerReading: Double?
    /// First and last charge that is stated, 0…1; nil without any.
    package var firstBattery: Double?
    package var lastBattery: Double?
    /// Number of readings by the state of heat after them.
    package var thermal: [String: Int]
    /// Hottest state; nil without any.
    package var hottest: ThermalState?

    /// Creates the summary of readings in the order of their files; nil when none states anything of it.
    init?(_ records: [SampleRecord]) {
        let stated = records.compactMap(\.stated)
        let (energies, charges) = (stated.compactMap(\.energy), stated.compactMap(\.battery))
        let states = stated.compactMap(\.thermal)
        guard !(energies.isEmpty && charges.isEmpty && states.isEmpty) else { return nil }
        energyPerReading = energies.isEmpty ? nil : energies.reduce(0, +) / Double(energies.count)
        (firstBattery, lastBattery) = (charges.first, charges.last)
        thermal = Dictionary(grouping: states, by: \.rawValue).mapValues(\.count)
        hottest = [ThermalState.critical, .serious, .fair, .nominal, .unknown].first(where: states.contains)
    }
}
