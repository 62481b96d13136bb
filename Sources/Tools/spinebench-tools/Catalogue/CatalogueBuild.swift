import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import DatasetExchange
import Foundation
import Harness
import SpineDatasets
import Systems

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
        var builder = CatalogueBuilder(name: name)
        let started = ContinuousClock.now
        let rows = sources.isEmpty ? 0 : try addLists(to: &builder)
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
            try file.write(Array(BookTable.csv(builder.books).utf8))
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

    /// Adds the books of the lists, as `Formats/books.py` reads them; returns the number of rows.
    private func addLists(to builder: inout CatalogueBuilder) throws -> Int {
        let table = FileManager.default.temporaryDirectory.appending(path: "books-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: table) }
        let interruption = Signals.interruption()
        let options = columns.flatMap { ["--column", $0] } + (limit.map { ["--limit", "\($0)"] } ?? [])
        var (read, invalid) = ([CatalogueSource](), [ImportPlace]())
        var unusable: StoreError?
        let counted: Set = ["rows", "books", "others", "wrong", "bad"]
        let bar = ProgressDisplay(sources[0])
        try FormatLibrary.reader("books").run(
            .list,
            ["--out", table.path] + options + sources,
            of: sources[0],
            keys: counted.union(["done", "total", "format", "mapping"])
        ) { record in
            let fields = record.fields
            if let fault = record.fault?.joined(separator: "; ") {
                if record.place.line == nil { unusable = .unusable(path: record.place.file, problem: fault) }
                invalid.append(record.place)
                if invalid.count <= Self.listedRows { Console.standardError("\(record.place.fault(fault))") }
            } else if let format = fields["format"]?.text {
                bar.clear()
                let counts = fields.filter { counted.contains($0.key) }.compactMapValues(\.whole)
                read.append(
                    CatalogueSource(
                        name: URL(filePath: record.place.file).lastPathComponent,
                        format: format,
                        rows: counts["rows", default: 0]
                    )
                )
                Self.show(record.place.file, format, fields["mapping"]?.list?.compactMap(\.text) ?? [], counts)
            } else if let done = fields["done"]?.whole, let total = fields["total"]?.whole {
                bar.show(done, of: max(done, total), in: ("MiB", 1 << 20))
            }
            return interruption.signal == nil && unusable == nil
        }
        bar.clear()
        if let signal = interruption.signal { throw HarnessError.interrupted(signal: signal) }
        if let unusable { throw unusable }
        if invalid.count > Self.listedRows {
            Console.standardError("… and \(invalid.count - Self.listedRows) more invalid rows")
        }
        builder.add(table: try Data(contentsOf: table, options: .alwaysMapped), of: read)
        return read.reduce(0) { $0 + $1.rows }
    }

    private static let listedRows = 50

    private static func show(_ path: String, _ format: String, _ mapping: [String], _ counts: [String: Int]) {
        func count(_ name: String) -> Int { counts[name, default: 0] }
        print("\(path): \(format), \(NumberText.count(count("rows"), "row"))")
        for line in mapping { print("  \(line)") }
        var parts = [NumberText.count(count("books"), "book")]
        if count("others") > 0 { parts.append("\(NumberText.count(count("others"), "record")) of other types") }
        if count("wrong") > 0 { parts.append("\(NumberText.count(count("wrong"), "invalid ISBN")) dropped") }
        parts.append(NumberText.count(count("bad"), "invalid row"))
        print("  \(parts.joined(separator: ", "))")
    }
}

/// Field of a book list that `--column` names a column of.
private enum BookField: String, CaseIterable {
    case title, subtitle, authors
    case furtherAuthors = "further-authors"
    case isbn, series
    case seriesNumber = "series-number"
    case publisher, year, language, cover, popularity
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
