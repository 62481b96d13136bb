import Basics
import Documents
import Evaluation
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness
@testable import Reports

@Suite(.tags(.unit)) struct DeviceReportTests {
    private func text(_ name: String, of contents: RunContents) throws -> String {
        String(decoding: try #require(try RunReports(contents).files()[name]), as: UTF8.self)
    }

    @Test func sectionsAndTableAreAsTheyWereApproved() async throws {
        let contents = try await DeviceRun.contents()
        let report = try text("report.md", of: contents)
        func part(from begin: String, to end: String) throws -> Substring {
            let rest = report[try #require(report.range(of: begin)).lowerBound...]
            return rest[..<(try #require(rest.range(of: end))).lowerBound]
        }
        let summary = try part(from: "## Devices (modelled)", to: "\n## Compliance")
        let details = try part(from: "## Devices in detail", to: "\n## How it was measured")
        try GoldenFile("devices.report.md").expect(summary + "\n" + details)
        let rows = try text("figures.csv", of: contents).split(separator: "\n").filter { $0.contains(",Phone ") }
        try GoldenFile("devices.figures.csv").expect(rows.joined(separator: "\n") + "\n")
    }

    @Test func nothingModelledSaysThatItGates() async throws {
        var contents = try await DeviceRun.contents()
        #expect(!(try text("figures.csv", of: contents)).contains("; gates"))
        contents.result.configuration.devices?.gates = .all
        #expect(try text("figures.csv", of: contents).contains("; gates as asked"))
        let report = try text("report.md", of: contents)
        #expect(!report.contains("| modelled | yes |"))
    }

    @Test func aRunWithoutDevicesHasNoneOfIt() throws {
        let files = try RunReports(GoldenRun.contents(try GoldenRun.result())).files()
        for name in ["report.md", "report.json"] {
            let text = String(decoding: try #require(files[name]), as: UTF8.self)
            #expect(!text.contains("Devices (modelled)") && !text.contains("\"devices\""))
        }
    }

    @Test func aRunOfBeforeDevicesLoads() throws {
        let encoded = try JSONEncoder().encode(GoldenRun.configuration)
        #expect(!String(decoding: encoded, as: UTF8.self).contains("devices"))
        let decoded = try JSONDecoder().decode(RunConfiguration.self, from: encoded)
        #expect(decoded.devices == nil && decoded.assertions == nil)
    }

    @Test func whatTheFolderKeepsGivesTheSameReports() async throws {
        let contents = try await DeviceRun.contents()
        let folder = FileManager.default.temporaryDirectory.appending(path: "devices-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let record = DeviceRecord(
            profiles: [try DeviceRun.profile("Phone A")],
            calibration: DeviceRun.calibration,
            assessment: contents.result.devices
        )
        try record.write(to: folder)
        let loaded = try #require(try DeviceRecord.load(from: folder))
        #expect(loaded == record)
        var again = contents
        (again.result.devices, again.result.assertions) = (nil, nil)
        again.result.add(loaded)
        #expect(try RunReports(again).files() == (try RunReports(contents).files()))
        #expect(try DeviceRecord.load(from: folder + "/nowhere") == nil)
        try Data("{".utf8).write(to: URL(filePath: "\(folder)/devices.json"))
        #expect(throws: HarnessError.self) { try DeviceRecord.load(from: folder) }
    }

    @Test func modelledRowsDecideNothingUnlessTheyAreAskedTo() async throws {
        let measured = try GoldenRun.result().verdict
        #expect(try await DeviceRun.contents().result.verdict == measured)
        var gating = try await DeviceRun.contents(gates: .all).result
        gating.compliance = []
        gating.decide()
        #expect(gating.verdict == gating.devices?.verdict)
        #expect(gating.verdict != nil)
    }

    @Test func aMeasurementOnADeviceIsASuiteOfJUnit() async throws {
        // What does not gate is no check.
        #expect(!CheckReport(try await DeviceRun.contents().result).checks.contains { $0.suite.contains("Phone") })
        let report = CheckReport(try await DeviceRun.contents(gates: .all).result)
        let own = report.checks.filter { $0.suite == "fast on Phone A (modelled)" }
        #expect(own.contains { $0.name == "battery of reading in 30 min < 10 % (S3-06)" })
        #expect(!own.contains { $0.name.contains("seed") })
        #expect(String(decoding: JUnitXML.bytes(report), as: UTF8.self).contains("fast on Phone B (modelled)"))
    }

    @Test func aDevicesNameIsNoMarkup() async throws {
        let hostile = "</script><img src=x onerror=alert(1)>|\"'"
        let contents = try await DeviceRun.contents([hostile])
        #expect(!(try text("report.html", of: contents)).contains("<img src=x"))
        let markdown = try text("report.md", of: contents)
        #expect(markdown.contains("onerror=alert(1)>\\|"))
        #expect(try text("figures.csv", of: contents).contains("\"</script><img src=x onerror=alert(1)>|\"\"'\""))
        #expect(!String(decoding: JUnitXML.bytes(CheckReport(contents.result)), as: UTF8.self).contains("<img"))
    }

    @Test func theTerminalHasARowForEachTierOnEachDevice() async throws {
        let assessment = try #require(try await DeviceRun.contents().result.devices)
        let matrix = DeviceTables(assessment: assessment, gates: .none).matrix
        #expect(matrix.rows.map { Array($0[0...1]) } == [["fast", "Phone A"], ["fast", "Phone B"]])
        // Without a sign, as nothing gates; a worker was lost.
        #expect(matrix.rows[0][2] == "11.6 undecided (< 50)" && matrix.rows[0][3] == "171.3 (< 200)")
        #expect(matrix.rows[0][4].hasSuffix(" (< 2)") && matrix.rows[0][5].hasSuffix(" (< 10)"))
    }
}
