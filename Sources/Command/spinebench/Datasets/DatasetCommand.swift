import ArgumentParser

/// Commands about datasets.
struct DatasetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dataset",
        abstract: "Checks, shows, converts and draws datasets.",
        subcommands: [
            DatasetValidate.self, DatasetStats.self, DatasetView.self, DatasetSplit.self, DatasetMerge.self,
            DatasetDigest.self, DatasetImport.self, DatasetExport.self, DatasetRealism.self, DatasetSynth.self,
        ]
    )
}
