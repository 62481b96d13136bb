import ArgumentParser
import Basics
import CommandSupport
import Foundation
import Harness
import SpineDatasets
import SpineSynthesis
import Systems

struct DatasetSynth: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "synth",
        abstract: "Draw labelled synthetic spines and shelves into a new folder.",
        discussion: """
            Examples:

              spinebench dataset synth --out spines --count 500 --seed 7
              spinebench dataset synth --out shelves --shelves 8 --books-per-shelf 0...130

            The same options, fonts and libraries draw the same bytes. 'make setup' installs the fonts. Manual: \
            Docs/DATASETS.md#check-split-and-draw.
            """
    )

    @Option(name: .customLong("out"), help: "Output folder: new or empty.", completion: .directory)
    var output: String

    @Option(help: "Number of spines. (default: 240, with --shelves 0)")
    var count: Int?

    @Option(help: "Random seed. (default: 1)")
    var seed: UInt64?

    @Option(
        help: .value("file", "Books, one a line: title, author, language, short name, between tabs. (default: its own)")
    )
    var titles: String?

    @Option(
        help: .value(
            "category=share,…",
            "Relative frequency of each category. (default: \(SynthesisOptions.usual.categoriesText))"
        ),
        transform: SynthesisArguments.categories
    )
    var categories: [SampleCategory: Int]?

    @Option(
        help: .value(
            "from...to",
            "Minimum and maximum width of the spines, in pixels. (default: 30...300)"
        ),
        transform: SynthesisArguments.range
    )
    var width: ClosedRange<Int>?

    @Option(help: "Number of shelves. (default: 0)")
    var shelves: Int?

    @Option(
        help: .value("from...to", "Books on a shelf. (default: 0...25)"),
        transform: SynthesisArguments.range
    )
    var booksPerShelf: ClosedRange<Int>?

    @Option(help: "The dataset's name. (default: the folder's)")
    var name: String?

    @Option(name: .customLong("version"), help: .value("version", "The dataset's version. (default: 1.0.0)"))
    var datasetVersion: String?

    @Option(help: .value("n", "Pictures drawn in parallel. (default: one a core)"))
    var jobs: Int?

    private var options: SynthesisOptions {
        var options = SynthesisOptions.usual
        options.seed = seed ?? options.seed
        options.spines = count ?? (shelves == nil ? options.spines : 0)
        options.shelves = shelves ?? options.shelves
        options.categories = categories ?? options.categories
        options.widths = width ?? options.widths
        options.booksPerShelf = booksPerShelf ?? options.booksPerShelf
        return options
    }

    func validate() throws {
        try range("--jobs", jobs, 1...256)
        if let problem = options.problem { throw ValidationError(problem) }
    }

    func run() throws {
        let start = ContinuousClock.now
        let usualName = URL(filePath: output).standardizedFileURL.lastPathComponent
        var manifest = DatasetManifest(name: name ?? usualName, version: datasetVersion ?? "1.0.0", licence: "CC0-1.0")
        manifest.description = "Synthetic book spines with labels, drawn by version 2 of SpineBench's generator."
        let list = try titles.map { (text: try InputFile.text($0), file: $0) }
        let display = ProgressDisplay(isLogged: true)
        defer { display.clear() }
        do {
            let dataset = try SyntheticDataset.draw(
                into: URL(filePath: output),
                manifest,
                options,
                titles: list,
                typefaces: typefaces(),
                threads: jobs ?? ProcessInfo.processInfo.activeProcessorCount,
                progress: { display.show($1, of: $2, label: $0) }
            )
            display.clear()
            print("\(DatasetText.summary(dataset))\n\(dataset.digest)")
        } catch SynthesisError.input(let problem) {
            throw HarnessError.configuration(problem)
        }
        let span = NumberText.span(seconds: start.duration(to: .now).milliseconds / 1_000)
        Console.standardError("Drawn in \(span); \(output)/CARD.md describes it.")
    }

    /// Returns the installed typefaces; reports the missing ones.
    private func typefaces() -> [Typeface] {
        let typefaces = Typeface.installed()
        let missing = Set(Typeface.all).subtracting(typefaces)
        func list(_ name: KeyPath<Typeface, String>, _ separator: String) -> String {
            Set(missing.map { $0[keyPath: name] }).sorted().joined(separator: separator)
        }
        if !missing.isEmpty {
            Console.standardError(
                "Without \(list(\.family, ", ")): 'make setup' installs them (\(list(\.package, " ")))."
            )
        }
        return typefaces
    }
}

/// Syntax of the options of `dataset synth`; errors are `ValidationError` with the invalid part.
private enum SynthesisArguments {
    /// Returns the range of text such as "30...300", or of one number for both ends.
    static func range(_ text: String) throws -> ClosedRange<Int> {
        let ends = text.split(separator: "...", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let lower = ends[0], let upper = ends[ends.count - 1] else {
            throw ValidationError("expected two whole numbers separated by three dots, as in 30...300")
        }
        guard lower <= upper else { throw ValidationError("the range is reversed; \(upper)...\(lower) is meant") }
        return lower...upper
    }

    /// Returns the relative frequencies of text such as "vertical=60,inverted=60".
    static func categories(_ text: String) throws -> [SampleCategory: Int] {
        var shares: [SampleCategory: Int] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false)
            guard let category = pair.first.flatMap({ SampleCategory(rawValue: String($0)) }) else {
                let known = SampleCategory.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("unknown category “\(pair.first ?? "")”; expected one of \(known)")
            }
            guard pair.count == 2, let share = Int(pair[1]), share >= 0 else {
                throw ValidationError("“\(part)” has no whole number for its share; expected \(category.rawValue)=60")
            }
            guard shares.updateValue(share, forKey: category) == nil else {
                throw ValidationError("duplicate \(category.rawValue)")
            }
        }
        return shares
    }
}
