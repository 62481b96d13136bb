import Foundation
import Testing

/// Documents that describe the repository's contents.
@Suite struct DocumentTests {
    /// Relative links of all Markdown files, with the places in them that they lead to.
    @Test func linksLeadSomewhere() throws {
        var checked = 0
        for document in try House.documents() {
            let text = try House.text(document)
            for link in text.matches(of: /\]\(([^)\s]+)\)/) {
                let parts = link.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(
                    String.init
                )
                guard !parts[0].contains("://"), !parts[0].hasPrefix("mailto:") else { continue }
                let folder = (document as NSString).deletingLastPathComponent
                let target =
                    parts[0].isEmpty
                    ? document : ((folder as NSString).appendingPathComponent(parts[0]) as NSString).standardizingPath
                let path = House.root.appending(path: target).path
                #expect(FileManager.default.fileExists(atPath: path), "\(document) links to \(link.1)")
                if parts.count == 2, target.hasSuffix(".md"), FileManager.default.fileExists(atPath: path) {
                    #expect(
                        try Self.anchors(of: House.text(target)).contains(parts[1]),
                        "\(document) links to \(link.1)"
                    )
                }
                checked += 1
            }
        }
        #expect(checked > 20)
    }

    /// Returns the anchors of headings, as on GitHub: lower case, hyphens for blanks, nothing else but letters,
    /// digits and underscores.
    private static func anchors(of text: String) -> [String] {
        text.matches(of: /(?m)^#+ +(.+)$/).map { heading in
            heading.1.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
        }
    }

    /// A requirement, an experiment or a contradiction of the seed documents.
    private static var id: Regex<Substring> { /\b(?:S[0-4]-[A-Z]*[0-9]+|E-[0-9]{2}|K-[0-9]{1,2})\b/ }

    @Test func everyCitedRequirementIsExplained() throws {
        let explained = Set(
            try House.text("Docs/REQUIREMENTS.md").matches(of: /(?m)^\| ([SEK][0-9]?-\w+) \|/).map { String($0.1) }
        )
        #expect(explained.count > 100)
        let sources = ["Sources", "Suites", "Devices"]
            .flatMap { House.files(below: $0, ".swift", ".yaml", ".md", ".js", ".html", ".json") }
        for file in try sources + House.documents() {
            for match in try House.text(file).matches(of: Self.id) {
                let id = String(match.0)
                #expect(explained.contains(id), "\(file) cites \(id), which Docs/REQUIREMENTS.md lacks")
            }
        }
    }

    /// Types, files and paths that ARCHITECTURE.md names are there.
    @Test func theMapIsOfThisHouse() throws {
        let files = House.files(below: "Sources", ".swift")
        var known = Set(HousePlan(manifest: try House.text("Package.swift")).targets.map(\.name))
        for file in files {
            known.insert((file as NSString).lastPathComponent)
            for line in try House.text(file).split(separator: "\n") where line.contains(" {") || line.contains(":") {
                let words = line.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
                guard let kind = words.firstIndex(where: Self.kinds.contains), kind + 1 < words.count else { continue }
                known.insert(String(words[kind + 1]))
            }
        }
        for match in try House.text("ARCHITECTURE.md").matches(of: /`([^`\n]+)`/) {
            let name = String(match.1)
            if name.contains("/"), !name.contains("<"), !name.contains("*") {
                let path = House.root.appending(path: name).path
                #expect(FileManager.default.fileExists(atPath: path), "ARCHITECTURE.md names \(name)")
            } else if name.contains(/^[A-Z][A-Za-z+]+(\.swift)?$/), !["Sources", "Package.swift"].contains(name) {
                #expect(
                    known.contains(name)
                        || FileManager.default.fileExists(atPath: House.root.appending(path: name).path),
                    "ARCHITECTURE.md names \(name)"
                )
            }
        }
    }

    private static let kinds: Set<Substring> = [
        "struct", "class", "enum", "actor", "protocol", "extension", "typealias",
    ]

    /// A page answers one question; the list of requirements has a row for each.
    @Test func pagesAreShort() throws {
        for path in try House.documents() where path.hasPrefix("Docs/") || path == "README.md" {
            let words = try House.text(path).split(whereSeparator: \.isWhitespace).count
            let most = path == "README.md" ? 900 : path == "Docs/REQUIREMENTS.md" ? 4_000 : 1_500
            #expect(words <= most, "\(path) has \(words) words, at most \(most)")
        }
    }
}
