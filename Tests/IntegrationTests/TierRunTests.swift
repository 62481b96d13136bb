import Basics
import Foundation
import TestSupport
import Testing

private let backEndsRun = (try? Program.run("engines").output.contains("✓ hybrid")) ?? false

/// `spinebench run` of variants that ask a back end, which it starts and ends itself.
@Suite(
    .inTurns,
    .serialized,
    .enabled(if: backEndsRun, "no networks or no talaria: run 'make setup' and build everything")
)
struct TierRunTests {
    private struct Report: Decodable {
        struct Measurement: Decodable {
            let id: String
            let outcomes: [String: Int]
            let traffic: Traffic?
        }

        struct Traffic: Decodable {
            let scans: Int
            let silent: Int
            let up: [String: Int]
            let wireUp: Int?
            let refusedSockets: Int?
        }

        struct Configuration: Decodable {
            let backEnds: [BackEnd]?
        }

        struct BackEnd: Decodable {
            let variants: [String]
            let codeDigest: String?
            let arguments: [String]
        }

        let measurements: [Measurement]
        let configuration: Configuration
    }

    private func withDataset(_ body: (Folder) throws -> Void) throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            let lines = ["Dune", "Emma"].enumerated().map { TestLabel.line("s\($0.offset)", title: $0.element) }
            try folder.write(lines.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            try body(folder)
        }
    }

    private func arguments(_ folder: Folder, _ variants: String) -> [String] {
        [
            "run", "--dataset", folder("set"), "--out", folder("run"), "--variants", variants, "--warmup", "1",
            "--repetitions", "1",
        ]
    }

    /// Returns the processes that have `text` in their command line.
    private func processes(with text: String) -> [Int32] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap(Int32.init).filter { id in
            let line = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") ?? Data()
            return String(decoding: line, as: UTF8.self).contains(text)
        }
    }

    @Test("bytes are counted by class, nothing leaves the device on-device, and no back end is left")
    func tiers() throws {
        try withDataset { folder in
            let outcome = try Program.run(arguments(folder, "upload,patience=600,hybrid,patience=600,on-device-only"))
            #expect([0, 1, 3].contains(outcome.code), "\(outcome.errors)")
            let report = try JSONDecoder().decode(Report.self, from: Data(folder.text(of: "run/report.json").utf8))
            #expect(report.measurements.map(\.outcomes) == [["read": 2], ["read": 2], ["read": 2]])
            let traffic = try report.measurements.map { try #require($0.traffic) }
            #expect((traffic[0].up["image"] ?? 0) > 2_000)
            #expect(traffic[1].up["image"] == nil && (traffic[1].up["text"] ?? 0) > 100)
            #expect(traffic[2].wireUp == 0 && traffic[2].silent == 2)
            // The kernel confirms that one sends nothing, and no other.
            #if os(Linux)
            #expect(traffic.map(\.refusedSockets) == [nil, nil, 0])
            #endif
            let backEnds = try #require(report.configuration.backEnds)
            #expect(backEnds.map(\.variants) == [["upload.patience-600", "hybrid.patience-600"]])
            #expect(backEnds[0].codeDigest?.hasPrefix("sha256:") == true)
            #expect(try folder.lines(of: "run/egress.jsonl").count >= 2)
            #expect(folder.contains("run/talaria.log"))
            #expect(!folder.contains("run/scratch") && !folder.contains("run/talaria.scratch"))
            #expect(processes(with: folder.path) == [])
        }
    }

    @Test("with TLS the run's own back end is trusted by its certificate, and encryption is among the bytes")
    func tls() throws {
        try withDataset { folder in
            let outcome = try Program.run(
                arguments(folder, "upload,patience=600,upload,tls=on,patience=600") + ["--devices", "none"]
            )
            #expect([0, 1, 3].contains(outcome.code), "\(outcome.errors)")
            let report = try JSONDecoder().decode(Report.self, from: Data(folder.text(of: "run/report.json").utf8))
            #expect(report.measurements.map(\.outcomes) == [["read": 2], ["read": 2]])
            let bytes = try report.measurements.map { try #require($0.traffic?.wireUp) }
            // A TLS record has at least a header of 5 bytes and a tag of 16 more than its contents (RFC 8446, 5.2).
            #expect(bytes[1] >= bytes[0] + 2 * 21, "\(bytes)")
            let backEnds = try #require(report.configuration.backEnds)
            #expect(backEnds.map { $0.arguments.contains("--tls-self-signed") } == [false, true])
            #expect(!folder.contains("run/talaria.scratch") && !folder.contains("run/talaria-2.scratch"))
        }
    }

    @Test(
        "the back end does not outlive a run that is killed",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/1"))
    )
    func kill() throws {
        try withDataset { folder in
            let process = Process()
            process.executableURL = URL(filePath: try #require(Program.path))
            process.arguments = Program.patient(arguments(folder, "hybrid") + ["--devices", "none"])
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            let isThere = { self.processes(with: folder("run/talaria.scratch")).count >= 2 }
            // Killed as soon as it appears: a quick run may not have it for long.
            var wasThere = false
            while !wasThere, process.isRunning {
                wasThere = isThere()
                if !wasThere { usleep(5_000) }
            }
            #expect(wasThere)
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            while !processes(with: folder.path).isEmpty { usleep(5_000) }
        }
    }

    @Test("a back end that cannot start is told with its last words")
    func badBackEnd() throws {
        try withDataset { folder in
            try folder.write("{ \"seed\": 1, \"sloth\": 1 }", to: "faults.json")
            let outcome = try Program.run(arguments(folder, "hybrid,faults=" + folder("faults.json")))
            #expect(outcome.code == 4)
            #expect(outcome.errors.contains("ended before its first answer") && outcome.errors.contains("sloth"))
        }
    }
}
