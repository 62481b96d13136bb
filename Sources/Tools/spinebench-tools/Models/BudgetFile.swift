import Basics
import Composition
import Foundation
import Harness
import ScanningPolicies

/// Limits of a model, by name or from a file.
enum BudgetFile {
    /// Number of a file, with its meaning.
    private struct Key {
        let name: String
        let meaning: String
        var isNeeded = false
        let set: @Sendable (inout ModelTarget, Double) -> Void
    }

    private static let keys = [
        Key(name: "p95Milliseconds", meaning: "exclusive limit of the P95 of warm inferences", isNeeded: true) {
            $0.p95Milliseconds = $1
        },
        Key(name: "memoryBytes", meaning: "maximum memory", isNeeded: true) { $0.memoryBytes = Int($1) },
        Key(name: "p50Milliseconds", meaning: "exclusive limit of the P50") { $0.p50Milliseconds = $1 },
        Key(name: "p99Milliseconds", meaning: "exclusive limit of the P99") { $0.p99Milliseconds = $1 },
        Key(name: "sizeBytes", meaning: "maximum size of its file") { $0.sizeBytes = Int($1) },
        Key(name: "loadSeconds", meaning: "exclusive limit of the load time (1)") { $0.loadSeconds = $1 },
        Key(name: "batteryPercentPer30Minutes", meaning: "maximum battery use (10)") {
            $0.batteryPercentPer30Minutes = $1
        },
        Key(name: "hertz", meaning: "inferences a second, for the battery") { $0.hertz = $1 },
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
        let names = ["name"] + keys.map(\.name)
        var faults = fields.keys.sorted().filter { !names.contains($0) }.map { key in
            "unknown key \"\(key)\" of a budget: \(NearName.hint(for: key, among: names))"
        }
        var target = ModelTarget(name: "", source: path, p95Milliseconds: 0, memoryBytes: 0)
        if case .string(let text) = fields["name"] { target.name = text }
        if target.name.isEmpty { faults.append("\"name\" is missing or not text") }
        for key in keys {
            switch fields[key.name] ?? .null {
            case .number(let value) where value > 0 && value < 1e15: key.set(&target, value)
            case .null: if key.isNeeded { faults.append("\"\(key.name)\" is missing") }
            case let other:
                var found = other.kind
                if case .number(let value) = other { found = NumberText.short(value) }
                faults.append("\"\(key.name)\" is \(found); expected a number above 0")
            }
        }
        guard faults.isEmpty else { throw wrong(faults.joined(separator: "; ")) }
        return target
    }

    /// Output of `--budget list`.
    static var list: String {
        func megabytes(_ bytes: Int) -> String { NumberText.fixed(Double(bytes) / 1e6, 1) }
        let rows = ModelTarget.all.map { target in
            [target.name, target.hertz.map { NumberText.short($0) + "/s" } ?? "on request"]
                + [target.p50Milliseconds, target.p95Milliseconds, target.p99Milliseconds].map {
                    $0.map(NumberText.short) ?? "–"
                }
                + [megabytes(target.memoryBytes), NumberText.short(target.batteryPercentPer30Minutes)]
                + [target.sizeBytes.map(megabytes) ?? "–"]
        }
        let columns = [
            "", "rate", "P50 (ms)", "P95 (ms)", "P99 (ms)", "memory (MB)", "battery, 30 min (%)", "file (MB)",
        ]
        // Qualities of each model to which it degrades (S3-11 to S3-14).
        let levels = ModelTarget.neuroGuide.map { target in
            "  \(target.name): "
                + [.high, .medium, .low].map { target.levels[$0]?.detail ?? "–" }.joined(separator: "; ")
        }
        let keys = [["name", "display name"]] + keys.map { [$0.name, $0.meaning] }
        return [
            Table(columns: columns, rows: rows, numbersFrom: 2).terminal(width: Console.width),
            (["At the qualities high, medium and low:"] + levels).joined(separator: "\n"),
            Table("A budget file is a JSON object:", columns: ["", ""], rows: keys).terminal(width: Console.width),
        ].joined(separator: "\n\n")
    }
}

extension ModelTarget {
    /// The models of the NeuroGuide document and the scanner's own tiers; a megabyte is 1,000,000 bytes.
    static let all = neuroGuide + tiers

    /// The four models that share a phone, in `Resources/neuroguide.json`.
    ///
    /// Their batteries add up to 11 %, where 10 % are allowed in all (K-19), and their memory to 380 of 500 MB.
    static let neuroGuide: [ModelTarget] = {
        do { return try JSONDecoder().decode([ModelTarget].self, from: Data(PackageResources.neuroguide_json)) } catch {
            preconditionFailure("neuroguide.json comes with the program, and is broken: \(error)")
        }
    }()
}
