import ArgumentParser

struct ContextCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "context",
        abstract: "Whether captures and their sessions are kept, found and shown as promised.",
        subcommands: [
            SessionKillCheck.self, SessionGrowthCheck.self, ProvidersCheck.self, RetrievalCheck.self, CodesCheck.self,
            SessionWorker.self,
        ]
    )
}
