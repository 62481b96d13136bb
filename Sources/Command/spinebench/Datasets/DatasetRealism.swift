import ArgumentParser
import Basics
import CommandSupport
import Composition
import Evaluation
import Foundation
import ImageCodec
import Realism
import SpineDatasets

/// `spinebench dataset realism`: a dataset beside datasets of real photographs.
struct DatasetRealism: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "realism",
        abstract: "Measures whether a dataset is like real photographs.",
        discussion: """
            Reads and measures every legible spine of all datasets in the same way, and sets the figures side by side: \
            title read and CER of every variant, sizes, text height, contrast, sharpness, noise, light and colour. A \
            statistic is within when its median lies no further from the references' than their own spread.

            For example:

              spinebench dataset realism Datasets/spines-1 --reference real-1 --reference real-2 --out realism.md

            Exit codes: 0 it was measured, whatever came out; 2 wrong usage or dataset; 4 an engine is missing.
            """
    )

    /// The variant whose lines say where text is, on every set.
    private static let lineFinder = "accurate"

    @Argument(help: "The dataset to compare.")
    var candidate: String

    @Option(name: .customLong("reference"), help: ArgumentHelp("A dataset of real photographs.", valueName: "dir"))
    var references: [String]

    @Option(help: ArgumentHelp("What to read with, separated by commas.", valueName: "names"))
    var variants = "fast,accurate,tesseract"

    @Option(help: ArgumentHelp("Compare only these categories, separated by commas.", valueName: "names"))
    var categories: String?

    @Option(help: ArgumentHelp("Take this many spines of each set, categories taking turns.", valueName: "n"))
    var limit: Int?

    @Option(
        name: .customLong("out"),
        help: ArgumentHelp("Write the report there, not to the screen.", valueName: "file")
    )
    var output: String?

    @Flag(help: "Report as JSON instead of Markdown.")
    var json = false

    @Option(help: ArgumentHelp("Write the figures of every spine there.", valueName: "file"))
    var csv: String?

    func validate() throws {
        if references.isEmpty { throw ValidationError("Say what to compare with: --reference DIR.") }
        if let limit, limit < 1 { throw ValidationError("--limit is \(limit); it takes one spine at least.") }
        _ = try chosenVariants
        _ = try chosenCategories
    }

    func run() throws {
        let names = try chosenVariants.map(\.name)
        let kept = try chosenCategories
        let reading = RealismReading(
            variants: try chosenVariants,
            lineFinder: Self.lineFinder,
            progress: ProgressDisplay()
        )
        // A missing engine is said before anything is read.
        try reading.check()
        let datasets = try ([candidate] + references).map { path in
            var dataset = try DatasetLoader().load(path)
            dataset.samples.removeAll { !$0.legible || !kept.contains($0.category) }
            dataset.samples = dataset.limited(to: limit)
            guard !dataset.samples.isEmpty else {
                throw DatasetError.operation(
                    path: path,
                    problem: "no legible spine of the chosen categories to compare"
                )
            }
            return dataset
        }
        let inputs = datasets.flatMap(\.files)
        let table = try csv.map { try OutputFile($0, option: "--csv", over: inputs) }
        let page = try output.map { try OutputFile($0, option: "--out", over: inputs) }
        let (sets, problems) = try reading.read(datasets)
        let report = RealismReport(
            candidate: sets[0],
            references: Array(sets.dropFirst()),
            variants: names,
            lineFinder: Self.lineFinder,
            problems: problems
        )
        try table?.write(RealismCSV(sets, variants: names).bytes)
        let bytes = json ? try self.encoded(report) : RealismMarkdown(report).bytes
        if let page {
            try page.write(bytes)
        } else {
            StandardOutput.write(bytes)
        }
    }

    private var chosenVariants: [VariantBase] {
        get throws {
            try Self.names(in: variants, option: "--variants").map { name in
                if let variant = VariantBase.readers.first(where: { $0.name == name }) { return variant }
                let hint = NearName.hint(for: name, among: VariantBase.readers.map(\.name))
                throw ValidationError("There is no variant '\(name)'; \(hint)")
            }
        }
    }

    private var chosenCategories: Set<SampleCategory> {
        get throws {
            guard let categories else { return Set(SampleCategory.allCases) }
            return try Set(
                Self.names(in: categories, option: "--categories").map { name in
                    if let category = SampleCategory(rawValue: name) { return category }
                    let hint = NearName.hint(for: name, among: SampleCategory.allCases.map(\.rawValue))
                    throw ValidationError("There is no category '\(name)'; \(hint)")
                }
            )
        }
    }

    /// Names between commas, each once.
    private static func names(in list: String, option: String) throws -> [String] {
        let names = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        guard !names.isEmpty else { throw ValidationError("\(option) names nothing.") }
        return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private func encoded(_ report: RealismReport) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(report)) + [0x0A]
    }
}
