import Captures
import Foundation

/// Figure of measured captures, or why there is none, and the target that it is judged by.
struct CaptureFigure: Encodable {
    enum Unit: String, Encodable {
        case share = " %"
        case milliseconds = " ms"
        case megabytes = " MB"
        /// A number between 0 and 1, or a count.
        case number = ""
    }

    struct Target: Encodable {
        enum Comparison: String, Encodable {
            case atLeast = "≥"
            case atMost = "≤"
            case below = "<"
        }

        var comparison: Comparison
        var limit: Double
        /// Requirement of Docs/REQUIREMENTS.md.
        var source: String
        var gates = true
        /// Reason for which a miss is expected.
        var expectedMiss: String?

        func isMet(by value: Double) -> Bool {
            switch comparison {
            case .atLeast: value >= limit
            case .atMost: value <= limit
            case .below: value < limit
            }
        }
    }

    var name: String
    var unit: Unit
    var value: Double?
    /// Reason for which there is no value.
    var reason: String?
    var count: Int?
    var total: Int?
    /// Ends of Wilson's interval at 95 %, of shares with one outcome a capture.
    var low: Double?
    var high: Double?
    var target: Target?
    /// Whether the target is met; nil without one, or without a value.
    var isMet: Bool?

    init(_ name: String, _ unit: Unit, _ value: Double?, orNot reason: String, _ target: Target?) {
        (self.name, self.unit, self.value, self.target) = (name, unit, value, target)
        self.reason = value == nil ? reason : nil
        isMet = value.flatMap { target?.isMet(by: $0) }
    }

    /// Creates the share of outcomes, which are those of each capture.
    init(_ name: String, _ outcomes: [[Bool]], _ target: Target? = nil) {
        let all = outcomes.flatMap(\.self)
        let (count, n, z) = (all.count { $0 }, Double(all.count), 1.959963984540054)
        let share = all.isEmpty ? nil : Double(count) / n
        self.init(name, .share, share, orNot: "nothing to count", target)
        (self.count, total) = (count, all.count)
        // Outcomes of one picture are not independent.
        guard let share, outcomes.allSatisfy({ $0.count <= 1 }) else { return }
        // Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), 209–212.
        let middle = share + z * z / (2 * n)
        let half = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
        (low, high) = (max(0, (middle - half) / (1 + z * z / n)), min(1, (middle + half) / (1 + z * z / n)))
    }

    /// Cells of the table.
    var row: [String] {
        func text(_ value: Double) -> String {
            switch unit {
            case .share: String(format: "%.1f", value * 100) + unit.rawValue
            case .milliseconds, .megabytes: String(format: "%.0f", value) + unit.rawValue
            case .number: String(format: "%.4g", value)
            }
        }
        let verdict = target.map { target in
            "\(target.comparison.rawValue) \(text(target.limit)) (\(target.source)): "
                + (isMet.map { $0 ? "met" : "missed" } ?? "not decided") + (target.gates ? "" : ", not gating")
                + (isMet == false ? target.expectedMiss.map { ": \($0)" } ?? "" : "")
        }
        return [
            name, value.map(text) ?? "– (\(reason ?? ""))", count.map { "\($0) of \(total ?? 0)" } ?? "",
            low.map { "\(text($0)) to \(text(high ?? 1))" } ?? "", verdict ?? "",
        ]
    }
}

/// Figures of a dataset's captures.
struct CaptureFigures: Encodable {
    var dataset: String
    var captures: Int
    private(set) var figures: [CaptureFigure] = []
    /// Captures by their label and the recognised one.
    private(set) var scenes: [String: [String: Int]] = [:]
    /// Why captures failed, by the picture's id.
    private(set) var failures: [String: String] = [:]
    /// Facts that were lost, by the picture's id.
    private(set) var lostFacts: [String: [String]] = [:]

    /// Whether all targets that gate are met; nil where a figure of one is missing.
    var isMet: Bool? {
        let gating = figures.filter { $0.target?.gates == true }.map(\.isMet)
        return gating.contains(false) ? false : gating.contains(nil) ? nil : true
    }

    /// - Parameters:
    ///   - dataset: its name.
    ///   - measured: its captures.
    ///   - requests: number of requests to other hosts.
    ///   - peaks: most memory in bytes, by its definition, and whether that decides.
    init(
        _ dataset: String,
        _ measured: [MeasuredCapture],
        requests: Int,
        peaks: [(name: String, bytes: Int?, gates: Bool)]
    ) {
        (self.dataset, captures) = (dataset, measured.count)
        for one in measured {
            scenes[one.scene.label.rawValue, default: [:]][one.label.rawValue, default: 0] += 1
            failures[one.id] = one.problem
            if let lost = one.result?.lost, !lost.isEmpty { lostFacts[one.id] = lost }
        }
        let results = measured.compactMap(\.result)
        let facts = results.map { result in (0..<result.facts).map { $0 < result.lost.count } }
        let overlaps = measured.filter { $0.scene.subject != nil }.map { $0.result?.overlap ?? 0 }
        let overlap = overlaps.isEmpty ? nil : overlaps.reduce(0, +) / Double(overlaps.count)
        let clutter = "on cluttered backgrounds, subjects are rarely cut out"
        let large = "the limit is for a spine; a page of twenty lines and a shelf take longer"
        func target(
            _ comparison: CaptureFigure.Target.Comparison,
            _ limit: Double,
            _ source: String,
            unless expectedMiss: String? = nil,
            gates: Bool = true
        ) -> CaptureFigure.Target {
            .init(comparison: comparison, limit: limit, source: source, gates: gates, expectedMiss: expectedMiss)
        }
        figures = [
            CaptureFigure("codes read", measured.map(\.codes), target(.atLeast, 0.98, "S4-17")),
            CaptureFigure("scene right", measured.map { [$0.isRight] }, target(.atLeast, 0.85, "S4-18")),
            CaptureFigure(
                "scene wrong",
                measured.map { [!$0.isRight && !$0.isUnsaid] },
                target(.atMost, 0.05, "S4-18")
            ),
            CaptureFigure("scene unsaid", measured.map { [$0.isUnsaid] }),
            CaptureFigure(
                "overlap of subjects",
                .number,
                overlap,
                orNot: "no outlined subjects",
                target(.atLeast, 0.9, "S4-17", unless: clutter, gates: false)
            ),
            CaptureFigure(
                "summarised",
                measured.map { [$0.result?.isSummarised == true] },
                target(.atLeast, 1, "S4-35")
            ),
            CaptureFigure("facts lost", facts, target(.atMost, 0, "S4-43")),
            CaptureFigure("requests sent", .number, Double(requests), orNot: "", target(.atMost, 0, "S0-P01")),
        ]
        let phone = target(.below, 500, "S0-M08, on a phone", unless: large, gates: false)
        figures += Self.percentiles("time to draft", results.map(\.draft))
        figures += Self.percentiles("time to text", results.map(\.text), ofP95: phone)
        figures += Self.percentiles("time to enriched", results.map(\.enriched))
        figures += Self.percentiles("time to ready", results.map(\.ready))
        figures += Self.percentiles("processor time to ready", results.map(\.processor))
        figures += peaks.map { name, bytes, gates in
            CaptureFigure(
                "peak \(name)",
                .megabytes,
                bytes.map { Double($0) / 1_000_000 },
                orNot: "not reported by the system",
                target(.below, 600, "E-18", gates: gates)
            )
        }
    }

    /// Percentiles by nearest rank; one needs as many times as leave a chance of 1 % that all of them are below it, and a
    /// time that was not reached is later than all others.
    private static func percentiles(
        _ name: String,
        _ times: [Double?],
        ofP95 target: CaptureFigure.Target? = nil
    ) -> [CaptureFigure] {
        let sorted = times.map { $0 ?? .infinity }.sorted()
        return [50, 95, 99].map { percent in
            let least = Int((log(0.01) / log(Double(percent) / 100)).rounded(.up))
            let value = sorted.count < least ? nil : sorted[(percent * sorted.count + 99) / 100 - 1]
            let reason = value == nil ? "needs ≥ \(least) captures that are read" : "not reached"
            let reached = value.flatMap { $0.isFinite ? $0 : nil }
            let own = percent == 95 ? target : nil
            return CaptureFigure("\(name), P\(percent)", .milliseconds, reached, orNot: reason, own)
        }
    }

    /// Table of the figures, and that of the scenes, in Markdown.
    var markdown: String {
        func table(_ head: [String], _ rows: [[String]]) -> String {
            ([head, head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
        }
        let labels = SceneLabel.allCases.map(\.rawValue)
        let shown = labels.compactMap { truth in
            scenes[truth].map { said in [truth] + labels.map { "\(said[$0] ?? 0)" } }
        }
        return table(["\(captures) captures of \(dataset)", "", "counts", "95 %", "target"], figures.map(\.row))
            + "\n" + table(["shown ↓, recognised →"] + labels, shown)
    }
}
