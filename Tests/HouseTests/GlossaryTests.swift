import Foundation
import Testing

/// Phrases that users cannot understand, in string literals and in Markdown.
@Suite struct GlossaryTests {
    /// The phrases, as regular expressions over lower-case text; each one has a plain equivalent in the comment beside it.
    private static let phrases = [
        #"told"#,  // reported, summarised
        #"tells"#,  // reports, prints
        #"kept back"#,  // redacted
        #"puts? away"#, #"put(?:ting)? (?:\w+ ){1,3}away"#,  // archive
        #"looked at"#, #"look(?:s|ing)? at"#,  // processed, checked
        #"goes on"#, #"go on"#, #"went on"#, #"going on with"#,  // continue
        #"lea(?:ve|ves|ving) (?:[\w-]+ ){1,4}away"#,  // remove
        #"(?:is|are|was|were) no (?!longer\b|more\b|fewer\b|less\b)"#,  // invalid, not a, not found
        #"com(?:es|e|ing) to (?:its|their|an|the) end"#, #"came to (?:its|their|an|the) end"#,  // finish
        #"what (?:\w+ ){0,3}comes? to"#, #"came to (?:be )?\d"#,  // result
        #"stood back"#,  // superseded
        #"cries wolf"#,  // false alarm
        #"nobody knows"#,  // unknown, unmeasured
        #"left to chance"#,  // random
        #"at most so many"#,  // maximum
        #"not for people"#,  // internal
        #"the one that (?:goes|stays)\."#,  // source, target
        #"say what to"#, #"say which"#,  // specify
        #"no message, such as"#,  // unexpected output
        #"hangs on the"#,  // depends on
        #"may be repeated"#,  // repeatable
        #"there is no such"#,  // not found, unknown
    ]

    /// Literals and lines in which a phrase is the field's own word or a machine-readable name.
    private static let exceptions: Set<String> = [
        // The id of a metric, and the heading of its column in samples.csv.
        "told"
    ]

    private static func pattern() throws -> Regex<AnyRegexOutput> {
        try Regex(#"\b(?:"# + phrases.joined(separator: "|") + ")").ignoresCase().wordBoundaryKind(.simple)
    }

    @Test func messagesUsePlainWords() throws {
        let pattern = try Self.pattern()
        var literals = 0
        for file in House.files(below: "Sources", ".swift") {
            for (line, text) in Self.literals(of: try House.text(file)) where !Self.exceptions.contains(text) {
                literals += 1
                for match in text.matches(of: pattern) {
                    Issue.record("\(file):\(line): “\(text[match.range])” in a message")
                }
            }
        }
        #expect(literals > 5_000)
    }

    @Test func documentsUsePlainWords() throws {
        let pattern = try Self.pattern()
        for document in try House.documents() {
            let lines = try House.text(document).split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                // Names in code spans are machine-readable.
                let text = line.replacing(/`[^`]*`/, with: "`")
                for match in text.matches(of: pattern) {
                    Issue.record("\(document):\(index + 1): “\(text[match.range])” in a document")
                }
            }
        }
    }

    @Test(
        arguments: [
            (#"say("the run is no run")"#, ["the run is no run"]), (#"// "told" in a comment"#, []),
            (#"text("a \(b) c") + "d""#, [#"a \(b) c"#, "d"]), (##"text(#"say "x""#)"##, [#"say "x""#]),
            ("    \"\"\"\n    It was told.\n    \"\"\"", ["    It was told."]),
        ] as [(String, [String])]
    )
    func literalsAreFound(_ source: String, _ expected: [String]) {
        #expect(Self.literals(of: source).map(\.text) == expected)
    }

    /// String literals with their lines: of a multi-line literal each line, of interpolations the text around them.
    private static func literals(of source: String) -> [(line: Int, text: String)] {
        var found: [(line: Int, text: String)] = []
        var isInside = false
        for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let parts = line.components(separatedBy: "\"\"\"")
            if parts.count == 2 {
                isInside.toggle()
                continue
            }
            if isInside {
                found.append((index + 1, String(line)))
            } else if !line.drop(while: \.isWhitespace).hasPrefix("//") {
                for match in line.matches(of: /#"(.*?)"#|"((?:[^"\\]|\\.)*)"/) {
                    found.append((index + 1, String(match.1 ?? match.2 ?? "")))
                }
            }
        }
        return found
    }
}
