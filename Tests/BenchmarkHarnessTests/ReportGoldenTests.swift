import Foundation
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

    @Test func aBusyMachineIsToldBesideTheLatencies() throws {
        var result = try GoldenRun.result()
        #expect(!MarkdownReport(result).text.contains("was busy"))
        result.host.loadAverage = 1.5
        #expect(MarkdownReport(result).text.contains("busy when the run began (load 1.5 on 2 cores)"))
    }

    @Test func theJSONReportIsTheResult() throws {
        let result = try GoldenRun.result()
        let files = try RunReports(GoldenRun.contents(result)).files()
        #expect(try JSONDecoder().decode(RunResult.self, from: Data(try #require(files["report.json"]))) == result)
    }
}
