import Basics
import Foundation
import Testing

@testable import Documents

@Suite struct DocumentTests {
    /// Nine tiers with long names and cells, as a large run has them.
    private static let wide = Table(
        "Tiers × requirements of a run whose title alone is longer than the narrowest of all the terminals that are tried",
        note: "A note that is longer than the narrowest of the terminals, so that it has to go on in another line.",
        columns: ["Requirement", "Id"] + (1...9).map { .number("tier-number-\($0)", "ms") } + ["status"],
        rows: (1...4).map { row in
            ["title read within 500 ms, 読書の背表紙 ≥ 85 %", "S0-A0\(row)"]
                + (1...9).map { "✅ \(row)\($0).5 [12.0, 99.0]" }
                + ["⚠️ not decided: \(String(repeating: "x", count: 70)) needs more different spines to be sure"]
        }
    )

    @Test(arguments: [60, 80, 120]) func noTableIsWiderThanTheTerminal(width: Int) {
        let text = Self.wide.terminal(width: width)
        for line in text.split(separator: "\n") { #expect(TextWidth.of(String(line)) <= width, "\(line)") }
        // Nothing is lost: every tier and every figure is there.
        for tier in 1...9 { #expect(text.contains("tier-number-\(tier)")) }
        for row in 1...4 { for tier in 1...9 { #expect(text.contains("✅ \(row)\(tier).5")) } }
        #expect(text.count { $0 == "x" } == 4 * 70)
        // Each part names the subject of its rows.
        #expect(text.components(separatedBy: "S0-A01").count == text.components(separatedBy: "Requirement").count)
    }

    @Test func whatFitsIsOneTableWithFiguresToTheRight() {
        let table = Table(
            columns: ["tier", .number("P95", "ms")],
            rows: [["fast", "**9.5**"], ["accurate", "120.0"]]
        )
        #expect(
            table.terminal(width: 40) == """
                  tier      P95 (ms)
                  fast           9.5
                  accurate     120.0
                """
        )
        #expect(
            table.markdown == """
                | tier | P95 (ms) |
                | --- | ---: |
                | fast | **9.5** |
                | accurate | 120.0 |
                """
        )
    }

    @Test func cellsCannotEndACellOrALine() {
        let table = Table(columns: ["a|b"], rows: [["x|y\r\nz\nw"]])
        #expect(table.markdown == "| a\\|b |\n| --- |\n| x\\|y z w |")
        #expect(Markdown.literal("<b>*_`[]") == "&lt;b>\\*\\_\\`\\[\\]")
    }

    @Test func aTableIsStoredWithItsLabels() throws {
        let table = Table("t", note: "n", columns: ["a", .number("b", "ms")], rows: [["x", "1"]])
        let data = try JSONEncoder().encode(table)
        let fields = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(fields["columns"] as? [String] == ["a", "b (ms)"] && fields["numbersFrom"] as? Int == 1)
        #expect(try JSONDecoder().decode(Table.self, from: data).markdown == table.markdown)
        #expect(throws: DecodingError.self) {
            let faulty = #"{"title":"","note":"","columns":["a"],"rows":[["x","y"]],"numbersFrom":1}"#
            _ = try JSONDecoder().decode(Table.self, from: Data(faulty.utf8))
        }
    }

    @Test(arguments: [60, 80, 120]) func diagramsFitAndBeginAtZero(width: Int) {
        let plot = BarPlot(
            "Latency, P95 (ms)",
            bars: [
                .init("a-tier-with-a-name-that-is-much-too-long-for-anybody", 100, text: "100.0 [90.0, 120.0]"),
                .init("half", 50, text: "50.0"), .init("none", nil, text: "n too small (needs ≥ 90)"),
            ]
        )
        let lines = Document.Section(nil, [.bars(plot)]).terminal(width: width).split(separator: "\n")
            .map(String.init)
        #expect(lines.allSatisfy { TextWidth.of($0) <= width })
        let bars = lines.dropFirst().map { $0.count { "█▏▎▍▌▋▊▉".contains($0) } }
        // The axis begins at zero: half of the figure is half of the bar, to a letter.
        #expect(abs(2 * bars[1] - bars[0]) <= 2 && bars[2] == 0 && bars[0] > 8)
    }

    // MARK: Length

    /// Returns a section of a number of rows, of about 40 characters each.
    private func section(_ name: String, rows: Int, isSummary: Bool = false) -> Document.Section {
        let table = Table(
            columns: ["name", "figure"],
            rows: (0..<rows).map { ["\(name) \($0)", String(repeating: "9", count: 24)] }
        )
        return Document.Section(name, isSummary: isSummary, [.paragraph("About \(name)."), .table(table)])
    }

    @Test func whatThereIsRoomForIsWhole() {
        let document = Document("t", [section("one", rows: 10)])
        #expect(document.markdown(limit: 60_000, whole: "d.md") == document.markdown())
    }

    @Test func theLongestSectionsAreOmitted() {
        let document = Document(
            "t",
            [section("head", rows: 5, isSummary: true), section("long", rows: 3_000), section("short", rows: 100)]
        )
        let text = document.markdown(limit: 60_000, whole: "d.md")
        #expect(text.count <= 60_000)
        #expect(text.contains("## long\n\nOmitted here; see d.md.") && text.contains("short 99"))
    }

    @Test func aSummaryThatIsTooLongLosesRowsAndSaysSo() {
        let document = Document("t", [section("head", rows: 4_000, isSummary: true), section("short", rows: 100)])
        let text = document.markdown(limit: 60_000, whole: "d.md")
        #expect(text.count <= 60_000 && text.contains("head 10 "))
        #expect(text.components(separatedBy: "Only the first rows; all are in d.md.").count == 2)
    }

    // MARK: Width

    /// Computed by hand, after Unicode Standard Annex 11.
    @Test(arguments: [("abc", 3), ("", 0), ("読書", 4), ("✅ a", 4), ("e\u{301}", 1), ("⚠️", 2), ("█▏", 2)])
    func widthsAreOfColumns(text: String, width: Int) {
        #expect(TextWidth.of(text) == width)
    }

    @Test func wordsAreKeptWholeWhereTheyCanBe() {
        #expect(TextWidth.wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(TextWidth.wrapped("a abcdefgh", to: 4) == ["a", "abcd", "efgh"])
        #expect(TextWidth.wrapped("", to: 4) == [""])
        #expect(TextWidth.cut("abcdef", to: 4) == "abc…")
    }

    // MARK: Progress

    @Test(arguments: [40, 60, 80, 120]) func progressIsOneLine(width: Int) {
        let news = ["12.3/s", "P95 so far 1234 ms", "3 failed", "2 min 3 s left"]
        for label in ["", "fast", "a-variant-with-many-settings,threads=1,precision=int8 on real-dev-1"] {
            for total in [nil, 2_160] {
                let line = ProgressBar.line(label, done: 1_203, total: total, news: news, width: width)
                #expect(TextWidth.of(line) < width, "\(line)")
                #expect(line.contains(total == nil ? "1203 done" : "1203/2160"))
                #expect(line.hasSuffix("left"))
            }
        }
        #expect(
            ProgressBar.line("fast", done: 15, total: 30, news: ["9 s left"], width: 80)
                == "fast " + String(repeating: "█", count: 15) + String(repeating: "░", count: 15) + " 15/30, 9 s left"
        )
    }
}
