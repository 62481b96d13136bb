import ArgumentParser
import CommandSupport
import Documents
import Foundation
import SpineDatasets

/// `spinebench dataset view`: a dataset as a page to look through.
struct DatasetView: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view",
        abstract: "Writes a dataset as one HTML page: every picture with its labels drawn on it.",
        discussion: """
            Shows any dataset whose labels 'dataset validate' can read, unfinished ones and those with faulty pictures or \
            regions included. The page needs no network and no other file. It filters by text, labels and size, sorts by any difficulty \
            figure, and turns each spine so that its title reads from left to right: one that then does not has a wrong \
            orientation. Its address keeps the filters, so that a link shows the same.

            Keys: / searches; in a large picture, the left and right arrow keys go on and Escape closes.

            Exit codes: 0 every picture is shown, 1 some do not decode (their cards say why), 2 the labels are faulty.
            """
    )

    @Argument(help: "The dataset's folder.", completion: .directory)
    var path: String

    @Option(
        name: .customLong("out"),
        help: ArgumentHelp("The page to write. (default: NAME.html, after the folder)", valueName: "file"),
        completion: .file(extensions: ["html"])
    )
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The long side of a spine at most, in pixels; of a shelf, three times that.",
            valueName: "pixels"
        )
    )
    var maxSide = 480

    @Option(help: ArgumentHelp("Show that many spines, the categories in turn, and shelves. (default: all)"))
    var limit: Int?

    func validate() throws {
        guard (16...4_096).contains(maxSide) else {
            throw ValidationError("--max-side is \(maxSide); 16 to 4096 pixels can be shown")
        }
        if let limit, limit < 1 { throw ValidationError("--limit is \(limit); at least 1 spine can be shown") }
    }

    func run() throws {
        let file = URL(filePath: output ?? URL(filePath: path).standardizedFileURL.lastPathComponent + ".html")
        try refuse(file)
        let sheet = try ContactSheet(of: path, maximumSide: maxSide, limit: limit)
        let start = ContinuousClock.now
        let outcome = try sheet.write(to: file) { done, total in
            guard Console.isInteractive else { return }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let left = NumberText.span(seconds: seconds / Double(done) * Double(total - done))
            Console.bar(done: done, total: total, news: [left + " left"])
        }
        if Console.isInteractive { Console.write("\r\u{1B}[K") }
        print("\(file.relativePath): \(NumberText.megabytes(Double(outcome.bytes)))")
        if outcome.bytes > 50_000_000 {
            Console.standardError(
                "warning: browsers are slow with more than 50 MB; a smaller --max-side (now \(maxSide)) or --limit helps"
            )
        }
        if !outcome.faults.isEmpty {
            let listed = Array(outcome.faults.prefix(200))
            let error = DatasetError.faults(path: path, faults: listed, more: outcome.faults.count - listed.count)
            Console.error("\(error)")
            throw ExitStatus.missed.exitCode
        }
    }

    /// Refuses to write the page over anything in the dataset's folder but an earlier page.
    private func refuse(_ file: URL) throws {
        guard let target = FileIdentity(file.path) else { return }
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        let inputs = names.filter { !$0.hasSuffix(".html") }.map { "\(path)/\($0)" }
        if inputs.contains(where: { FileIdentity($0) == target }) {
            _ = try OutputFile(file.relativePath, option: "--out", over: inputs)
        }
    }
}
