import Basics
package import Documents
import Evaluation
package import Harness
import Statistics

/// Tiers × requirements: a row for each requirement, a column for each measurement; cells that gate have a symbol.
package struct RequirementMatrix: Sendable {
    private let result: RunResult
    /// Whether it has the rows that gate alone.
    private let isOfGate: Bool

    package init(_ result: RunResult, isOfGate: Bool = false) { (self.result, self.isOfGate) = (result, isOfGate) }

    package var table: Table {
        var names: [String] = []
        var rows: [(key: [String], cells: [String: String])] = []
        func set(_ cell: String, _ key: [String], _ name: String) {
            if !names.contains(name) { names.append(name) }
            let place = rows.firstIndex { $0.key == key } ?? rows.endIndex
            if place == rows.endIndex { rows.append((key, [:])) }
            rows[place].cells[name] = cell
        }
        for row in result.compliance where !isOfGate || !row.sign.isEmpty {
            let text = AnswerText(row)
            // Of a phone's figure, all that is plausible decides, not its distance.
            let margin = row.gates && row.device == nil ? text.margin.map { " (\($0))" } ?? "" : ""
            let cell = isHere(row) ? "–" : Self.cell(row, text.labelledValue) + margin
            set(cell, ["\(text.name) \(text.limit)", row.claim.source ?? ""], row.measurement)
        }
        for row in result.compliance where isHere(row) {
            for one in result.measurements where !isOfGate && names.contains(one.id) {
                let value = row.metric.flatMap { one.value(of: $0) }?.value.value.map(row.claim.text)
                set(value ?? "–", ["\(AnswerText(row).name), here", ""], one.id)
            }
        }
        return Table(
            columns: ["Requirement", "Id"] + names.map { .number($0) },
            rows: rows.map { row in row.key + names.map { row.cells[$0] ?? "" } }
        )
    }

    /// Whether a row has this machine's time beside a phone's limit, which it does not decide.
    private func isHere(_ row: Answer) -> Bool {
        row.claim.machine == .phone && row.device == nil && !row.gates && row.evidence == .measured
            && row.value.value != nil
    }

    private static func cell(_ row: Answer, _ value: String) -> String {
        if row.accepted == nil, row.value == .absent(MeasurementResult.nothingRead) { return row.sign + "nothing read" }
        if row.value.value == nil, row.sign.isEmpty { return value }
        return row.cell(row.value.value == nil && row.judgement.verdict == .fail ? "missed" : value)
    }

    /// Meanings of the matrix's symbols, and of readers that are no tier.
    package var legend: [String] {
        let own = result.measurements.filter { $0.variant.origin == nil }.map(\.id)
        let ofPhones = result.compliance.filter { $0.claim.machine == .phone && own.contains($0.measurement) }
        return [ReportText.note("matrix")] + (ofPhones.contains { $0.device != nil } ? [phones] : [])
            + (ofPhones.contains(where: isHere) ? ReportText.of("matrix here", [], ["cpu": result.host.cpu]) : [])
            + result.measurements.filter { one in result.compliance.contains { $0.measurement == one.id } }
            .compactMap { one in
                let reader = one.variant.gates ? "a reader beside the app's tiers, which gates" : "for comparison alone"
                return one.legend([one.variant.tier == nil ? reader : nil])
            }
    }

    /// Which phones decide limits in milliseconds, and how.
    private var phones: String {
        let names = (result.devices?.coverage ?? []).map(\.device).joined(separator: ", ")
        let isModelled = result.configuration.devices?.gates != DeviceSelection.Gating.none
        return ReportText.note("matrix phones", [isModelled ? "modelled" : "recorded"], ["phones": names])
    }
}
