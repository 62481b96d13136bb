import Foundation
import Testing

/// Compares the size of each part of the repository with `budget.txt`.
@Suite struct BudgetTests {
    /// A figure of `budget.txt`, or one that was counted.
    private struct Row {
        var part: String
        /// Thousands of characters of code, without white space and comments; words of documents.
        var size: Double
    }

    /// A part fits its figure, and a figure is at most 1 % above its part: who makes a part smaller lowers the figure.
    @Test func partsFitTheirBudget() throws {
        let counted = try Self.counted()
        let budget = try Self.budget()
        #expect(budget.map(\.part) == counted.map(\.part), "budget.txt does not name the parts of the repository")
        let figures = Dictionary(budget.map { ($0.part, $0.size) }) { first, _ in first }
        for row in counted {
            let figure = figures[row.part] ?? 0
            print("\(row.part): \(Self.text(row.size)) of \(Self.text(figure))")
            #expect(row.size <= figure, "\(row.part) has outgrown budget.txt: delete, do not raise")
            #expect(row.size >= figure * 0.99, "\(row.part) is smaller: write \(Self.text(row.size)) in budget.txt")
        }
    }

    private static func text(_ size: Double) -> String { String(format: "%.1f", size) }

    private static func budget() throws -> [Row] {
        try House.text("budget.txt").split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let words = line.split(separator: " ")
            let size = try #require(words.count == 2 ? Double(words[1]) : nil, "budget.txt: \(line)")
            return Row(part: String(words[0]), size: size)
        }
    }

    private static func counted() throws -> [Row] {
        var sizes: [String: Int] = [:]
        for top in try FileManager.default.contentsOfDirectory(atPath: House.root.path) {
            let isFolder = try House.isFolder(top)
            guard !top.hasPrefix(".") || [".ci", ".github"].contains(top) else { continue }
            for path in isFolder ? House.files(below: top, "") : [top] where !CodeSize.isData(path) {
                if let size = try CodeSize.characters(of: path) { sizes[CodeSize.part(of: path), default: 0] += size }
            }
        }
        let words = try House.documents().filter { !CodeSize.isData($0) }
            .reduce(0) { try $0 + House.text($1).split(whereSeparator: \.isWhitespace).count }
        return sizes.sorted { $0.key < $1.key }.map { Row(part: $0.key, size: Double($0.value) / 1_000) }
            + [Row(part: "words", size: Double(words))]
    }

    @Test(arguments: [
        ("a.swift", "let a = 1  // b\n/* c */ let d = \"// e\"\n", "leta=1letd=\"//e\""),
        ("a.swift", "let a = \"\"\"\n    // b \"c\"\n    \"\"\"\n", "leta=\"\"\"//b\"c\"\"\"\""),
        ("a.js", "const a = `/* b */`; // c\n", "consta=`/*b*/`;"),
        ("a.css", "a { b: url(//c); } /* d */", "a{b:url(//c);}"),
        ("a.html", "<a> <!-- b --> </a>", "<a></a>"),
        ("a.py", "#!/bin/a\n# b\nc = '#'  # d\n", "#!/bin/ac='#'#d"),
        ("a.py", "\"\"\"a\n\nb\"\"\"\nc\n", "c"),
    ])
    func codeIsCounted(path: String, text: String, code: String) {
        #expect(String(decoding: CodeSize.code(of: Array(text.utf8), in: path), as: UTF8.self) == code)
    }
}

/// The size of code as a reader sees it: neither white space nor comments, so that another layout changes nothing.
enum CodeSize {
    private static let slashed: Set = ["swift", "js", "c", "h"]
    private static let hashed: Set = ["py", "sh", "yml", "yaml", "sbatch"]

    /// Whether a file holds data: labelled pictures, recorded answers, what a run left behind.
    static func isData(_ path: String) -> Bool {
        path.contains("/Fixtures/") || path.hasPrefix("Datasets/") && !path.hasSuffix(".py")
            || ["Reports/", "Suites/faults/"].contains(where: path.hasPrefix) && !path.hasSuffix(".md")
    }

    /// Returns the part that a file belongs to: a folder of `Sources`, `Apps`, `Tests`, or the rest.
    static func part(of path: String) -> String {
        let folders = path.split(separator: "/")
        switch folders[0] {
        case "Sources": return folders.prefix(2).joined(separator: "/")
        case "Apps": return folders.contains("Tests") ? "Tests" : "Apps"
        case "Tests": return "Tests"
        default: return "scripts-and-the-rest"
        }
    }

    /// Returns the number of characters of code; nil for a file that is none.
    static func characters(of path: String) throws -> Int? {
        guard let data = FileManager.default.contents(atPath: House.root.appending(path: path).path) else { return nil }
        let bytes = [UInt8](data)
        guard language(of: path, bytes) != nil else { return nil }
        // A character of several bytes counts once.
        return code(of: bytes, in: path).count { $0 & 0xC0 != 0x80 }
    }

    private static func language(of path: String, _ bytes: [UInt8]) -> String? {
        let ending = URL(filePath: path).pathExtension
        if slashed.contains(ending) || hashed.contains(ending) || ["css", "html"].contains(ending) { return ending }
        let isProgram = ending.isEmpty && bytes.starts(with: Array("#!".utf8))
        return isProgram || path.hasSuffix("Makefile") ? "sh" : nil
    }

    /// Returns the bytes of a text that are neither white space nor in a comment.
    static func code(of bytes: [UInt8], in path: String) -> [UInt8] {
        let language = language(of: path, bytes) ?? ""
        var code: [UInt8] = []
        var index = 0
        func follows(_ text: String) -> Bool { index < bytes.count && bytes[index...].starts(with: text.utf8) }
        /// Skips to behind `end`, and keeps what it skips where it is no comment.
        func skip(_ start: String, to end: String, isCode: Bool = false) {
            let first = index
            index += start.utf8.count
            while index < bytes.count, !follows(end) {
                if end == "\"", bytes[index] == UInt8(ascii: "\n") { break }  // a quote in an expression or a character
                index += isCode && bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            index = min(bytes.count, follows(end) ? index + end.utf8.count : index)
            if isCode { code += bytes[first..<index].filter { !isSpace($0) } }
        }
        var isLineStart = true
        while index < bytes.count {
            let wasLineStart = isLineStart
            isLineStart = bytes[index] == UInt8(ascii: "\n") || isLineStart && isSpace(bytes[index])
            if slashed.contains(language) || language == "css" {
                let isScript = language != "css"
                if follows("/*") {
                    skip("/*", to: "*/")
                    continue
                }
                if isScript, follows("//") {
                    skip("//", to: "\n")
                    continue
                }
                if isScript, follows("\"\"\"") {
                    skip("\"\"\"", to: "\"\"\"", isCode: true)
                    continue
                }
                if isScript, language == "js", follows("`") {
                    skip("`", to: "`", isCode: true)
                    continue
                }
                if follows("\"") {
                    skip("\"", to: "\"", isCode: true)
                    continue
                }
            } else if language == "html" {
                if follows("<!--") {
                    skip("<!--", to: "-->")
                    continue
                }
            } else if hashed.contains(language), wasLineStart, !isSpace(bytes[index]) {
                if follows("#"), !follows("#!") {
                    skip("#", to: "\n")
                    isLineStart = true
                    continue
                }
                if language == "py", follows("\"\"\"") {
                    skip("\"\"\"", to: "\"\"\"")
                    continue
                }
            }
            if !isSpace(bytes[index]) { code.append(bytes[index]) }
            index += 1
        }
        return code
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
