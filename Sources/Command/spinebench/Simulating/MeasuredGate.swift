import Basics
import DeviceSimulation
import Documents
import GateTrials
import Judging
import ScanningPipeline
import SpineDatasets
import Statistics

/// The presence gate as it was measured, and as it does in a run.
struct MeasuredGate {
    let measurement: GateMeasurement
    let rates: SessionPlan.GateRates

    /// - Throws: `SimulationFault` when the measurement that comes with the program is of another gate, or has no rates.
    init() throws {
        let measurement = try GateMeasurement.committed()
        guard measurement.gate == GateDigest.digest(of: PresenceGate()) else {
            throw SimulationFault(
                "the presence gate is not the one that was measured on \(measurement.date): measure it with 'checks gate --out "
                    + "Sources/Measuring/DeviceSimulation/Resources/gate.json' and build again"
            )
        }
        guard let rates = measurement.rates else {
            throw SimulationFault("the measurement of the presence gate has no frames with a spine, or none without")
        }
        (self.measurement, self.rates) = (measurement, rates)
    }

    /// For people: its rates with their intervals.
    var text: String {
        func text(_ rate: GateMeasurement.Rate) -> String {
            "\(NumberText.percent(rate.passed.rate.value ?? .nan)) \(NumberText.interval(rate.passed))"
        }
        let all = measurement.all
        return "Presence gate: passes \(text(all.withSpine)) of frames with a spine and \(text(all.without)) of "
            + "the others "
            + "(measured \(measurement.date)), in \(NumberText.milliseconds(rates.seconds * 1_000)) on an A15 (modelled)"
    }

    /// Sequences of each kind in a run: some two minutes' work.
    private static let clips = 10

    /// Shows the gate panning sequences over the spines of datasets, and over drawn places without any (E-07).
    ///
    /// - Parameters:
    ///   - datasets: of a run.
    ///   - seed: of all that is drawn.
    /// - Returns: what it said.
    /// - Throws: when a picture cannot be decoded.
    func trial(of datasets: [Dataset], seed: UInt64) throws -> GatingTrial {
        let gate = PresenceGate()
        let plans = ScenePlan.plans(datasets.map(PictureFolder.init), clips: Self.clips, seed: seed)
        let clips = try plans.compactMap { plan in try plan.clip { gate.examine($0).isSpine } }
        return GatingTrial(measurement: measurement, clips: clips)
    }
}
