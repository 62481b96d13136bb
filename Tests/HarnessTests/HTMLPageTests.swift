import Basics
import Evaluation
import Foundation
import Harness
import ImageCodec
import Raster
import Reports
import Testing

@Suite struct HTMLPageTests {
    private static let hostile = "</script><img src=x onerror=alert(1)>\"'<!-- <script>&lt;\u{202E}\u{2028}"

    private func page() -> ReportPage {
        var measurement = PageMeasurement(id: "fast", variant: "fast", tier: "fast", scenario: "single", dataset: "d")
        measurement.percentiles = [
            PagePercentile(50, PageValue(.value(31.5), low: 30, high: 33)),
            PagePercentile(99, PageValue(.absent("n too small (needs ≥ 459)"))),
        ]
        measurement.histogram = [PageBucket(milliseconds: 12.5, count: 3)]
        measurement.timeline = PageTimeline(
            windows: [.init(seconds: 60, p50: nil, p95: 47, residentBytes: 148_000_000)],
            sentence: Self.hostile
        )
        var head = PageHead(title: Self.hostile, verdict: .inconclusive, sentence: Self.hostile)
        head.partial = Self.hostile
        return ReportPage(
            head: head,
            measurements: [measurement],
            samples: [PageSample(id: Self.hostile, category: "vertical", title: nil, transcription: Self.hostile)]
        )
    }

    private func text(_ page: ReportPage) throws -> String { String(decoding: try page.html(), as: UTF8.self) }

    /// The data block as JSON.
    private func data(of page: ReportPage) throws -> [String: Any] {
        let html = try text(page)
        let begin = try #require(html.range(of: "id=\"data\">"))
        let end = try #require(html.range(of: "</script>", range: begin.upperBound..<html.endIndex))
        let block = html[begin.upperBound..<end.lowerBound]
        return try #require(try JSONSerialization.jsonObject(with: Data(block.utf8)) as? [String: Any])
    }

    @Test func noTextOfTheDataIsMarkup() throws {
        let html = try text(page())
        #expect(!html.contains("<img src=x"))
        // The data, and the program.
        #expect(html.components(separatedBy: "</script>").count == 3)
        #expect(html.contains("<title>&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;"))
        let head = try #require(try data(of: page())["head"] as? [String: Any])
        #expect(head["title"] as? String == Self.hostile)
    }

    @Test func whatIsAbsentSaysWhyOrIsLeftOut() throws {
        let data = try data(of: page())
        #expect(data["comparison"] == nil)
        let measurement = try #require((data["measurements"] as? [[String: Any]])?.first)
        let percentiles = try #require(measurement["percentiles"] as? [[String: Any]])
        let last = try #require(percentiles[1]["latency"] as? [String: Any])
        #expect(last["value"] as? [String: String] == ["absent": "n too small (needs ≥ 459)"])
        #expect(last["low"] == nil && last["high"] == nil)
        let sample = try #require((data["samples"] as? [[String: Any]])?.first)
        #expect(sample.keys.sorted() == ["c", "i", "r", "x"])
    }

    @Test func bucketsAndWindowsAreShort() throws {
        let html = try text(page())
        #expect(html.contains("\"histogram\":[[12.5,3]]"))
        #expect(html.contains("\"windows\":[[60,null,47,148000000]]"))
    }

    @Test func thePageAllowsOnlyItsOwnStyleAndScript() throws {
        let html = try text(page())
        #expect(html.contains("default-src 'none'; img-src data:; style-src 'sha256-"))
        #expect(!html.contains("unsafe-inline"))
        #expect(!html.contains("src=\"http") && !html.contains("url("))
    }

    @Test func anEmptyPageIsAPage() throws {
        let data = try data(of: ReportPage(head: PageHead(title: "nothing", sentence: "")))
        #expect((data["samples"] as? [Any])?.isEmpty == true)
        #expect((data["head"] as? [String: Any])?["verdict"] == nil)
    }

    @Test func anInfiniteFigureIsAnError() {
        var page = page()
        page.head.latencyTarget = .infinity
        #expect(throws: (any Error).self) { try page.html() }
    }
}
