import ArgumentParser

@main
struct TalariaCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "talaria-check",
        abstract: "Measures whether a running talaria keeps what it promises.",
        subcommands: [LoadCheck.self, KillCheck.self]
    )
}
