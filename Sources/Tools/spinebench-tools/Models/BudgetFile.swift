import Basics
import CommandSupport
import Documents
import Foundation
import Harness
import ScanningPolicies
import Systems

/// Limits of a model, by name or from a file.
enum BudgetFile {
    /// Budget as its file has it.
    private struct Entry: Decodable, Checked {
        var name: String
        var p95Milliseconds: Double
        var memoryBytes: Double
        var p50Milliseconds: Double?
        var p99Milliseconds: Double?
        var sizeBytes: Double?
        var loadSeconds: Double?
        var batteryPercentPer30Minutes: Double?
        var hertz: Double?

        mutating func check(_ at: Checker) {
            at["name"].filled(name)
            let figures = [
                "p95Milliseconds": p95Milliseconds, "memoryBytes": memoryBytes, "p50Milliseconds": p50Milliseconds,
                "p99Milliseconds": p99Milliseconds, "sizeBytes": sizeBytes, "loadSeconds": loadSeconds,
                "batteryPercentPer30Minutes": batteryPercentPer30Minutes, "hertz": hertz,
            ]
            for (key, figure) in figures { at[key].range(figure, 0...1e15, above: true) }
        }
    }

    /// Keys of a file, and their meanings.
    private static let keys = [
        ["name", "display name"], ["p95Milliseconds", "exclusive limit of the P95 of warm inferences"],
        ["memoryBytes", "maximum memory"], ["p50Milliseconds", "exclusive limit of the P50"],
        ["p99Milliseconds", "exclusive limit of the P99"], ["sizeBytes", "maximum size of its file"],
        ["loadSeconds", "exclusive limit of the load time (1)"],
        ["batteryPercentPer30Minutes", "maximum battery use (10)"],
        ["hertz", "inferences a second, for the battery"],
    ]

    /// Returns a ready-made budget by its name or the beginning of one, or the file at a path that ends in `.json`.
    ///
    /// - Throws: `HarnessError.configuration` when there is none, or the faults of a file.
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
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HarnessError.configuration("\(path): the file cannot be read")
        }
        let faults = FaultCollector(file: path)
        let entry = try LocatedDecoder.decode(Entry.self, from: try JSONParser.node([UInt8](data), faults), faults)
        var target = ModelTarget(
            name: entry.name,
            source: path,
            p95Milliseconds: entry.p95Milliseconds,
            memoryBytes: Int(entry.memoryBytes)
        )
        (target.p50Milliseconds, target.p99Milliseconds) = (entry.p50Milliseconds, entry.p99Milliseconds)
        (target.sizeBytes, target.hertz) = (entry.sizeBytes.map { Int($0) }, entry.hertz)
        target.loadSeconds = entry.loadSeconds ?? target.loadSeconds
        target.batteryPercentPer30Minutes = entry.batteryPercentPer30Minutes ?? target.batteryPercentPer30Minutes
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
