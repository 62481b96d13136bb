import ArgumentParser
import Basics
import LibraryStore

/// `spinebench library export`: the books for other programs.
struct LibraryExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the books as CSV or JSON.",
        discussion: "In CSV, a text that a spreadsheet would take for a formula has an apostrophe before it."
    )

    @OptionGroup var options: LibraryOptions

    @Option(help: "What to write: csv, json.")
    var format = Format.csv

    @Option(name: .customLong("out"), help: "The file to write. (default: standard output)", completion: .file())
    var output: String?

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case csv, json
    }

    func run() throws {
        let file = try output.map { try OutputFile($0, option: "--out", over: options.files) }
        let books = try options.openExisting().books()
        let text =
            switch format {
            case .csv: LibraryExport.csv(books)
            case .json: try LibraryExport.json(books)
            }
        if let file {
            try file.write(Array(text.utf8))
        } else {
            print(text, terminator: "")
        }
    }
}
