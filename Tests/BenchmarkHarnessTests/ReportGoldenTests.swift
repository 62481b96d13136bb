import Foundation
import Testing

@testable import BenchmarkHarness

@Suite struct ReportGoldenTests {
    @Test(arguments: ["report.md", "report.csv", "samples.csv"])
    func reportsAreAsTheyWereApproved(name: String) throws {
        let result = try GoldenRun.result()
        let reports = RunReports(result, samples: GoldenRun.samples, records: GoldenRun.records)
        let report = String(decoding: try #require(try reports.files()[name]), as: UTF8.self)
        if ProcessInfo.processInfo.environment["SPINEBENCH_WRITE_GOLDEN"] != nil {
            let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/" + name)
            try Data(report.utf8).write(to: url)
        }
        let golden = try #require(Bundle.module.url(forResource: "Fixtures/" + name, withExtension: nil))
        let expected = try String(contentsOf: golden, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let found = report.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, (found, expected)) in zip(found, expected).enumerated() {
            #expect(found == expected, "line \(index + 1)")
        }
        #expect(found.count == expected.count)
    }

    @Test func aBusyMachineIsToldBesideTheLatencies() throws {
        var result = try GoldenRun.result()
        #expect(!MarkdownReport(result).text.contains("was busy"))
        result.host.loadAverage = 1.5
        #expect(MarkdownReport(result).text.contains("busy when the run began (load 1.5 on 2 cores)"))
    }

    @Test func theJSONReportIsTheResult() throws {
        let result = try GoldenRun.result()
        let files = try RunReports(result, samples: [], records: []).files()
        #expect(try JSONDecoder().decode(RunResult.self, from: Data(try #require(files["report.json"]))) == result)
    }
}
