import DeviceSimulation
import Evaluation

/// A run's verdict in words.
package struct VerdictText: Sendable {
    private let result: RunResult
    /// So many targets are named in the sentence; the matrix has all.
    private static let named = 5

    package init(_ result: RunResult) {
        self.result = result
    }

    /// "PASS", "FAIL", "INCONCLUSIVE", "INCONCLUSIVE (partial)" or "NO VERDICT".
    package var word: String {
        if result.isPartial { return "INCONCLUSIVE (partial)" }
        return switch result.verdict {
        case .pass: "PASS"
        case .fail: "FAIL"
        case .inconclusive: "INCONCLUSIVE"
        case nil: "NO VERDICT"
        }
    }

    /// What decided it, in a sentence or two.
    package var sentence: String {
        if let progress = result.progressSentence {
            return "\(progress) Nothing is decided before the rest is read: spinebench run --resume."
        }
        let gated = result.compliance.filter(\.gates)
        let missed = gated.filter { $0.judgement.verdict == .fail }
        let open = gated.filter { $0.judgement.verdict == .inconclusive }
        func list(_ rows: [ComplianceRow]) -> String {
            let named = rows.prefix(Self.named).map { row in
                let text = ComplianceText(row)
                let isOpen = row.judgement.verdict == .inconclusive || row.value.value == nil
                return "\(text.metric) (\(isOpen ? row.judgement.note : "\(text.shortValue), target \(text.limit)"))"
            }
            let rest = rows.count - named.count
            return named.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
        }
        let targets = NumberText.count(gated.count, "gating target")
        switch result.verdict {
        case .pass: return "All \(targets) are met.\(devices(.pass, "all meet what is asked"))"
        case .fail:
            let rest = open.isEmpty ? "" : " Not decided: \(list(open))."
            let modelled = devices(.fail, "missed")
            guard !missed.isEmpty else { return "None of \(targets) is missed.\(modelled)\(rest)" }
            return "\(missed.count) of \(targets) missed: \(list(missed)).\(modelled)\(rest)"
        case .inconclusive:
            let modelled = devices(.inconclusive, "depends on figures that nobody knows")
            guard !open.isEmpty else { return "None of \(targets) is missed.\(modelled)" }
            return "\(open.count) of \(targets) cannot be decided: \(list(open)). None is missed.\(modelled)"
        case nil where result.compliance.isEmpty: return "There were no targets to judge by: its figures inform."
        case nil:
            return
                "None of the variants that were run gates, so its figures inform and nothing was decided. Name the ones "
                + "that should with `--gate`."
        }
    }
}

extension VerdictText {
    /// What modelled devices come to, with a space in front; empty unless they gate and one comes to that.
    private func devices(_ verdict: Verdict, _ what: String) -> String {
        guard result.configuration.devices?.gates == true, let rows = result.devices?.rows else { return "" }
        let own = rows.filter { $0.verdict == verdict }
        if own.isEmpty { return "" }
        if verdict == .pass { return " On devices (modelled), \(what)." }
        return
            " On devices (modelled), \(what): \(own.map { "\($0.measurement) on \($0.device)" }.joined(separator: ", "))."
    }
}

/// A row of the compliance table in words.
package struct ComplianceText: Sendable {
    private let row: ComplianceRow

    package init(_ row: ComplianceRow) {
        self.row = row
    }

    /// "fast: title read, stylized".
    package var metric: String { "\(row.measurement): \(metricAlone)" }

    /// "title read, stylized".
    package var metricAlone: String {
        let name =
            switch row.target.metric {
            case .latencyP50, .latencyP90, .latencyP95, .latencyP99: "time to text P\(row.target.metric.percent ?? 0)"
            case .timeToDraftP95: "time to draft P95"
            case .timeToPreparedP95: "picture ready to send P95"
            case .timeToTextP95: "time to text P95"
            case .timeToEnrichedP95: "time to enriched P95"
            case .enrichmentP95: "enrichment alone P95"
            case .identified: "book identified"
            case .falseMatch: "false match"
            case .titleRead: "title read"
            case .readInTime: "title read within \(NumberText.short(AccuracySummary.timeLimitMilliseconds)) ms"
            case .peakMemory: "peak memory"
            case .bytesSent: "bytes leaving the device"
            }
        return "\(name)\(row.target.category.map { ", \($0)" } ?? "")"
    }

    /// The value with its unit, and its counts and interval when it is a share.
    package var value: String {
        if let rate = row.rate { return "\(NumberText.proportion(rate.proportion)) \(NumberText.interval(rate))" }
        if let percentile = row.percentile { return NumberText.bounded(percentile) }
        // Why a value is absent is in the status.
        return shortValue
    }

    /// The interval of a share or the bounds of a percentile; nil for other figures.
    package var interval: String? {
        if let rate = row.rate { return NumberText.interval(rate).replacing("\\*", with: "*") }
        guard let percentile = row.percentile, let value = percentile.value.value else { return nil }
        let whole = NumberText.bounded(percentile)
        return String(whole.dropFirst(NumberText.milliseconds(value).count + 1))
    }

    /// The value with its unit alone; a dash when it is absent.
    package var shortValue: String { row.value.value.map(text) ?? "–" }

    /// The limit and the requirement that it comes from: "≥ 85 % (S0-A02)".
    package var target: String { "\(limit) (\(row.target.source))" }

    /// The limit alone: "≥ 85 %".
    package var limit: String {
        let limit =
            switch row.target.metric {
            case .latencyP50, .latencyP90, .latencyP95, .latencyP99, .timeToDraftP95, .timeToPreparedP95,
                .timeToTextP95,
                .timeToEnrichedP95, .enrichmentP95:
                "\(NumberText.short(row.target.limit)) ms"
            // Tenths of a percent; a target of 0.29 is 28.999… otherwise.
            case .titleRead, .readInTime, .identified, .falseMatch:
                "\(NumberText.short((row.target.limit * 1_000).rounded() / 10)) %"
            case .peakMemory: "\(NumberText.short(row.target.limit / 1e6)) MB"
            case .bytesSent: NumberText.short(row.target.limit)
            }
        return "\(row.target.comparator.rawValue) \(limit)"
    }

    /// "✅ met", "❌ missed", "⚠️ not decided: n too small (needs ≥ 90)".
    package var status: String {
        let note = row.judgement.note
        switch row.judgement.verdict {
        case .pass: return "✅ met" + (note.isEmpty ? "" : "; \(note)")
        case .fail where row.target.expectedMiss != nil: return "❌ missed, as expected; \(note)"
        case .fail: return "❌ missed" + (note.isEmpty ? "" : "; \(note)")
        case .inconclusive: return "⚠️ not decided" + (note.isEmpty ? "" : ": \(note)")
        }
    }

    private func text(_ value: Double) -> String {
        switch row.target.metric {
        case .latencyP50, .latencyP90, .latencyP95, .latencyP99, .timeToDraftP95, .timeToPreparedP95, .timeToTextP95,
            .timeToEnrichedP95, .enrichmentP95:
            NumberText.milliseconds(value)
        case .titleRead, .readInTime, .identified, .falseMatch: NumberText.percent(value)
        case .peakMemory: NumberText.megabytes(value)
        case .bytesSent: NumberText.bytes(value)
        }
    }
}
