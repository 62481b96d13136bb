import ArgumentParser
import Basics
import CommandParts
import CommandSupport
import Composition
import Foundation
import Harness
import ImageCodec
import Realism
import SpineDatasets
import SpineReaders
import TextRecognition

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

    @Option(name: .customLong("reference"), help: .value("dir", "A dataset of real photographs."))
    var references: [String]

    @Option(help: .value("names", "What to read with, separated by commas."))
    var variants = "fast,accurate,tesseract"

    @Option(help: .value("names", "Compare only these categories, separated by commas."))
    var categories: String?

    @Option(help: .value("n", "Take this many spines of each set, categories taking turns."))
    var limit: Int?

    @Option(
        name: .customLong("out"),
        help: .value("file", "Write the report there, not to the screen.")
    )
    var output: String?

    @Flag(help: "Report as JSON instead of Markdown.")
    var json = false

    @Option(help: .value("file", "Write the figures of every spine there."))
    var csv: String?

    func validate() throws {
        if references.isEmpty { throw ValidationError("Say what to compare with: --reference DIR.") }
        if let limit, limit < 1 { throw ValidationError("--limit is \(limit); it takes one spine at least.") }
        _ = try chosenVariants
        _ = try chosenCategories
    }

    func run() throws {
        let variants = try chosenVariants
        let names = variants.map(\.name)
        let kept = try chosenCategories
        let reading = RealismReading(variants: variants, lineFinder: Self.lineFinder)
        // A missing engine is said before anything is read.
        try reading.check()
        let datasets = try ([candidate] + references).map { path in
            var dataset = try DatasetLoader().load(path)
            dataset.samples.removeAll { !$0.legible || !kept.contains($0.category) }
            dataset.samples = dataset.limited(to: limit)
            guard !dataset.samples.isEmpty else {
                let problem = "no legible spine of the chosen categories to compare"
                throw DatasetError.operation(path: path, problem: problem)
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
        let bytes = json ? Array((try JSONText.of(report) + "\n").utf8) : RealismMarkdown(report).bytes
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
                Self.names(in: categories, option: "--categories").map {
                    try choice($0, refusal: "There is no category")
                }
            )
        }
    }

    /// Names between commas, each once.
    private static func names(in list: String, option: String) throws -> [String] {
        let names = list.commaParts
        guard !names.isEmpty else { throw ValidationError("\(option) names nothing.") }
        return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

/// Reads datasets with several variants and measures their pictures.
struct RealismReading {
    let variants: [VariantBase]
    /// The name of the variant whose lines say where text is; it reads in any case.
    let lineFinder: String
    private let progress = ProgressDisplay()

    /// All that read: the variants, and the line finder where it is not among them.
    private var all: [VariantBase] {
        variants + (variants.contains { $0.name == lineFinder } ? [] : [finder].compactMap(\.self))
    }

    private var finder: VariantBase? { VariantBase.readers.first { $0.name == lineFinder } }

    /// Looks for what every variant needs.
    ///
    /// - Throws: ``HarnessError/unavailable(variant:reason:)`` for the first that lacks something.
    func check() throws {
        guard finder != nil else {
            throw HarnessError.unavailable(variant: lineFinder, reason: "this build has no engine that finds lines")
        }
        for variant in all { try variant.settings.check(variant.name) }
    }

    /// Every sample read and measured, and what failed, each with its set and sample.
    ///
    /// - Throws: when a variant cannot be loaded; a reading that fails is no error.
    func read(_ datasets: [Dataset]) throws -> (sets: [RealismSet], problems: [String]) {
        var sets = datasets.map { dataset in
            RealismSet(
                name: dataset.manifest.name,
                digest: dataset.digest,
                spines: dataset.samples.map { RealismSpine(sample: $0) }
            )
        }
        var problems: [String] = []
        for variant in all {
            guard let loaded = try variant.settings.reading?.load() else { continue }
            try loaded.prepare()
            for (index, dataset) in datasets.enumerated() {
                let label = "\(dataset.manifest.name), \(variant.name)"
                let total = dataset.samples.count
                progress.begin(label, done: 0, total: total)
                for spine in sets[index].spines.indices {
                    do {
                        try read(&sets[index].spines[spine], of: dataset, as: variant.name, with: loaded.scanner)
                    } catch {
                        let id = sets[index].spines[spine].sample.id
                        problems.append("\(label), sample \"\(id)\": \(error.systemReason)")
                    }
                    progress.step(label, done: spine + 1, total: total)
                }
                progress.end(label)
            }
        }
        return (sets, problems)
    }

    /// Adds what the variant reads, and with the line finder the figures of the picture.
    ///
    /// A spine that cannot be read is measured all the same: most figures concern no text.
    private func read(
        _ spine: inout RealismSpine,
        of dataset: Dataset,
        as variant: String,
        with scanner: SpineScanner
    ) throws {
        let sample = spine.sample
        let bytes = try dataset.store.contents(of: sample.image)
        let reading = Result { try scanner.process(bytes, name: sample.image) }
        if variant == lineFinder {
            spine.statistics = SpineMeasurement.measure(
                try ImageCodec.decode(bytes, name: sample.image).image,
                lines: (try? reading.get())?.lines ?? [],
                characters: sample.transcription.count
            )
        }
        spine.texts[variant] = try reading.get().text
    }
}
