import Evaluation
import Foundation
import TestSupport
import Testing

@testable import BenchmarkHarness

@Suite struct ReportGoldenTests {
    @Test(arguments: ["report.md", "report.csv", "samples.csv"])
    func reportsAreAsTheyWereApproved(name: String) throws {
        let result = try GoldenRun.result()
        let reports = RunReports(GoldenRun.contents(result))
        let report = String(decoding: try #require(try reports.files()[name]), as: UTF8.self)
        try GoldenFile(name).expect(report)
    }

    @Test func aBusyMachineIsToldBesideTheLatenciesAndLeavesMissesOpen() throws {
        var result = try GoldenRun.result()
        let rule = ValidityRule("machine quiet", required: "0 %", seen: "60 %", isMet: false, invalidates: false)
        result.measurements[1].validity.append(rule)
        #expect(MarkdownReport(result).text.contains("⚠️ tesseract: machine quiet: required 0 %, seen 60 %."))
        let strict = [Target(source: "test", metric: .latencyP95, comparator: .below, limit: 1)]
        let rows = Requirement.rows(for: result.measurements[1], targets: strict, rule: .point)
        #expect(rows[0].judgement == Judgement(.inconclusive, note: "missed, but “machine quiet” did not hold"))
    }

    @Test func theJSONReportIsTheResult() throws {
        let result = try GoldenRun.result()
        let files = try RunReports(GoldenRun.contents(result)).files()
        #expect(try JSONDecoder().decode(RunResult.self, from: Data(try #require(files["report.json"]))) == result)
    }
}
