import ArgumentParser

struct SamplesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "samples", abstract: "x")
}
