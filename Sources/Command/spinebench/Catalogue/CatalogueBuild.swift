import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Documents
import Foundation
import Harness
import SpineDatasets

/// `spinebench catalogue build`: book lists to a catalogue.
struct CatalogueBuild: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Makes a catalogue of book lists.",
        discussion: """
            SOURCE is a list of books:

              csv, tsv      a table with a header: comma, semicolon or tab; goodbooks-10k's books.csv is one
              jsonl         a JSON object a line
              Open Library  an unpacked dump; with the dump of the authors beside it, or their names are missing

            Columns are known by their usual names. Bad rows are listed and left out, wrong ISBNs are left out of their \
            rows, and a book that comes twice (by ISBN, else by title and author) is kept once, with what either row says.

            The file is written beside its place, as FILE.partial, and put there when it is whole. A FILE that ends in .csv \
            becomes a list instead of a catalogue.
            """
    )

    @Argument(help: "The lists.", completion: .file())
    var sources: [String] = []

    @Option(name: .customLong("out"), help: "The file to write; one that is there is replaced.", completion: .file())
    var output: String

    @Option(
        name: .customLong("column"),
        help: ArgumentHelp("Takes a column for a field; “-” for none.", valueName: "field=name")
    )
    var columns: [String] = []

    @Option(
        name: .customLong("from-dataset"),
        parsing: .upToNextOption,
        help: "Adds the labelled books of datasets that the lists lack.",
        completion: .directory
    )
    var added: [String] = []

    @Option(
        name: .customLong("without-dataset"),
        parsing: .upToNextOption,
        help: "Takes the labelled books of datasets out, in all editions.",
        completion: .directory
    )
    var removed: [String] = []

    @Option(
        name: .customLong("hold-out"),
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Takes a quarter of the labelled books of datasets out, in all editions: the open set. Title and author decide "
                + "which, so that it is always the same quarter."
        ),
        completion: .directory
    )
    var heldOut: [String] = []

    @Option(help: "Reads this many rows of each list, at most.")
    var limit: Int?

    @Option(help: "Keeps this many books by chance; those of --from-dataset are among them.")
    var sample: Int?

    @Option(help: "Decides which books a sample has.")
    var seed: UInt64 = 1

    @Option(help: "What the catalogue is called. (default: the file's name)")
    var name: String?

    func validate() throws {
        if sources.isEmpty, added.isEmpty {
            throw ValidationError("nothing to build from; name a list, or a dataset by --from-dataset")
        }
        if let limit, limit < 1 { throw ValidationError("--limit is \(limit); expected 1 or more") }
        if let sample, sample < 1 { throw ValidationError("--sample is \(sample); expected 1 or more") }
        _ = try columnNames()
    }

    func run() async throws {
        let datasets = try (added + removed).flatMap { try DatasetLoader().load($0).files }
        let file = try OutputFile(output, option: "--out", over: sources + datasets)
        let name = name ?? URL(filePath: output).deletingPathExtension().lastPathComponent
        var builder = CatalogueBuilder(name: name, columns: try columnNames())
        let interruption = Interruption()
        let signals = Signals.stop(interruption)
        defer { for signal in signals { signal.cancel() } }
        let started = ContinuousClock.now
        for source in sources { try builder.addAuthors(of: source) }
        var rows = 0
        for source in sources {
            let display = ByteProgress(source)
            let report = try builder.add(list: source, limit: limit) { done, total in
                if let signal = interruption.signal { throw HarnessError.interrupted(signal: signal) }
                display.show(done, of: total)
            }
            display.end()
            rows += report.rows
            Self.show(report)
        }
        for folder in heldOut {
            let books = try LabelledBooks.read(folder).filter(HeldOutBooks.contains)
            print("\(folder): \(NumberText.count(builder.remove(books), "book")) held out")
        }
        for folder in added {
            // After what is held out, so that a book whose title has that one's in it is not taken out with it.
            let books = try LabelledBooks.read(folder).filter { heldOut.isEmpty || !HeldOutBooks.contains($0) }
            let count = builder.add(books, from: URL(filePath: folder).lastPathComponent)
            print("\(folder): \(NumberText.count(count, "book")) added")
        }
        for folder in removed {
            let count = builder.remove(try LabelledBooks.read(folder))
            print("\(folder): \(NumberText.count(count, "book")) taken out")
        }
        if let sample { builder.sample(sample, seed: seed) }
        guard builder.count > 0 else {
            Console.error("no book is left; nothing was written")
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
        if report.others > 0 { parts.append("\(NumberText.count(report.others, "record")) of other kinds") }
        if report.wrongISBNs > 0 { parts.append("\(NumberText.count(report.wrongISBNs, "wrong ISBN")) left out") }
        parts.append(NumberText.count(report.badRows, "bad row"))
        print("  \(parts.joined(separator: ", "))")
        for row in report.listed { Console.standardError("\(row)") }
        if report.badRows > report.listed.count {
            Console.standardError("… and \(report.badRows - report.listed.count) more bad rows")
        }
    }

    /// `--column field=name` by field.
    private func columnNames() throws -> [BookField: String] {
        var names: [BookField: String] = [:]
        for column in columns {
            let parts = column.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let field = BookField(rawValue: parts[0]) else {
                let fields = BookField.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--column is \"\(column)\"; expected FIELD=NAME with a field out of \(fields)")
            }
            names[field] = parts[1]
        }
        return names
    }
}

/// Shows a person how far the reading of a file is.
private final class ByteProgress {
    private let path: String
    private let started = ContinuousClock.now
    private var shown: ContinuousClock.Instant?

    init(_ path: String) { self.path = path }

    func show(_ done: Int, of total: Int) {
        let now = ContinuousClock.now
        guard Console.isInteractive, total > 0, shown.map({ $0.duration(to: now) > .milliseconds(100) }) ?? true else {
            return
        }
        shown = now
        let seconds = started.duration(to: now).milliseconds / 1_000
        let left = NumberText.span(seconds: seconds * Double(total - done) / Double(max(1, done)))
        Console.bar(path, done: done >> 20, total: total >> 20, news: ["MiB", left + " left"])
    }

    func end() {
        if shown != nil { Console.write("\r\u{1B}[K") }
    }
}
