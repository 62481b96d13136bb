import Basics
package import Documents
import Evaluation
package import Harness

/// Tiers × requirements: a row for each requirement, a column for each measurement; cells that gate have a symbol.
package struct RequirementMatrix: Sendable {
    private let result: RunResult

    package init(_ result: RunResult) { self.result = result }

    /// Table of the matrix; without rows when there are no targets.
    package var table: Table {
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
        guard row.gates else { return row.judgement.verdict == .fail ? "\(value) missed" : value }
        let missed = "**\(row.value.value == nil ? "missed" : value)**"
        return "\(row.judgement.verdict.sign) \(row.judgement.verdict == .fail ? missed : value)"
    }

    /// Meanings of the matrix's symbols, tiers and ids; empty without one.
    package var legend: [String] {
        guard !result.compliance.isEmpty else { return [] }
        let measurements = result.measurements.filter { one in
            result.compliance.contains { $0.measurement == one.id }
        }
        let ids = result.compliance.compactMap(\.claim.source)
        let own = result.measurements.filter { $0.variant.origin == nil }.map(\.id)
        let ofPhones = result.compliance.filter { $0.claim.machine == .phone && own.contains($0.measurement) }
        return [
            "✅ met, ❌ missed, ⚠️ not decided; – no figure. Cells without a symbol do not affect the verdict. In brackets, the "
                + "distance from the limit: for shares, the number of samples that must change to change the verdict."
        ]
            + (ofPhones.contains { $0.device != nil } ? [phones] : [])
            + (ofPhones.contains { !$0.gates && $0.device == nil }
                ? [
                    "Limits in milliseconds apply to phones. Where no phone is named, they only check on this machine, "
                        + "\(result.host.cpu), that a reading finishes."
                ] : [])
            + measurements.map { one in
                "**\(one.id)**: \(Self.meaning(of: one.variant))" + (one.originOfTimes.map { " Its \($0)." } ?? "")
            } + Self.meanings(of: ids)
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

    static func meaning(of variant: Variant) -> String {
        guard let tier = variant.tier else { return "not a tier of the app, for comparison." }
        let meaning = tiers[tier].map { ", \($0)" } ?? ""
        return "\(tier == variant.name ? "the tier" : "of the tier \(tier)")\(meaning)."
    }

    /// Returns a line for each requirement, in order of first appearance; none for foreign ids.
    static func meanings(of ids: [String]) -> [String] {
        var seen: Set<String> = []
        return ids.filter { seen.insert($0).inserted }.compactMap { id in requirements[id].map { "\(id): \($0)." } }
    }

    static let tiers = [
        "fast": "which reads a spine's text on the device, at once",
        "accurate": "which reads on the device at the highest quality, where fast is not enough",
        "enrich":
            "which reads on the device and sends the text, not the picture, to the back end, which identifies the book",
        "upload": "which sends the picture to the back end, which reads it and identifies the book",
        "hybrid": "which reads and looks the book up on the device while the back end is asked with the text",
        "shelf": "which detects, reads and identifies all books on a photo of shelves on the device",
        "shelf-upload": "which sends a photo of shelves to the back end, which answers with all of its books",
        "visual-search": "which answers the system's visual search, on the device",
        "on-device": "which reads and looks the book up on the device and sends nothing",
    ]

    /// Titles of the requirements from which targets derive.
    static let requirements = [
        "E-01": "reading a spine on the device takes less energy than sending its picture",
        "E-18": "all books of a photo of shelves, with position and order",
        "S0-A02": "minimum share of spines whose title is read",
        "S0-B01": "scanning uses at most 5 % of the battery per minute, more than any phone can draw (K-4)",
        "S0-C01": "a spine that the camera aims at gives one scan of the right book",
        "S0-M02": "the back end path, from the picture to the book, within 500 ms; expected to miss",
        "S0-M03": "text on the device and book from the back end, together",
        "S0-M04":
            "memory of the process: its footprint gates, which Apple's limit is about (os_proc_available_memory); all of its "
            + "resident memory, with pages of files, is shown beside it",
        "S0-M08": "a spine is processed in time, and privately",
        "S0-P01": "pictures of books do not leave the device",
        "S0-T02": "the instant tier on the device",
        "S0-T04": "enrichment, from text to book",
        "S0-T05": "upload of a picture, from the picture to the book",
        "S0-T07": "the second reader on the device",
        "S1-13": "visual search shows the right book first, and no guesses",
        "S1-14": "visual search reads once for all requests of a gesture, and repeats its answer immediately",
        "S2-30": "a picture is decoded, made smaller and ready to be sent",
        "S3-06":
            "maximum battery use of half an hour of reading, beyond the phone's own use",
    ]
}
