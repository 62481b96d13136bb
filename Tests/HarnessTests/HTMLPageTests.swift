import Evaluation
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Reports
@testable import Results

@Suite(.tags(.unit)) struct HTMLPageTests {
    private static let hostile = "</script><img src=x onerror=alert(1)>\"'<!-- <script>&lt;\u{202E}\u{2028}"

    private func page() throws -> ReportPage {
        let head = ReportPage.Head(
            title: Self.hostile,
            verdict: .inconclusive,
            sentence: Self.hostile,
            partial: Self.hostile
        )
        let result = try GoldenRun.result().measurements[1]
        return ReportPage(
            head: head,
            measurements: [ReportPage.measurement(result, records: [], stages: [])],
            samples: [
                ReportPage.sample(.made(Self.hostile, transcription: Self.hostile), id: Self.hostile, readings: [])
            ]
        )
    }

    private func text(_ page: ReportPage) throws -> String { String(decoding: try page.html(), as: UTF8.self) }

    /// Returns the data block as JSON.
    private func data(of page: ReportPage) throws -> [String: Any] {
        let html = try text(page)
        let begin = try #require(html.range(of: "id=\"data\">"))
        let end = try #require(html.range(of: "</script>", range: begin.upperBound..<html.endIndex))
        let block = html[begin.upperBound..<end.lowerBound]
        return try #require(try JSONSerialization.jsonObject(with: Data(block.utf8)) as? [String: Any])
    }

    @Test func noTextOfTheDataIsMarkup() throws {
        let html = try text(try page())
        #expect(!html.contains("<img src=x"))
        // The data, and the program.
        #expect(html.components(separatedBy: "</script>").count == 3)
        #expect(html.contains("<title>&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;"))
        let head = try #require(try data(of: try page())["head"] as? [String: Any])
        #expect(head["title"] as? String == Self.hostile)
    }

    @Test func whatIsAbsentSaysWhyOrIsLeftOut() throws {
        let data = try data(of: try page())
        let measurement = try #require((data["measurements"] as? [[String: Any]])?.first)
        let percentiles = try #require(measurement["percentiles"] as? [[String: Any]])
        let last = try #require(percentiles[3]["latency"] as? [String: Any])
        #expect(last["value"] as? [String: String] == ["absent": "n too small (needs ≥ 459)"])
        #expect(last["high"] == nil)
        #expect(measurement["timeline"] == nil)
        let sample = try #require((data["samples"] as? [[String: Any]])?.first)
        #expect(sample.keys.sorted() == ["c", "i", "o", "r", "t", "x"])
    }

    @Test func aRowHasNullForWhatIsAbsent() throws {
        let row: PageArray = [60, nil, 47.5, "a"]
        #expect(String(decoding: try JSONEncoder().encode(row), as: UTF8.self) == "[60,null,47.5,\"a\"]")
    }

    @Test func thePageAllowsOnlyItsOwnStyleAndScript() throws {
        let html = try text(try page())
        #expect(html.contains("default-src 'none'; img-src data:; style-src 'sha256-"))
        #expect(!html.contains("unsafe-inline"))
        #expect(!html.contains("src=\"http") && !html.contains("url("))
    }

    @Test func anEmptyPageIsAPage() throws {
        let data = try data(of: ReportPage(head: .init(title: "nothing", sentence: "")))
        #expect((data["samples"] as? [Any])?.isEmpty == true)
        #expect((data["head"] as? [String: Any])?["verdict"] == nil)
    }

    @Test func anInfiniteFigureIsAnError() throws {
        var page = try page()
        page.head.latencyTarget = .infinity
        #expect(throws: (any Error).self) { try page.html() }
    }
}
