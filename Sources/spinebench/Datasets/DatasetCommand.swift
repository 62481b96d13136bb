import ArgumentParser

/// Commands about datasets.
struct DatasetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dataset",
        abstract: "Checks, draws, imports and exports datasets.",
        subcommands: [DatasetValidate.self, DatasetSynth.self, DatasetImport.self, DatasetExport.self]
    )
}
