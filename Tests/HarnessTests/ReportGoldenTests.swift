import Basics
import Documents
import Evaluation
import Foundation
import TestSupport
import Testing

@testable import Harness
@testable import Reports

@Suite(.tags(.unit)) struct ReportGoldenTests {
    @Test(arguments: ["report.md", "figures.csv", "samples.csv"])
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
        #expect(
            RunDocument(result).markdown.contains(
                "⚠️ tesseract: times may be too long: machine quiet: required 0 %, measured 60 %."
            )
        )
        let strict = [Claim(source: "test", metric: .latencyP95, comparator: .below, limit: 1)]
        let rows = Judge(measurements: [result.measurements[1]]).compliance(with: strict)
        #expect(rows[0].judgement == Judgement(.inconclusive, note: "missed, but “machine quiet” did not hold"))
    }

    /// Returns a run of `count` measurements, all like the two of the golden one.
    private func large(_ count: Int) throws -> RunResult {
        let golden = try GoldenRun.result()
        var result = golden
        (result.measurements, result.compliance) = ([], [])
        for index in 0..<count {
            for measurement in golden.measurements {
                var copy = measurement
                copy.id = "\(measurement.id)-with-settings-\(index)"
                result.measurements.append(copy)
                result.compliance += golden.compliance.filter { $0.measurement == measurement.id }.map { row in
                    var row = row
                    row.measurement = copy.id
                    return row
                }
            }
        }
        return result
    }

    @Test(arguments: [20, 60, 400]) func whateverWasRunACommentIsShort(count: Int) throws {
        let result = try large(count)
        let gate = try GateResult(GoldenRun.contents(result), baselines: [], tool: "")
        let short = gate.checks.markdown
        // GitHub's limit is 65,536.
        #expect(short.count <= 60_000)
        #expect(short.contains("report.md"))
        // The verdict stays where it is read first.
        #expect(short.contains(VerdictText(result).sentence))
    }

    /// A comment has what gates, and no other table of the report.
    @Test func aGatesCommentIsShort() throws {
        let gate = try GateResult(GoldenRun.contents(GoldenRun.result()), baselines: [], tool: "")
        let headings = gate.checks.markdown.matches(of: /(?m)^##? .*/).map { String($0.0) }
        #expect(headings == ["# Gate: INCONCLUSIVE", "## Targets that gate", "## More"])
        #expect(!gate.checks.markdown.contains("Next:") && !gate.checks.markdown.contains("tesseract |"))
    }

    @Test(arguments: [60, 80, 120]) func nothingIsWiderThanTheTerminal(width: Int) throws {
        let result = try large(5)
        let parts =
            [RequirementMatrix(result).table.terminal(width: width)]
            + RunDocument(result).document.sections.map { $0.terminal(width: width) }
        for line in parts.joined(separator: "\n").split(separator: "\n") {
            #expect(TextWidth.of(String(line)) <= width, "\(line)")
        }
    }

    @Test func everyIdOfATargetIsExplained() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Docs/REQUIREMENTS.md")
        let known = try String(contentsOf: path, encoding: .utf8)
        for source in Claim.standard.map(\.source) {
            #expect(known.contains("| \(source ?? "none") |"), "\(source ?? "none")")
        }
    }

    @Test func theJSONReportIsTheResult() throws {
        let result = try GoldenRun.result()
        let files = try RunReports(GoldenRun.contents(result)).files()
        #expect(try JSONDecoder().decode(RunResult.self, from: Data(try #require(files["report.json"]))) == result)
    }
}
