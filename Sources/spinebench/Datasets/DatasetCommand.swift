import ArgumentParser

/// Commands about datasets.
struct DatasetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dataset",
        abstract: "Checks, measures, shows, divides, joins and draws datasets.",
        subcommands: [
            DatasetValidate.self, DatasetStats.self, DatasetView.self, DatasetRealism.self, DatasetSplit.self,
            DatasetMerge.self, DatasetDigest.self, DatasetSynth.self,
        ]
    )
}
