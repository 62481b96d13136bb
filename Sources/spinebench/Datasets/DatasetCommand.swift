import ArgumentParser

/// Commands about datasets.
struct DatasetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dataset",
        abstract: "Checks and draws datasets.",
        subcommands: [
            DatasetValidate.self, DatasetRealism.self, DatasetSynth.self,
        ]
    )
}
