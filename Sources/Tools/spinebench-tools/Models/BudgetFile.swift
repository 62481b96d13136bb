import Basics
import Composition
import Foundation
import Harness
import ScanningPolicies

/// Limits of a model, by name or from a file.
enum BudgetFile {
    /// Keys of a file, with their meaning; the first three are required.
    static let keys: [(name: String, meaning: String)] = [
        ("name", "display name"),
        ("p95Milliseconds", "exclusive limit of the P95 of warm inferences"),
        ("memoryBytes", "maximum memory"),
        ("p50Milliseconds", "exclusive limit of the P50"),
        ("p99Milliseconds", "exclusive limit of the P99"),
        ("sizeBytes", "maximum size of its file"),
        ("loadSeconds", "exclusive limit of the load time (1)"),
        ("batteryPercentPer30Minutes", "maximum battery use (10)"),
        ("hertz", "inferences a second, for the battery"),
    ]

    /// Returns a ready-made budget by its name or the beginning of one, or the file at a path that ends in `.json`.
    ///
    /// - Throws: `HarnessError.configuration` when there is none, or with the faults of a file.
    static func budget(_ name: String) throws -> ModelTarget {
        if name.hasSuffix(".json") || name.contains("/") { return try read(name) }
        func plain(_ name: String) -> String { FoldedText(name).joined }
        let key = plain(name)
        if let exact = ModelTarget.all.first(where: { plain($0.name) == key }) { return exact }
        let near = ModelTarget.all.filter { !key.isEmpty && plain($0.name).hasPrefix(key) }
        if near.count == 1 { return near[0] }
        throw HarnessError.configuration(
            "unknown budget \"\(name)\"; \(NearName.hint(for: name, among: ModelTarget.all.map(\.name))); "
                + "--budget list shows all budgets; a budget file ends in .json"
        )
    }

    private static func read(_ path: String) throws -> ModelTarget {
        func wrong(_ problem: String) -> HarnessError { .configuration("\(path): \(problem)") }
        guard let data = FileManager.default.contents(atPath: path) else { throw wrong("the file cannot be read") }
        let value: JSONValue
        do { value = try JSONParser.parse([UInt8](data)) } catch { throw wrong("is not JSON: \(error)") }
        guard case .object(let fields) = value else { throw wrong("expected an object with the keys of a budget") }
        var faults = fields.keys.sorted().filter { key in !keys.contains { $0.name == key } }.map { key in
            "unknown key \"\(key)\" of a budget: \(NearName.hint(for: key, among: keys.map(\.name)))"
        }
        func number(_ key: String, isNeeded: Bool = false) -> Double? {
            switch fields[key] ?? .null {
            case .number(let value) where value > 0 && value < 1e15: return value
            case .null: if isNeeded { faults.append("\"\(key)\" is missing") }
            case .number(let value):
                faults.append("\"\(key)\" is \(NumberText.short(value)); expected a number above 0")
            case let other: faults.append("\"\(key)\" is \(other.kind); expected a number above 0")
            }
            return nil
        }
        var name = ""
        if case .string(let text) = fields["name"] { name = text }
        if name.isEmpty { faults.append("\"name\" is missing or not text") }
        var target = ModelTarget(
            name: name,
            source: path,
            p95Milliseconds: number("p95Milliseconds", isNeeded: true) ?? 0,
            memoryBytes: Int(number("memoryBytes", isNeeded: true) ?? 0)
        )
        (target.p50Milliseconds, target.p99Milliseconds) = (number("p50Milliseconds"), number("p99Milliseconds"))
        (target.sizeBytes, target.hertz) = (number("sizeBytes").map { Int($0) }, number("hertz"))
        target.loadSeconds = number("loadSeconds") ?? target.loadSeconds
        target.batteryPercentPer30Minutes = number("batteryPercentPer30Minutes") ?? target.batteryPercentPer30Minutes
        guard faults.isEmpty else { throw wrong(faults.joined(separator: "; ")) }
        return target
    }

    /// Output of `--budget list`.
    static var list: String {
        let figures: [Table.Column] =
            ["P50", "P95", "P99"].map { .number($0, "ms") }
            + [.number("memory", "MB"), .number("battery, 30 min", "%"), .number("file", "MB")]
        func megabytes(_ bytes: Int) -> String { NumberText.fixed(Double(bytes) / 1e6, 1) }
        let rows = ModelTarget.all.map { target in
            let latencies = [target.p50Milliseconds, target.p95Milliseconds, target.p99Milliseconds]
            return [target.name, target.hertz.map { NumberText.short($0) + "/s" } ?? "on request"]
                + latencies.map { $0.map(NumberText.short) ?? "–" }
                + [megabytes(target.memoryBytes), NumberText.short(target.batteryPercentPer30Minutes)]
                + [target.sizeBytes.map(megabytes) ?? "–"]
        }
        // Qualities of each model to which it degrades (S3-11 to S3-14).
        let levels = ModelTarget.neuroGuide.map { target in
            let levels = [ReadingQuality.high, .medium, .low].map { target.levels[$0]?.detail ?? "–" }
            return "  \(target.name): \(levels.joined(separator: "; "))"
        }
        return [
            Table(columns: ["", "rate"] + figures, rows: rows).terminal(width: Console.width),
            (["At the qualities high, medium and low:"] + levels).joined(separator: "\n"),
            Table("A budget file is a JSON object:", columns: ["", ""], rows: keys.map { [$0.name, $0.meaning] })
                .terminal(width: Console.width),
        ].joined(separator: "\n\n")
    }
}
