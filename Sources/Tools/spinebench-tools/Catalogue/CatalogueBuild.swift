import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Composition
import Foundation
import Harness
import SpineDatasets

struct CatalogueBuild: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Build a catalogue from book lists.",
        discussion: """
            Sources are csv, tsv, jsonl, or an Open Library dump with the authors' dump beside it. Duplicates (ISBN, \
            else title and author) are merged. Manual: Docs/READING.md#identify-the-book-of-a-text.
            """
    )

    @Argument(help: "Book lists.", completion: .file())
    var sources: [String] = []

    @Option(name: .customLong("out"), help: "Output file, replaced; a list if it ends in .csv.", completion: .file())
    var output: String

    @Option(name: .customLong("column"), help: .value("field=name", "Column of a field; “-” for none."))
    var columns: [String] = []

    @Option(
        name: .customLong("from-dataset"),
        parsing: .upToNextOption,
        help: "Add labelled books that the lists lack.",
        completion: .directory
    )
    var added: [String] = []

    @Option(
        name: .customLong("without-dataset"),
        parsing: .upToNextOption,
        help: "Remove the labelled books, in all editions.",
        completion: .directory
    )
    var removed: [String] = []

    @Option(
        name: .customLong("hold-out"),
        parsing: .upToNextOption,
        help: "Remove a fixed quarter of the labelled books, in all editions: the open set.",
        completion: .directory
    )
    var heldOut: [String] = []

    @Option(help: "Maximum rows of each list.")
    var limit: Int?

    @Option(help: "Books of a random sample, with those of --from-dataset.")
    var sample: Int?

    @Option(help: "Random seed of the sample.")
    var seed: UInt64 = 1

    @Option(help: "Name of the catalogue. (default: the file's)")
    var name: String?

    func validate() throws {
        if sources.isEmpty, added.isEmpty {
            throw ValidationError("no input; specify a list, or a dataset with --from-dataset")
        }
        try range("--limit", limit, 1...1 << 40)
        try range("--sample", sample, 1...1 << 40)
        let _: [BookField: String] = try columnNames(columns)
    }

    func run() async throws {
        let datasets = try (added + removed).flatMap { try DatasetLoader().load($0).files }
        let file = try OutputFile(output, option: "--out", over: sources + datasets)
        let name = name ?? URL(filePath: output).deletingPathExtension().lastPathComponent
        var builder = CatalogueBuilder(name: name, columns: try columnNames(columns))
        let interruption = Signals.interruption()
        let started = ContinuousClock.now
        for source in sources { try builder.addAuthors(of: source) }
        var rows = 0
        for source in sources {
            let bar = ProgressDisplay(source)
            let report = try builder.add(list: source, limit: limit) { done, total in
                if let signal = interruption.signal { throw HarnessError.interrupted(signal: signal) }
                bar.show(done, of: total, in: ("MiB", 1 << 20))
            }
            bar.clear()
            rows += report.rows
            Self.show(report)
        }
        for folder in heldOut {
            let books = try LabelledBooks.read(folder).filter(HeldOutBooks.contains)
            print("\(folder): \(NumberText.count(builder.remove(books), "book")) held out")
        }
        for folder in added {
            // Removed after the held-out books, so that a book whose title contains that one's is not removed with
            // it.
            let books = try LabelledBooks.read(folder).filter { heldOut.isEmpty || !HeldOutBooks.contains($0) }
            let count = builder.add(books, from: URL(filePath: folder).lastPathComponent)
            print("\(folder): \(NumberText.count(count, "book")) added")
        }
        for folder in removed {
            let count = builder.remove(try LabelledBooks.read(folder))
            print("\(folder): \(NumberText.count(count, "book")) removed")
        }
        if let sample { builder.sample(sample, seed: seed) }
        guard builder.count > 0 else {
            Console.error("no books remain; nothing was written")
            throw ExitStatus.wrongInput.exitCode
        }
        if output.hasSuffix(".csv") {
            try file.write(Array(BookList.csv(builder.books).utf8))
        } else {
            try builder.write(to: output)
        }
        let seconds = started.duration(to: .now).milliseconds / 1_000
        let size = (try FileManager.default.attributesOfItem(atPath: output)[.size] as? Int) ?? 0
        print(
            "\(output): \(NumberText.count(builder.count, "book")), "
                + "\(NumberText.count(builder.duplicates, "duplicate")) merged, \(NumberText.megabytes(Double(size))), "
                + "\(NumberText.fixed(seconds, 2)) s" + (rows > 0 ? ", \(Int(Double(rows) / seconds)) rows/s" : "")
        )
    }

    private static func show(_ report: ListReport) {
        print("\(report.path): \(report.format), \(NumberText.count(report.rows, "row"))")
        for line in report.mapping { print("  \(line)") }
        var parts = ["\(NumberText.count(report.books, "book"))"]
        if report.others > 0 { parts.append("\(NumberText.count(report.others, "record")) of other types") }
        if report.wrongISBNs > 0 { parts.append("\(NumberText.count(report.wrongISBNs, "invalid ISBN")) dropped") }
        parts.append(NumberText.count(report.badRows, "invalid row"))
        print("  \(parts.joined(separator: ", "))")
        for row in report.listed { Console.standardError("\(row)") }
        if report.badRows > report.listed.count {
            Console.standardError("… and \(report.badRows - report.listed.count) more invalid rows")
        }
    }
}

enum LabelledBooks {
    /// Returns title and author as printed, of spines and of shelves, in the order of the labels.
    static func read(_ folder: String) throws -> [BookRecord] {
        let dataset = try DatasetLoader().load(folder)
        func book(_ title: String, _ author: String?, isbn: String? = nil, language: String?) -> BookRecord {
            let authors = author.map(AuthorName.printed) ?? []
            return BookRecord(title: title, authors: authors, isbn: isbn.flatMap { ISBN($0) }, language: language)
        }
        let spines = dataset.samples.filter(\.legible).compactMap { sample in
            sample.title.map { book($0, sample.author, isbn: sample.isbn, language: sample.language) }
        }
        let shelves = dataset.shelves.flatMap(\.books).filter(\.legible).compactMap { spine in
            spine.title.map { book($0, spine.author, language: spine.language) }
        }
        return spines + shelves
    }
}
