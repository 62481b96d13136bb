import Basics
package import Documents
import Evaluation
package import Harness
import Statistics

/// Tiers × requirements: a row for each requirement, a column for each measurement; cells that gate have a symbol.
///
/// Of readers to whom no requirement applies, their figures.
package struct RequirementMatrix: Sendable {
    private let result: RunResult

    package init(_ result: RunResult) { self.result = result }

    private static let figures: [Metric] = [
        .titleRead, .bookRecall, .characterErrors, .latencyP50, .latencyP95, .peakFootprint,
    ]

    /// Table of the matrix, or of the figures of readers without targets.
    package var table: Table {
        if result.isOfOtherReaders {
            let rows = FigureRow.whole(result.measurements)
            let nothing = Figure.absent(MeasurementResult.nothingRead)
            let metrics = Self.figures.filter { metric in
                rows.compactMap { $0.value(of: metric) }.contains { $0.value.value != nil || $0.value == nothing }
            }
            let columns = metrics.map { metric in
                FigureColumn.number(metric.name) { row in
                    guard let value = row.value(of: metric) else { return "–" }
                    if value.value == nothing { return "nothing read" }
                    guard let number = value.value.value else { return "–" }
                    if let percentile = value.percentile { return NumberText.bounded(percentile) }
                    return metric.unit.text(number) + (value.rate.map { " \(NumberText.interval($0))" } ?? "")
                }
            }
            return Table(figures: [.name] + columns, of: rows)
        }
        var names: [String] = []
        var rows: [(key: [String], cells: [String: String])] = []
        for row in result.compliance {
            let text = AnswerText(row)
            let key = ["\(text.name) \(text.limit)", row.claim.source ?? ""]
            if !names.contains(row.measurement) { names.append(row.measurement) }
            let place = rows.firstIndex { $0.key == key } ?? rows.endIndex
            if place == rows.endIndex { rows.append((key, [:])) }
            // Of a phone's figure, all that is plausible decides, not its distance.
            let margin = row.gates && row.device == nil ? text.shortMargin.map { " (\($0))" } ?? "" : ""
            rows[place].cells[row.measurement] = Self.cell(row, text.labelledValue) + margin
        }
        return Table(
            columns: ["Requirement", "Id"] + names.map { .number($0) },
            rows: rows.map { row in row.key + names.map { row.cells[$0] ?? "" } }
        )
    }

    private static func cell(_ row: Answer, _ value: String) -> String {
        if row.accepted != nil { return "☑️ \(value)" }
        if row.value == .absent(MeasurementResult.nothingRead) {
            return (row.gates ? "\(row.judgement.verdict.sign) " : "") + "nothing read"
        }
        if row.isLeftOpen == true { return "\(row.judgement.verdict.sign) \(value)" }
        guard row.gates else {
            if row.claim.machine == .phone, row.device == nil {
                return row.evidence == .measured && row.value.value != nil ? "\(value) here" : value
            }
            let word = [Verdict.fail: " missed", .inconclusive: " undecided"][row.judgement.verdict] ?? ""
            return row.value.value == nil ? value : value + word
        }
        let missed = "**\(row.value.value == nil ? "missed" : value)**"
        return "\(row.judgement.verdict.sign) \(row.judgement.verdict == .fail ? missed : value)"
    }

    /// Meanings of the matrix's symbols, and of readers that are no tier.
    package var legend: [String] {
        if result.isOfOtherReaders {
            return ["In brackets: 95 % intervals."]
                + result.measurements.compactMap { one in
                    // What is known of its traffic where nothing was counted.
                    let sent = one.variant.origin == nil ? one.value(of: .bytesSent) : nil
                    let parts = [
                        one.originOfTimes.map { "its \($0)" }, sent?.value.value == nil ? sent?.judgement?.note : nil,
                    ]
                    let text = parts.compactMap(\.self).joined(separator: "; ")
                    return text.isEmpty ? nil : "**\(one.id)**: \(text)."
                }
        }
        let measurements = result.measurements.filter { one in
            result.compliance.contains { $0.measurement == one.id }
        }
        let own = result.measurements.filter { $0.variant.origin == nil }.map(\.id)
        let ofPhones = result.compliance.filter { $0.claim.machine == .phone && own.contains($0.measurement) }
        return [
            "✅ met, ❌ missed, ⚠️ not decided; – no figure. Cells without a symbol do not affect the verdict. In brackets, the "
                + "distance from the limit: for shares, the number of samples that must change to change the verdict. The ids are "
                + "of Docs/REQUIREMENTS.md."
        ]
            + (ofPhones.contains { $0.device != nil } ? [phones] : [])
            + (ofPhones.contains { !$0.gates && $0.device == nil }
                ? [
                    "Limits in milliseconds are those of phones; “here” is the time on this machine, \(result.host.cpu), which "
                        + "does not decide them."
                ] : [])
            + measurements.compactMap { one in
                let reader = one.variant.gates ? "a reader beside the app's tiers, which gates" : "for comparison alone"
                let parts = [one.variant.tier == nil ? reader : nil, one.originOfTimes.map { "its \($0)" }]
                let text = parts.compactMap(\.self).joined(separator: "; ")
                return text.isEmpty ? nil : "**\(one.id)**: \(text)."
            }
    }

    /// Which phones decide limits in milliseconds, and how.
    private var phones: String {
        let names = (result.devices?.coverage ?? []).map(\.device)
        let isUsual = names == DeviceAssessment.seedMatrix.map(\.device)
        let rule =
            result.configuration.devices?.gates == DeviceSelection.Gating.none
            ? "recordings of them alone (`--gate-devices none`)"
            : "a recording that gates, else by the model (modelled): met when all plausible phones of each kind "
                + "meet the limit, missed when none of one kind does, else ⚠️, which does not affect the verdict; "
                + "`--gate-devices none` leaves the model out"
        return "Limits in milliseconds are those of phones, and decided on \(names.joined(separator: ", "))"
            + "\(isUsual ? " (the default)" : "") by \(rule). The figure is that of the phone that decides."
    }
}
