import DeviceSimulation
import Documents
import Evaluation

/// What the page shows of devices.
package struct PageDevices: Sendable, Encodable {
    /// The diagrams of one measurement.
    struct Group: Sendable, Encodable {
        var name: String
        var plots: [Plot]
        var energy: PageStack
    }

    var method: [String]
    var tables: [Table]
    var groups: [Group]

    init(_ assessment: DeviceAssessment, gates: Bool) {
        let tables = DeviceTables(assessment, gates: gates)
        method = tables.method.map(Markdown.plain)
        self.tables = ([tables.matrix] + tables.tables).map(\.plain)
        let plots = DevicePlots(assessment: assessment)
        let names = assessment.rows.map(\.measurement).reduce(into: [String]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        groups = names.map { name in
            let rows = assessment.rows.filter { $0.measurement == name }
            return Group(name: name, plots: plots.plots(of: rows), energy: PageStack(rows))
        }
    }
}

/// Bars of parts on top of each other.
struct PageStack: Sendable, Encodable {
    struct Bar: Sendable, Encodable {
        var name: String
        /// In the order of the parts.
        var values: [Double]
    }

    var title: String
    var axis: String
    var parts: [String]
    var bars: [Bar]

    /// Where the energy of half an hour goes.
    fileprivate init(_ rows: [DeviceRow]) {
        title = "Energy of half an hour, by component"
        axis = "energy (kJ)"
        parts = DevicePlots.components.map(\.name)
        bars = rows.map { row in
            let energy = row.halfHour.nominal.energy
            return Bar(
                name: row.device,
                values: DevicePlots.components.map { (energy[keyPath: $0.path]).rounded() / 1_000 }
            )
        }
    }
}
