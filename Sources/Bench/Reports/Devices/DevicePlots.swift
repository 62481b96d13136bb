import Basics
import Documents
import Evaluation
import Harness
import ScanningPolicies

/// Half an hour on every device, as diagrams.
struct DevicePlots {
    let assessment: DeviceAssessment

    /// The parts of ``EnergyUse``, in the order in which they are stacked.
    static let components: [(name: String, path: any KeyPath<EnergyUse, Double> & Sendable)] = [
        ("Base", \.base), ("Display", \.display), ("Camera", \.camera), ("CPU", \.cpu), ("GPU", \.gpu),
        ("Neural Engine", \.neuralEngine), ("Radio", \.radio),
    ]

    /// The diagrams of a measurement: lines over time, and bars of the energy's parts.
    struct Group: Encodable {
        struct Bars: Encodable {
            struct Bar: Encodable {
                var name: String
                var values: [Double]
            }

            var title = "Energy of half an hour, by component"
            var axis = "energy (kJ)"
            var parts = DevicePlots.components.map(\.name)
            var bars: [Bar]
        }

        var name: String
        var plots: [Plot]
        var energy: Bars
    }

    var groups: [Group] {
        let names = assessment.rows.map(\.measurement).reduce(into: [String]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        return names.map { name in
            let rows = assessment.rows.filter { $0.measurement == name }
            let bars = rows.map { row in
                let energy = row.halfHour.nominal.energy
                let values = Self.components.map { energy[keyPath: $0.path].rounded() / 1_000 }
                return Group.Bars.Bar(name: row.device, values: values)
            }
            return Group(name: name, plots: plots(of: rows), energy: Group.Bars(bars: bars))
        }
    }

    private func plots(of rows: [DeviceRow]) -> [Plot] {
        let timed = rows.map { (device: $0.device, session: $0.halfHour.nominal) }.filter {
            !$0.session.timeline.isEmpty
        }
        guard !timed.isEmpty else { return [] }
        func over(_ value: (SessionResult.Point) -> Double, isStepped: Bool = false) -> [Plot.Series] {
            timed.map { row in
                Plot.Series(
                    row.device,
                    x: row.session.timeline.map { Self.rounded($0.second / 60, 100) },
                    y: row.session.timeline.map { Self.rounded(value($0), 1_000) },
                    isStepped: isStepped
                )
            }
        }
        func byMinute(_ value: (SessionResult.Minute) -> Double?) -> [Plot.Series] {
            timed.map { row in
                let points = row.session.minutes.enumerated().compactMap { index, minute in
                    value(minute).map { (Double(index + 1), Self.rounded($0, 1_000)) }
                }
                return Plot.Series(row.device, x: points.map(\.0), y: points.map(\.1))
            }
        }
        // Values of the whole phone, like the line.
        let battery = rows[0].requirements.first { $0.claim.device == .batteryPerHalfHour }
        let latency = rows[0].requirements.map(\.claim).filter { $0.metric == .latencyP95 }
            .map { Plot.Level($0.source ?? "", y: $0.limit) }
        return [
            Plot("Skin temperature", xLabel: "time (min)", yLabel: "skin (°C)", series: over(\.skin)),
            Plot(
                "Thermal state",
                xLabel: "time (min)",
                yLabel: "state, nominal at 0",
                series: over({ Self.place($0.state) }, isStepped: true),
                levels: ThermalStates.rising.dropFirst().map { Plot.Level($0.rawValue, y: Self.place($0)) }
            ),
            Plot(
                "Battery used, by the energy model",
                xLabel: "time (min)",
                yLabel: "battery (%)",
                series: over(\.percent),
                levels: battery.map { [Plot.Level("\($0.claim.source ?? ""), 30 min", y: $0.claim.limit)] } ?? []
            ),
            Plot(
                "Latency by minute, P95",
                xLabel: "minute",
                yLabel: "latency (ms)",
                series: byMinute(\.p95),
                levels: latency
            ),
            Plot("Readings by minute", xLabel: "minute", yLabel: "readings", series: byMinute(\.readings)),
        ]
    }

    private static func place(_ state: ThermalState) -> Double {
        Double(ThermalStates.rising.firstIndex(of: state) ?? 0)
    }

    private static func rounded(_ value: Double, _ factor: Double) -> Double { (value * factor).rounded() / factor }
}
