import ArgumentParser
import CommandSupport
import Composition
import Foundation

/// Checks of the house itself, each with the figures and the bar that it holds them against.
@main
struct Checks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checks",
        abstract: "Run checks of the harness, the pipeline, the back end and the simulation, each against a limit.",
        discussion: "Exit codes: 0 passed, 1 a limit is missed, 2 invalid usage or input.",
        subcommands: [
            HarnessCheck.self, CatalogueCheck.self, TalariaCheck.self, PresenceGateCheck.self,
            QualityCheck.self, ReaderCheck.self, LadderCheck.self, ContextCheck.self, ShardsCheck.self,
            HistoryCheck.self,
        ]
    )

    static func main() async {
        var status = ExitStatus.success.code
        do {
            try await runParsed()
        } catch {
            // ArgumentParser's own code for wrong usage is 64 (EX_USAGE).
            let code = exitCode(for: error)
            status = code == .validationFailure ? ExitStatus.wrongInput.code : code.rawValue
            if code == .success {
                print(fullMessage(for: error))
            } else if !(error is ExitCode) {
                Console.standardError(fullMessage(for: error))
            }
        }
        let ending = StandardOutput.ending(status)
        if let message = ending.message { Console.error(message) }
        Foundation.exit(ending.status)
    }
}

struct HarnessCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "harness",
        abstract: "Whether the harness itself is right: its gates, its overhead.",
        subcommands: [FalseAlarmCheck.self, SamplesCheck.self, OverheadCheck.self]
    )
}

struct CatalogueCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue",
        abstract: "Measure the accuracy and speed of the catalogue's matcher.",
        subcommands: [
            MatcherCheck.self, SpinesCheck.self, NoiseCheck.self,
            ShelvesCheck.self, ScalesCheck.self,
        ]
    )
}

struct TalariaCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "talaria",
        abstract: "Check that talaria and its clients lose no scans.",
        subcommands: [
            LoadCheck.self, FairCheck.self, KillCheck.self, CrashCheck.self, ClientsCheck.self, DiskCheck.self,
            CheckServer.self, CheckClient.self,
        ]
    )
}

struct ContextCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "context",
        abstract: "Check that captures and their sessions are saved, found and shown.",
        subcommands: [
            SessionKillCheck.self, SessionGrowthCheck.self, RetrievalCheck.self, DaysCheck.self, IntentsCheck.self,
            CodesCheck.self, ThingsCheck.self, SessionWorker.self,
        ]
    )
}

/// Reason why a check cannot be done, or its finding.
struct CheckFailure: Error, Equatable, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// Prints a line at once, and checked; it takes the place of the standard library's function in this target.
func print(_ item: Any) { StandardOutput.write("\(item)\n") }

/// Rejects options with a message, unless they are right.
func require(_ isRight: Bool, _ message: String) throws {
    if !isRight { throw ValidationError(message) }
}

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

extension Result where Failure == any Error {
    static func of(_ work: () async throws -> Success) async -> Self {
        do { return .success(try await work()) } catch { return .failure(error) }
    }
}
