import Foundation
import Testing

/// Tables of Docs/MEASURING.md, which are written from the code: `SPINEBENCH_WRITE_GOLDEN=1` rewrites them.
@Suite struct TableTests {
    @Test func exitCodesAreThoseOfTheCode() throws {
        let source = try House.text("Sources/Base/CommandSupport/ExitStatus.swift")
        let rows = source.matches(of: /((?: +\/\/\/ .*\n)+) +case \w+(?:\(|\n)/).compactMap { match -> String? in
            let text = match.1.split(separator: "\n").map { $0.drop { " /".contains($0) } }.joined(separator: " ")
            return text.wholeMatch(of: /([0-9, ]+): (.*)\./).map { "| \($0.1) | \($0.2) |" }
        }
        #expect(rows.count == 6)
        try expect(["| code | meaning |", "|---|---|"] + rows)
    }

    /// A row for each requirement and its tiers or categories, in the order of the file.
    @Test func targetsAreThoseOfTheCode() throws {
        var targets: [(source: String, text: String, of: String)] = []
        let file = try House.text("Sources/Bench/Harness/Claims/standard-targets.yaml")
        for line in file.matches(of: /(?m)^- \{ (.*) \}$/) {
            let pairs = line.1.matches(of: /([a-z-]+): ((?:[&*]\w+ ?)?\[.*?\]|[^,]+)/)
            let entry = Dictionary(uniqueKeysWithValues: pairs.map { (String($0.1), String($0.2)) })
            let limit = [("below", "<"), ("at-most", "≤"), ("at-least", "≥")].compactMap { key, sign in
                entry[key].map { "\(sign) \($0)" }
            }
            let (metric, source) = (try #require(entry["metric"]), try #require(entry["source"]))
            let text = "`\(metric)` \(limit.joined())" + (entry["gates"] == "false" ? ", not gating" : "")
            let of = entry["tier"] ?? entry["category"] ?? "all"
            if let same = targets.firstIndex(where: { $0.source == source && $0.text == text }) {
                targets[same].of += ", \(of)"
            } else {
                targets.append((source, text, of))
            }
        }
        let heads = targets.map { "|\($0.source)|\($0.of)|" }
        let rows = heads.enumerated().filter { heads.firstIndex(of: $1) == $0 }.map { _, head in
            head + zip(heads, targets).filter { $0.0 == head }.map(\.1.text).joined(separator: "; ") + "|"
        }
        #expect(rows.count > 10)
        try expect(["|id|of|targets|", "|---|---|---|"] + rows)
    }

    private func expect(_ rows: [String]) throws {
        let document = "Docs/MEASURING.md"
        var lines = try House.text(document).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: rows[0]), "\(document) lacks the table \(rows[0])")
        let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
        if ProcessInfo.processInfo.environment["SPINEBENCH_WRITE_GOLDEN"] != nil {
            lines.replaceSubrange(start..<end, with: rows)
            try Data(lines.joined(separator: "\n").utf8).write(to: House.root.appending(path: document))
        } else {
            #expect(Array(lines[start..<end]) == rows, "SPINEBENCH_WRITE_GOLDEN=1 writes the table")
        }
    }
}
