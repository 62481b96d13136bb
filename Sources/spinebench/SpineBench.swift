import ArgumentParser

@main
struct SpineBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spinebench",
        abstract: "Measures how well a book-spine scanner reads, and whether it may ship.",
        subcommands: [ReadCommand.self])
}
