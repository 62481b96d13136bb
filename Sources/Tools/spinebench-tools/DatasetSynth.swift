import ArgumentParser
import Basics
import Composition
import Foundation
import Harness
import SpineDatasets
import SpineSynthesis

struct DatasetSynth: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "synth",
        abstract: "Draw labelled synthetic spines and shelves into a new folder.",
        discussion: """
            For example:

              spinebench dataset synth --out spines --count 500 --seed 7
              spinebench dataset synth --out script --categories stylized=1 --width 40...80
              spinebench dataset synth --out shelves --shelves 8 --books-per-shelf 0...130
              spinebench dataset synth --out spines --resume
              spinebench dataset synth --out shards/2 --count 10000 --name spines --shard 2/7
              spinebench dataset synth --merge shards/1 --merge shards/2 … --out spines

            The same options, fonts and libraries give the same bytes, and a larger count begins with the same spines. Every \
            picture is saved as soon as it is drawn: --resume continues an interrupted dataset, with the options from \
            the folder. Until it is complete, other commands reject the dataset. \
            With --shard, one part of the same pictures is drawn as a separate dataset; --merge combines all parts into the dataset that \
            an unsharded command would have drawn, byte for byte.

            Fonts come from Debian packages that 'make setup' installs; missing families are listed, and the others \
            are used instead. A list of titles has one book per line: title, author, language (ISO 639-1) and the author's short \
            name, separated by tabs; all but the title are optional.
            """
    )

    @Option(name: .customLong("out"), help: "Output folder: new or empty.", completion: .directory)
    var output: String

    @Option(help: "Number of spines. (default: 240, or 0 with --shelves)")
    var count: Int?

    @Option(help: "Random seed. (default: 1)")
    var seed: UInt64?

    @Option(help: .value("file", "A list of books to draw instead of the program's own."))
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
            "Width of the spines in their pictures, in pixels; wider where letters would be too small to read. "
                + "(default: 30...300)"
        ),
        transform: SynthesisArguments.range
    )
    var width: ClosedRange<Int>?

    @Option(help: "Number of pictures of whole shelves. (default: 0)")
    var shelves: Int?

    @Option(
        help: .value("from...to", "Number of books on a shelf. (default: 0...25)"),
        transform: SynthesisArguments.range
    )
    var booksPerShelf: ClosedRange<Int>?

    @Option(help: "The dataset's name. (default: the folder's)")
    var name: String?

    @Option(name: .customLong("version"), help: .value("version", "The dataset's version. (default: 1.0.0)"))
    var datasetVersion: String?

    @Option(help: .value("n", "Number of pictures to draw in parallel. (default: one for each core)"))
    var jobs: Int?

    @Flag(help: "Continue the dataset in --out, with its options.")
    var resume = false

    @Option(
        help: .value("i/n", "Draw one shard of the pictures, numbered from 1, or that of slurm, kubernetes or auto.")
    )
    var shard: ShardArgument?

    @Option(name: .customLong("merge"), help: .value("dir", "Shard to merge, drawn by --shard (one per shard)."))
    var merged: [String] = []

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) { throw ValidationError("invalid --jobs \(jobs): expected 1 to 256") }
        guard merged.isEmpty else {
            let isAlone =
                count == nil && seed == nil && titles == nil && categories == nil && width == nil && shelves == nil
                && booksPerShelf == nil && datasetVersion == nil && shard == nil && !resume
            guard isAlone else { throw ValidationError("--merge accepts only --out and --name.") }
            return
        }
        if resume, shard != nil { throw ValidationError("--resume takes the shard from the folder: remove --shard.") }
        if !resume, let problem = options(over: usual, nil).problem { throw ValidationError(problem) }
    }

    func run() throws {
        let start = ContinuousClock.now
        do {
            guard merged.isEmpty else {
                return report(try SyntheticDataset.merge(merged, into: URL(filePath: output), name: usualName))
            }
            if !resume, let shard = try shard?.shard(), !options(over: usual, shard).hasPictures(in: shard) {
                return print("Shard \(shard) has no pictures: nothing to draw, and nothing to merge.")
            }
            let dataset = try resume ? resumed() : begun()
            if dataset.isFinished {
                Console.standardError("\(output) is complete: nothing left to draw.")
                return
            }
            report(try draw(dataset))
            let span = NumberText.span(seconds: start.duration(to: .now).milliseconds / 1_000)
            Console.standardError("Drawn in \(span); \(output)/CARD.md describes it.")
        } catch let error as SynthesisError {
            switch error {
            case .notEmpty, .titles, .unwritable, .options: throw HarnessError.configuration("\(error)")
            case .noFonts, .canvas, .specification, .missingGlyphs: throw error
            }
        }
    }

    private func report(_ dataset: Dataset) { print("\(DatasetText.summary(dataset))\n\(dataset.digest)") }

    private func draw(_ dataset: SyntheticDataset) throws -> Dataset {
        let interruption = Signals.interruption()
        let display = ProgressDisplay()
        defer { display.leave() }
        var noun: String?
        do {
            let drawn = try dataset.draw(
                threads: jobs ?? ProcessInfo.processInfo.activeProcessorCount,
                isStopped: { interruption.signal != nil },
                progress: { now in
                    if now.noun == noun { return display.step(now.noun, done: now.done, total: now.total) }
                    noun = now.noun
                    display.begin(now.noun, done: now.done, total: now.total, isLoading: false)
                }
            )
            guard let drawn else { throw HarnessError.interrupted(signal: interruption.signal ?? SIGINT) }
            return drawn
        } catch {
            display.leave()
            Console.standardError(
                "The drawn pictures are saved. Continue with: spinebench dataset synth --resume --out \(output)"
            )
            throw error
        }
    }

    private func begun() throws -> SyntheticDataset {
        var list: (text: String, file: String)?
        if let titles {
            guard let text = String(validating: try InputFile.bytes(titles), as: UTF8.self) else {
                throw HarnessError.configuration("\(titles): is not UTF-8 text")
            }
            list = (text, titles)
        }
        var manifest = DatasetManifest(name: usualName, version: datasetVersion ?? "1.0.0", licence: "CC0-1.0")
        manifest.description = "Synthetic book spines with labels, drawn by SpineBench."
        return try SyntheticDataset.begin(
            in: URL(filePath: output),
            manifest,
            options(over: usual, shard?.shard()),
            titles: list,
            typefaces: typefaces()
        )
    }

    private func resumed() throws -> SyntheticDataset {
        let dataset = try SyntheticDataset.resume(in: URL(filePath: output), typefaces: typefaces())
        var differences = options(over: dataset.options, dataset.options.shard).differences(from: dataset.options)
        if let name, name != dataset.manifest.name { differences.append("name \(name), not \(dataset.manifest.name)") }
        if let datasetVersion, datasetVersion != dataset.manifest.version {
            differences.append("version \(datasetVersion), not \(dataset.manifest.version ?? "none")")
        }
        if titles != nil { differences.append("titles, which are copied in the dataset") }
        guard differences.isEmpty else {
            throw HarnessError.configuration(
                "\(output) was begun with other options: \(differences.joined(separator: "; ")). Remove these options, or start "
                    + "again in another folder"
            )
        }
        return dataset
    }

    /// The dataset's name; by default the folder's.
    private var usualName: String { name ?? URL(filePath: output).standardizedFileURL.lastPathComponent }

    private var usual: SynthesisOptions {
        var options = SynthesisOptions.usual
        if shelves != nil { options.spines = 0 }
        return options
    }

    /// Returns the options of the command line, and those of `other` for the rest.
    private func options(over other: SynthesisOptions, _ shard: Shard?) -> SynthesisOptions {
        var options = other
        options.seed = seed ?? other.seed
        options.spines = count ?? other.spines
        options.shelves = shelves ?? other.shelves
        options.categories = categories ?? other.categories
        options.widths = width ?? other.widths
        options.booksPerShelf = booksPerShelf ?? other.booksPerShelf
        options.shard = shard
        return options
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
