import Basics
import Documents
import Evaluation

extension Baseline {
    /// What it changes when it takes the place of another, in Markdown, for whoever reviews it; nil for the first one.
    package func diff(from old: Baseline?) -> String {
        var parts = ["# Baseline \(name): \(old == nil ? "new" : "changed")"]
        var facts = [
            fact("date", old?.date, date), fact("host", old.map { $0.host ?? "several" }, host ?? "several"),
            fact("tool", old?.tool, tool), fact("runs", old.map { "\($0.runs)" }, "\(runs)"),
        ]
        let ids = Set(measurements.map(\.id))
        let gone = (old?.measurements ?? []).map(\.id).filter { !ids.contains($0) }
        if !gone.isEmpty { facts.append("* **no longer there**: \(gone.joined(separator: ", "))") }
        parts.append(facts.joined(separator: "\n"))
        for part in measurements { parts += section(part, old?.measurements.first { $0.id == part.id }) }
        if runs < 2 {
            parts.append(
                "⚠️ Of one run: latency and memory cannot gate, as nothing says how far runs differ. Name five."
            )
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    private func fact(_ name: String, _ old: String?, _ new: String) -> String {
        old == nil || old == new ? "* \(name): \(new)" : "* \(name): \(old ?? "") → **\(new)**"
    }

    private func section(_ part: Part, _ old: Part?) -> [String] {
        var parts = ["## \(part.id)"]
        if let old, old.datasetDigest != part.datasetDigest {
            parts.append(
                "⚠️ Of another dataset: \(old.dataset) \(old.datasetDigest) → \(part.dataset) \(part.datasetDigest)."
            )
        }
        if let old, old.settings != part.settings || old.models != part.models {
            parts.append("⚠️ Of other settings or models.")
        }
        let rows = part.figures.map { figure in
            let old = old?.figures.first { $0.name == figure.name }
            let change = old.map { text(figure.value - $0.value, signed: true) } ?? "new"
            return "| \(figure.name) | \(old.map { text($0.value) } ?? "–") | \(text(figure.value)) | \(change) |"
        }
        parts.append("| figure | before | after | change |\n|---|--:|--:|--:|\n" + rows.joined(separator: "\n"))
        let floors = Metric.compared.compactMap { metric -> String? in
            part.noise[metric].value.map { "\(metric.meaning.name) ±\(metric.meaning.unit.size($0))" }
        }
        parts.append("Noise (\(part.noise.origin)): \(floors.joined(separator: ", ")).")
        if let old {
            let pairs = SamplePairs(old.readings(name: ""), part.readings(name: "")).pairs
            func changed(from before: Bool) -> String {
                list(pairs.filter { $0.a.title == before && $0.b.title == !before }.map(\.a.id))
            }
            parts.append("Titles lost: \(changed(from: true)). Titles gained: \(changed(from: false)).")
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
