import ArgumentParser

/// Commands about datasets.
struct DatasetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dataset",
        abstract: "Checks, shows and draws datasets.",
        subcommands: [
            DatasetValidate.self, DatasetView.self, DatasetRealism.self, DatasetSynth.self,
        ]
    )
}
