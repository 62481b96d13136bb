import ArgumentParser

struct ContextCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "context",
        abstract: "Check that captures and their sessions are saved, found and shown.",
        subcommands: [
            SessionKillCheck.self, SessionGrowthCheck.self, ProvidersCheck.self, RetrievalCheck.self, CodesCheck.self,
            SessionWorker.self,
        ]
    )
}
