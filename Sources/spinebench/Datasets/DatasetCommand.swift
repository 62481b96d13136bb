import ArgumentParser
import BenchmarkHarness
import SpineDatasets

/// Commands about datasets.
struct DatasetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dataset",
        abstract: "Checks, draws, imports and exports datasets.",
        subcommands: [Validate.self, DatasetSynth.self, DatasetImport.self, DatasetExport.self]
    )

    /// Finds everything that is wrong with a dataset.
    struct Validate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Finds everything that is wrong with a dataset.",
            discussion: """
                Reads every label and decodes every picture, and lists all faults with file and line.

                A dataset is a folder with samples.jsonl, one JSON object a line, and the pictures (PNG or JPEG) it names:

                  {"id": "p1", "image": "images/p1.jpg", "category": "vertical", "title": "The Hobbit",
                   "author": "J.R.R. Tolkien", "transcription": "J.R.R. TOLKIEN THE HOBBIT", "orientation": "cw"}

                category     \(SampleCategory.allCases.map(\.rawValue).joined(separator: ", "))
                orientation  \(SampleOrientation.allCases.map(\.rawValue).joined(separator: ", "))
                optional     author, isbn, group, quad (four points [x, y]), legible, split, source

                Other fields are ignored. dataset.json (name, version, licence, description, contentDigest) is optional.
                """
        )

        @Argument(help: "The dataset's folder.")
        var path: String

        func run() throws {
            let dataset = try DatasetLoader().load(path)
            print(DatasetText.summary(dataset))
            print(dataset.digest)
        }
    }
}

/// A dataset in words.
enum DatasetText {
    /// "starter 1.0: 60 spines (20 vertical, …), 58 legible".
    static func summary(_ dataset: Dataset) -> String {
        let categories = SampleCategory.allCases.compactMap { category -> String? in
            let count = dataset.samples.count { $0.category == category }
            return count == 0 ? nil : "\(count) \(category.rawValue)"
        }
        let version = dataset.manifest.version.map { " \($0)" } ?? ""
        return "\(dataset.manifest.name)\(version): \(NumberText.count(dataset.samples.count, "spine")) "
            + "(\(categories.joined(separator: ", "))), \(dataset.samples.count(where: \.legible)) legible"
    }
}
