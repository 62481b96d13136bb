import ArgumentParser

@main
struct TalariaCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "talaria-check",
        abstract: "Measures whether talaria and its clients keep what they promise.",
        subcommands: [
            LoadCheck.self, FairCheck.self, KillCheck.self, FaultCheck.self, CrashCheck.self, ClientsCheck.self,
            DiskCheck.self,
            PortalCheck.self, CheckServer.self, CheckClient.self,
        ]
    )
}
