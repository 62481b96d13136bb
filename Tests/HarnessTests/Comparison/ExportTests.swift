import Foundation
import TestSupport
import Testing

@testable import Harness
@testable import Reports

@Suite(.tags(.unit)) struct ExportTests {
    private let report = CheckReport(
        word: "FAIL",
        sentence: "one missed",
        markdown: "# Gate: FAIL\n\nline\n",
        checks: [
            .init(suite: "fast", name: "P95 < 50 ms", outcome: .passed, message: "41 ms"),
            .init(suite: "fast", name: "title read", outcome: .failed, message: "80 %, \"bad\" & <worse>\u{1}\nsecond"),
            .init(suite: "accurate", name: "title read", outcome: .open, message: "n too small"),
        ],
        figures: [
            .init(
                bench: "fast",
                measure: "latency-p50",
                unit: "ms",
                value: 31.5,
                range: 30...33.25,
                higherIsBetter: false
            ),
            .init(bench: "fast", measure: "title-read", unit: "%", value: 80, range: 70...87.5, higherIsBetter: true),
            .init(bench: "fast", measure: "memory", unit: "MB", value: 300, range: nil, higherIsBetter: false),
        ]
    )

    @Test func jUnitIsAsItWasApproved() throws {
        try GoldenFile("gate.junit.xml").expect(String(decoding: JUnitXML.bytes(report), as: UTF8.self))
    }

    @Test func aReportWithoutChecksIsAnEmptyListOfSuites() {
        let empty = CheckReport(word: "", sentence: "", markdown: "", checks: [], figures: [])
        #expect(String(decoding: JUnitXML.bytes(empty), as: UTF8.self).contains("tests=\"0\" failures=\"0\""))
    }

    @Test func jUnitOfAComparisonFailsItsWorseRows() {
        let text = String(decoding: JUnitXML.bytes(CheckReport(GoldenComparison.report)), as: UTF8.self)
        // Memory passes; six titles of forty are not certain, and P95 is too noisy to gate.
        #expect(text.contains("tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"2\" time=\"0\""))
    }

    @Test func annotationsEscapeWhatWouldEndThem() {
        let lines = GitHubActions.annotations(report).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0] == "::error title=fast%3A title read::80 %25, \"bad\" & <worse>\u{1}%0Asecond")
        #expect(lines[1] == "::warning title=accurate%3A title read::n too small")
        #expect(lines[2] == "::notice title=spinebench%3A FAIL::one missed")
        #expect(GitHubActions.escaped("a,b:c%\r\n", isProperty: true) == "a%2Cb%3Ac%25%0D%0A")
    }

    @Test func bencherTakesNanosecondsAndBytes() throws {
        try GoldenFile("bencher.json").expect(String(decoding: ChartJSON.bencher(report), as: UTF8.self))
    }

    @Test func theBenchmarkActionTakesEachDirectionApart() throws {
        struct Entry: Decodable {
            let name: String
            let unit: String
            let value: Double
            let range: String?
        }
        let files = try ChartJSON.benchmarkAction(report)
        let smaller = try JSONDecoder().decode(
            [Entry].self,
            from: Data(try #require(files["smaller-is-better.json"]))
        )
        #expect(smaller.map(\.name) == ["fast / latency-p50", "fast / memory"])
        #expect(smaller.map(\.value) == [31.5, 300])
        #expect(smaller[0].range == "30.000–33.250" && smaller[1].range == nil)
        let bigger = try JSONDecoder().decode([Entry].self, from: Data(try #require(files["bigger-is-better.json"])))
        #expect(bigger.map(\.unit) == ["%"])
    }
}
