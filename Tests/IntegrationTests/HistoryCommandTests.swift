import Foundation
import TestSupport
import Testing

/// `spinebench history`: a folder that several jobs write at once.
@Suite(.inTurns, .needsProgram, .serialized)
struct HistoryCommandTests {
    /// Calls `body` with paths of runs that differ in their times.
    static func withRuns(_ count: Int, _ body: (Folder, [String]) throws -> Void) throws {
        try Folder.with { folder in
            try folder.write(TestPicture.tiny(), to: "set/a.png")
            let labels = (0..<3).map { TestLabel.line("s\($0)", title: TextFixture.text) }
            try folder.write(labels.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            let readings = (0..<3).map {
                "{\"sample\": \"s\($0)\", \"text\": \"\(TextFixture.text)\", \"latency\": 40}\n"
            }
            try folder.write(readings.joined(), to: "mine.jsonl")
            let scored = try Program.run(
                "score",
                folder("mine.jsonl"),
                "--dataset",
                folder("set"),
                "--out",
                folder("run")
            )
            #expect([0, 3].contains(scored.code), "\(scored.errors)")
            let events = try folder.text(of: "run/events.jsonl")
            let runs = try (0..<count).map { number in
                let path = folder("runs/\(number)")
                try FileManager.default.createDirectory(atPath: folder("runs"), withIntermediateDirectories: true)
                try FileManager.default.copyItem(atPath: folder("run"), toPath: path)
                let (minute, second) = (10 + number / 40, 10 + number % 40)
                let time = "2026-03-01T10:\(minute):\(second)Z"
                let changed = events.replacing(try Regex("\"time\":\"[^\"]*\""), with: "\"time\":\"\(time)\"")
                try folder.write(changed, to: "runs/\(number)/events.jsonl")
                return path
            }
            try body(folder, runs)
        }
    }

    private func start(_ runs: [String], _ store: String, _ folder: Folder) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Program.path))
        process.arguments = ["history", "add"] + runs + ["--to", store, "--commit", "0123abcd"]
        process.currentDirectoryURL = URL(filePath: folder.path)
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.standardError)
        try process.run()
        return process
    }

    /// Adds runs by two jobs at once, one of which is killed again and again until it ends.
    private func addTwice(_ runs: [String], to store: String, _ folder: Folder) throws {
        let other = try start(runs.dropFirst(runs.count / 4).reversed(), store, folder)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<4 {
            let killed = try start(Array(runs.prefix(runs.count / 2)), store, folder)
            Thread.sleep(forTimeInterval: Double.random(in: 0.02...0.6, using: &random))
            kill(killed.processIdentifier, SIGKILL)
            killed.waitUntilExit()
        }
        let last = try start(Array(runs.prefix(runs.count / 2)), store, folder)
        for process in [last, other] {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        let shown = try Program.run("history", "show", "--from", store, "--json")
        #expect(shown.code == 0, "\(shown.errors)")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any])
        let times = try #require(json["runs"] as? [[String: Any]]).compactMap { $0["time"] as? String }
        #expect(times.count == runs.count && Set(times).count == runs.count, "\(times.count) of \(runs.count)")
    }

    @Test("of runs that two jobs add to a folder at once, one of them killed, each is there once")
    func folder() throws {
        try Self.withRuns(100) { folder, runs in try addTwice(runs, to: folder("store"), folder) }
    }
}
