import ArgumentParser
import CommandSupport
import Foundation

/// Checks of the house itself, each with the figures and the bar that it holds them against.
@main
struct Checks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checks",
        abstract: "Run checks of the harness, the pipeline, the back end and the simulation, each against a limit.",
        discussion: "Exit codes: 0 passed, 1 a limit is missed, 2 invalid usage or input.",
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
        abstract: "Measure the accuracy and speed of the catalogue's matcher.",
        subcommands: [MatcherCheck.self, SpinesCheck.self, NoiseCheck.self, GrowthCheck.self, PanCheck.self]
    )
}

struct TalariaCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "talaria",
        abstract: "Check that talaria and its clients lose no scans.",
        subcommands: [
            LoadCheck.self, FairCheck.self, KillCheck.self, FaultCheck.self, CrashCheck.self, ClientsCheck.self,
            DiskCheck.self, PortalCheck.self, CheckServer.self, CheckClient.self,
        ]
    )
}

/// Reason why a check cannot be done, or its finding.
struct CheckFailure: Error, Equatable, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// Prints a line at once, for observers of a log.
func say(_ line: String) { StandardOutput.write(line + "\n") }

/// Gives `body` a separate temporary folder, whose name contains `name`, and removes it afterwards.
func withTemporaryFolder<Value>(_ name: String, _ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "checks-\(name)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// Does the work, then closes its resources after any outcome.
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

/// Returns indented JSON, with sorted names.
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
