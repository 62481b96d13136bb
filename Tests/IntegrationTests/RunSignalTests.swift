import Foundation
import TestSupport
import Testing

/// `spinebench run` that is stopped, at points that it shows by its output.
@Suite(.tags(.program), .inTurns, .needsProgram)
struct RunSignalTests {
    /// Point of a run, in the order in which a run reaches them.
    enum Point: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case folderIsThere, runHasBegun, workerIsReady, firstReading, thirdReading, allIsRead, devicesAreModelled
        case aReportIsThere, allReportsAreThere

        var testDescription: String { rawValue }

        /// Returns whether the run in the folder has come so far.
        func isReached(_ folder: Folder) -> Bool {
            func lines(_ name: String) -> [String] { (try? folder.lines(of: "run/\(name)")) ?? [] }
            return switch self {
            case .folderIsThere: folder.contains("run/config.json")
            case .runHasBegun: !lines("events.jsonl").isEmpty
            case .workerIsReady: lines("events.jsonl").contains { $0.contains("\"kind\":\"ready\"") }
            case .firstReading: !lines("samples.jsonl").isEmpty
            case .thirdReading: lines("samples.jsonl").count >= 3
            case .allIsRead: lines("events.jsonl").contains { $0.contains("\"kind\":\"runFinished\"") }
            case .devicesAreModelled: folder.contains("run/devices.json")
            case .aReportIsThere: folder.contains("run/figures.csv")
            case .allReportsAreThere: folder.contains("run/samples.csv")
            }
        }
    }

    private static let reports = [
        "report.md", "report.json", "report.html", "figures.csv", "samples.csv", "devices.json",
    ]

    private func arguments(_ folder: Folder) -> [String] {
        Program.patient([
            "run", "--dataset", folder("set"), "--out", folder("run"), "--variants", "tesseract", "--warmup", "1",
            "--repetitions", "2", "--devices", "iPhone 12",
        ])
    }

    /// Expects every report to exist, and to mark the run as complete.
    private func expectWhole(_ folder: Folder) throws {
        for name in Self.reports { #expect(folder.contains("run/\(name)"), "\(name)") }
        #expect(try folder.lines(of: "run/samples.jsonl").count == 8)
        #expect(try !folder.text(of: "run/report.md").contains("(partial)"))
    }

    @Test(
        "a signal at any point leaves all reports, or a run that --resume completes",
        arguments: Point.allCases,
        [SIGINT, SIGTERM]
    )
    func signalled(_ point: Point, _ signal: Int32) throws {
        try Folder.with { folder in
            try folder.writeDataset(4)
            let errors = folder("errors.txt")
            _ = FileManager.default.createFile(atPath: errors, contents: nil)
            let process = Process()
            process.executableURL = URL(filePath: try #require(Program.path))
            process.arguments = arguments(folder)
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
            try process.run()
            while process.isRunning, !point.isReached(folder) { usleep(500) }
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            let said = try folder.text(of: "errors.txt")
            // The signal came too late: the program had nothing left to do.
            if process.terminationReason == .exit, [0, 1, 3].contains(process.terminationStatus) {
                return try expectWhole(folder)
            }
            #expect(process.terminationReason == .exit && process.terminationStatus == 128 + signal, "\(said)")
            #expect(said.contains("Continue with: spinebench run --resume \(folder("run"))"), "\(said)")
            // Readings are reported at once.
            let read = (try? folder.lines(of: "run/samples.jsonl").count) ?? 0
            #expect(folder.contains("run/report.md") == (read > 0))
            let resumed = try Program.run("run", "--resume", folder("run"))
            #expect([0, 1, 3].contains(resumed.code), "\(resumed.errors)")
            try expectWhole(folder)
        }
    }

    @Test("a second signal ends the program at once, and the run can be resumed")
    func twice() throws {
        try Folder.with { folder in
            try folder.writeDataset(4)
            let process = Process()
            process.executableURL = URL(filePath: try #require(Program.path))
            process.arguments = arguments(folder)
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try process.run()
            while process.isRunning, !Point.firstReading.isReached(folder) { usleep(500) }
            while process.isRunning {
                kill(process.processIdentifier, SIGTERM)
                usleep(500)
            }
            process.waitUntilExit()
            let resumed = try Program.run("run", "--resume", folder("run"))
            #expect([0, 1, 3].contains(resumed.code), "\(resumed.errors)")
            try expectWhole(folder)
        }
    }
}
