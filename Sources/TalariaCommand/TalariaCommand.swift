import ArgumentParser

@main
struct TalariaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "talaria",
        abstract: "The back end that book-spine scanners talk to: photos or text in, books out.",
        subcommands: [Serve.self],
        defaultSubcommand: Serve.self
    )
}
