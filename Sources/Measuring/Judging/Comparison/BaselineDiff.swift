import Basics
import Documents
import Evaluation

/// What a new baseline changes, in Markdown, for whoever reviews it.
package struct BaselineDiff: Sendable {
    private let old: Baseline?
    private let new: Baseline

    /// - Parameters:
    ///   - old: The one that is there; nil when this is the first.
    ///   - new: The one that takes its place.
    package init(from old: Baseline?, to new: Baseline) {
        self.old = old
        self.new = new
    }

    package var text: String {
        var parts = ["# Baseline \(new.name): \(old == nil ? "new" : "changed")"]
        var facts = [
            fact("date", old?.date, new.date), fact("host", old.map { $0.host ?? "several" }, new.host ?? "several"),
            fact("tool", old?.tool, new.tool), fact("runs", old.map { "\($0.runs)" }, "\(new.runs)"),
        ]
        let ids = Set(new.measurements.map(\.id))
        let gone = (old?.measurements ?? []).map(\.id).filter { !ids.contains($0) }
        if !gone.isEmpty { facts.append("* **no longer there**: \(gone.joined(separator: ", "))") }
        parts.append(facts.joined(separator: "\n"))
        for part in new.measurements { parts += section(part, old?.measurements.first { $0.id == part.id }) }
        if new.runs < 2 {
            parts.append(
                "⚠️ Of one run: latency and memory cannot gate, as nothing says how far runs differ. Name five."
            )
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    private func fact(_ name: String, _ old: String?, _ new: String) -> String {
        old == nil || old == new ? "* \(name): \(new)" : "* \(name): \(old ?? "") → **\(new)**"
    }

    private func section(_ part: Baseline.Part, _ old: Baseline.Part?) -> [String] {
        var parts = ["## \(part.id)"]
        if let old, old.datasetDigest != part.datasetDigest {
            parts.append(
                "⚠️ Of another dataset: \(old.dataset) \(old.datasetDigest) → \(part.dataset) \(part.datasetDigest)."
            )
        }
        if let old, old.settings != part.settings || old.models != part.models {
            parts.append("⚠️ Of other settings or models.")
        }
        let before = Dictionary((old?.figures ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let rows = part.figures.map { figure in
            let old = before[figure.name]
            let change = old.map { text(figure.value - $0.value, signed: true) } ?? "new"
            return "| \(figure.name) | \(old.map { text($0.value) } ?? "–") | \(text(figure.value)) | \(change) |"
        }
        parts.append("| figure | before | after | change |\n|---|--:|--:|--:|\n" + rows.joined(separator: "\n"))
        let floors = Metric.compared.compactMap { metric -> String? in
            part.noise[metric].value.map { "\(metric.meaning.name) ±\(metric.meaning.unit.size($0))" }
        }
        parts.append("Noise (\(part.noise.origin)): \(floors.joined(separator: ", ")).")
        if let old {
            let pairs = SamplePairs(old.readings(name: ""), part.readings(name: ""))
            let lost = pairs.pairs.filter { $0.a.title == true && $0.b.title == false }.map(\.a.id)
            let gained = pairs.pairs.filter { $0.a.title == false && $0.b.title == true }.map(\.a.id)
            parts.append("Titles lost: \(list(lost)). Titles gained: \(list(gained)).")
        }
        return parts
    }

    private func list(_ ids: [String]) -> String {
        ids.isEmpty ? "none" : "\(ids.count) (\(ids.prefix(10).joined(separator: ", "))\(ids.count > 10 ? ", …" : ""))"
    }

    private func text(_ value: Double, signed: Bool = false) -> String {
        (signed && value > 0 ? "+" : "") + NumberText.fixed(value, 2)
    }
}
