import ArgumentParser
import CommandSupport
import Foundation

/// Checks of the house itself, each with the figures and the bar that it holds them against.
@main
struct Checks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checks",
        abstract: "Checks of the harness, the pipeline, the back end and the simulation, each against a bar.",
        discussion: "Exit codes: 0 good, 1 the bar is missed, 2 wrong usage or input.",
        subcommands: [
            HarnessCheck.self, CatalogueCheck.self, TalariaCheck.self, PresenceGateCheck.self, DeviceCheck.self,
            QualityCheck.self, ContextCheck.self, ShardsCheck.self,
        ]
    )

    static func main() async {
        var status = ExitStatus.success.code
        do {
            try await runParsed()
        } catch {
            status = exitCode(for: error).rawValue
            switch error {
            case is ExitCode: break
            case _ where status == ExitStatus.success.code: StandardOutput.write(fullMessage(for: error) + "\n")
            default:
                try? FileHandle.standardError.write(contentsOf: Data((fullMessage(for: error) + "\n").utf8))
                // ArgumentParser's own code for wrong usage is 64 (EX_USAGE).
                if exitCode(for: error) == .validationFailure { status = ExitStatus.wrongInput.code }
            }
        }
        let ending = StandardOutput.ending(status)
        if let message = ending.message {
            try? FileHandle.standardError.write(contentsOf: Data("Error: \(message)\n".utf8))
        }
        Foundation.exit(ending.status)
    }
}

struct HarnessCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "harness",
        abstract: "Whether the harness itself is right: its statistics, its gates.",
        subcommands: [
            FalseAlarmCheck.self, CoverageCheck.self, SamplesCheck.self, OverheadCheck.self,
        ]
    )
}

struct CatalogueCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue",
        abstract: "How well and how fast the catalogue's matcher names books.",
        subcommands: [MatcherCheck.self, SpinesCheck.self, NoiseCheck.self, GrowthCheck.self, PanCheck.self]
    )
}

struct TalariaCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "talaria",
        abstract: "Whether talaria and its clients keep what they promise.",
        subcommands: [
            LoadCheck.self, FairCheck.self, KillCheck.self, FaultCheck.self, CrashCheck.self, ClientsCheck.self,
            DiskCheck.self, PortalCheck.self, CheckServer.self, CheckClient.self,
        ]
    )
}

/// Reason why a check cannot be done, or what it found.
struct CheckFailure: Error, Equatable, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// Prints a line at once, for whoever watches a log.
func say(_ line: String) { StandardOutput.write(line + "\n") }

/// Gives `body` a temporary folder of its own, whose name has `name` in it, and takes it away afterwards.
func withTemporaryFolder<Value>(_ name: String, _ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "checks-\(name)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// Does the work, then closes what it used, however it went.
func closing<Value>(_ close: () async throws -> Void, _ work: () async throws -> Value) async throws -> Value {
    let result = await Result.of(work)
    try await close()
    return try result.get()
}

/// Ends a check: with 1 when anything has failed, of which the first are printed.
func end(_ failures: [String], isGood: Bool = true) throws {
    for failure in failures.prefix(50) { print("FAILED: \(failure)") }
    if !failures.isEmpty || !isGood { throw ExitCode(1) }
}

/// Indented JSON, with sorted names.
func prettyJSON(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
}

extension Result where Failure == any Error {
    static func of(_ work: () async throws -> Success) async -> Self {
        do { return .success(try await work()) } catch { return .failure(error) }
    }
}
