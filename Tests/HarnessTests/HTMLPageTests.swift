import Basics
import Documents
import Evaluation
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness
@testable import Reports

@Suite(.tags(.unit)) struct HTMLPageTests {
    private static let hostile = "</script><img src=x onerror=alert(1)>\"'<!-- <script>&lt;\u{202E}\u{2028}"

    private func page() throws -> ReportPage {
        var contents = GoldenRun.contents(try GoldenRun.result())
        contents.result.datasets[0].name = Self.hostile
        contents.warnings = [Self.hostile]
        return ReportPage(contents)
    }

    private func text(_ page: ReportPage) throws -> String { String(decoding: try page.html(), as: UTF8.self) }

    /// Returns a data block as JSON.
    private func data(of page: ReportPage, id: String = "data") throws -> [String: Any] {
        let html = try text(page)
        let begin = try #require(html.range(of: "id=\"\(id)\">"))
        let end = try #require(html.range(of: "</script>", range: begin.upperBound..<html.endIndex))
        let block = html[begin.upperBound..<end.lowerBound]
        return try #require(try JSONSerialization.jsonObject(with: Data(block.utf8)) as? [String: Any])
    }

    @Test func noTextOfTheDataIsMarkup() throws {
        let html = try text(try page())
        #expect(!html.contains("<img src=x"))
        // The data, the pictures, and the program.
        #expect(html.components(separatedBy: "</script>").count == 4)
        #expect(html.contains("<title>Spine reading: &lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;"))
        #expect(try data(of: try page())["warnings"] as? [String] == [Self.hostile])
    }

    @Test func thePageIsTheReport() throws {
        let contents = GoldenRun.contents(try GoldenRun.result())
        let data = try data(of: ReportPage(contents))
        let files = try RunReports(contents).files()
        let report = try JSONSerialization.jsonObject(with: Data(try #require(files["report.json"])))
        #expect(data["report"] as? NSDictionary == report as? NSDictionary)
        // Each paragraph, item and cell of the document is in report.md.
        let markdown = String(decoding: try #require(files["report.md"]), as: UTF8.self)
        let sections = try #require(data["sections"] as? [[String: Any]])
        #expect(sections.count == RunDocument(contents.result).document.sections.count)
        for block in sections.flatMap({ $0["blocks"] as? [Any] ?? [] }) {
            let cells = ((block as? [String: Any])?["rows"] as? [[String]])?.flatMap(\.self)
            for text in [block as? String].compactMap(\.self) + (block as? [String] ?? cells ?? []) where !text.isEmpty
            {
                #expect(markdown.contains(Markdown.line(text)) || markdown.contains(text), "\(text)")
            }
        }
    }

    @Test func whatIsAbsentSaysWhyOrIsLeftOut() throws {
        let data = try data(of: ReportPage(GoldenRun.contents(try GoldenRun.result())))
        let figures = try #require(data["figures"] as? [[String: Any]])
        let last = try #require(
            figures.last { $0["metric"] as? String == "latency-p99" && $0["category"] as? String == "all" }
        )
        #expect(last["note"] as? String == "n too small (needs ≥ 459)")
        #expect(last["value"] == nil && last["high"] == nil)
        for figure in figures where figure["value"] == nil { #expect(figure["note"] != nil, "\(figure)") }
    }

    @Test func thePageAllowsOnlyItsOwnStyleAndScript() throws {
        let html = try text(try page())
        #expect(html.contains("default-src 'none'; img-src data:; style-src 'sha256-"))
        #expect(!html.contains("unsafe-inline"))
        #expect(!html.contains("src=\"http") && !html.contains("url("))
    }

    @Test func anEmptyPageIsAPage() throws {
        let page = ReportPage(title: "nothing", word: "NO VERDICT", sections: [Document.Section(nil, [])], names: [])
        #expect((try data(of: page)["samples"] as? [Any])?.isEmpty == true)
        #expect((try data(of: page, id: "pictures")["items"] as? [Any])?.isEmpty == true)
    }

    @Test func anInfiniteFigureIsAnError() throws {
        var page = try page()
        page.latencyTarget = .infinity
        #expect(throws: (any Error).self) { try page.html() }
    }
}
