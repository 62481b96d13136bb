import ArgumentParser

@main
struct TalariaCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "talaria-check",
        abstract: "Measures whether talaria and its clients keep what they promise.",
        subcommands: [LoadCheck.self, KillCheck.self, FaultCheck.self]
    )
}
