import Basics
import BookCatalogue
import Foundation

final class CheckProcesses {
    struct Client {
        var process: Process
        var log: String
        var first: Int
        var stride: Int

        /// The number that it would begin with next.
        var next: Int {
            let begun = try? Journal.lines(path: log).last { $0[0] == "begin" && $0.count > 1 }.flatMap { Int($0[1]) }
            return begun.map { $0 + stride } ?? first
        }
    }

    /// Numbered books that the server knows.
    static let books = 12_000

    let folder: URL
    let library: String
    private let device = UUID().uuidString
    private var address = ""
    private var logs: [String] = []
    private let errors: FileHandle

    init(folder: URL) throws {
        self.folder = folder
        library = folder.appending(path: "library.sqlite").path
        let path = folder.appending(path: "errors.log").path
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        errors = try FileHandle(forWritingTo: URL(filePath: path))
    }

    /// Starts the server; at the same address as before, if there was one.
    func startServer(waits: Bool) async throws -> Process {
        let catalogue = folder.appending(path: "books.sqlite").path
        if !FileManager.default.fileExists(atPath: catalogue) {
            let list = folder.appending(path: "books.csv").path
            let rows = (0..<Self.books).map { "\(NumberedBook($0).title),\(NumberedBook($0).author)\n" }
            try Data("title,author\n\(rows.joined())".utf8).write(to: URL(filePath: list))
            var builder = CatalogueBuilder(name: "check")
            _ = try builder.add(list: list)
            try builder.write(to: catalogue)
        }
        let portFile = folder.appending(path: "port-\(UUID().uuidString)").path
        let port = address.split(separator: ":").last.map(String.init) ?? "0"
        let process = try start([
            "server", "--data", folder.appending(path: "data").path, "--images", images, "--port", port, "--port-file",
            portFile, "--catalogue", catalogue,
        ])
        if waits || address.isEmpty { address = try await process.address(in: portFile) }
        return process
    }

    func startClient(
        _ variant: String,
        first: Int,
        stride: Int = 1,
        count: Int,
        hours: Double,
        drainEvery: Int = 3,
        fileLimit: Int? = nil
    ) throws -> Client {
        let log = folder.appending(path: "client-\(logs.count).log").path
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        logs.append(log)
        let process = try start(
            [
                "client", "--library", library, "--url", address, "--device", device, "--variant", variant, "--first",
                "\(first)", "--stride", "\(stride)", "--count", "\(count)", "--log", log, "--hours", "\(hours)",
                "--drain-every", "\(drainEvery)",
            ] + (fileLimit.map { ["--file-limit", "\($0)"] } ?? [])
        )
        return Client(process: process, log: log, first: first, stride: stride)
    }

    /// Lets a client without spines send all deferred scans.
    func drain(hours: Double) async throws {
        for round in 0..<40 {
            guard try !LibraryStore(path: library).waitingScans().isEmpty else { return }
            let client = try startClient("hybrid", first: 0, count: 0, hours: hours + Double(round) * 2)
            await client.process.hasEnded()
        }
    }

    /// Returns the numbers of the scans that clients began, and of those that returned without an error.
    func said() throws -> (begun: Set<Int>, ended: Set<Int>) {
        var (begun, ended): (Set<Int>, Set<Int>) = ([], [])
        for log in logs {
            for words in try Journal.lines(path: log) {
                guard words.count >= 2, let number = Int(words[1]) else { continue }
                if words[0] == "begin" { begun.insert(number) } else { ended.insert(number) }
            }
        }
        return (begun, ended)
    }

    private var images: String { folder.appending(path: "images").path }

    private func start(_ arguments: [String]) throws -> Process {
        try Process.start(Process.ownProgram, ["talaria"] + arguments, errors: errors)
    }

    /// Returns folders of jobs and their photos: both have the job's id in their path, and the server's own mark has
    /// none.
    static func pictures(in folder: String) -> [String] {
        (FileManager.default.subpaths(atPath: folder) ?? [])
            .filter { $0.split(separator: "/").contains { UUID(uuidString: String($0)) != nil } }
    }

    // MARK: In the end

    /// Final comparison of library and server with the clients' output.
    struct Audit: CustomStringConvertible {
        var begun = 0
        var ended = 0
        var books = 0
        /// Returned from a scan, and no book in the library.
        var lost: [Int] = []
        /// Spines that are in the library more than once.
        var doubled: [String] = []
        /// Spines that still wait, were given up, or are drafts returned from their scan; unneeded pictures.
        var left: [String] = []

        var isGood: Bool { lost.isEmpty && doubled.isEmpty && left.isEmpty }

        var description: String {
            "\(begun) spines begun, \(ended) returned from their scan, \(books) books: "
                + "\(lost.count) lost, \(doubled.count) doubled, \(left.count) left over"
                + lost.prefix(20).map { "\nLOST: spine \($0), \(NumberedBook($0).title)" }.joined()
                + doubled.prefix(20).map { "\nDOUBLED: \($0)" }.joined()
                + left.prefix(20).map { "\nLEFT OVER: \($0)" }.joined()
        }
    }

    /// Returns the audit, after the server has had time to finish its work; then the server is ended.
    func audit(ending server: Process) async throws -> Audit {
        var audit = try audit()
        for _ in 0..<200 where !audit.isGood {
            try await Task.sleep(for: .milliseconds(50))
            audit = try self.audit()
        }
        await server.end(by: SIGTERM)
        return audit
    }

    /// Verifies everything when the queue has been drained and no process runs.
    private func audit() throws -> Audit {
        let store = try LibraryStore(path: library)
        let (begun, ended) = try said()
        var audit = Audit(begun: begun.count, ended: ended.count)
        let titles = try store.books().map(\.title)
        audit.books = titles.count
        let counts = Dictionary(titles.map { ($0, 1) }, uniquingKeysWith: +)
        audit.doubled = counts.filter { $0.value > 1 }.map(\.key).sorted()
        audit.lost = ended.filter { counts[NumberedBook($0).title] == nil }.sorted()
        let known = Set(begun.map { NumberedBook($0).title })
        audit.doubled += titles.filter { !known.contains($0) }.map { "\($0), which is of no spine that was scanned" }
        audit.left += try store.waitingScans().map { "\($0.id) waits: \($0.lastError ?? "")" }
        audit.left += try store.failedScans().map { "\($0.id) was given up: \($0.lastError ?? "")" }
        let returned = Set(ended.map { NumberedBook($0).title.uppercased() })
        audit.left += try store.drafts().filter { returned.contains($0.lines.last ?? "") }.map { "draft \($0.lines)" }
        let queue = (try? FileManager.default.contentsOfDirectory(atPath: library + ".queue")) ?? []
        audit.left += queue.filter { $0 != "lock" }.map { "in the queue's folder: \($0)" }
        audit.left += Self.pictures(in: images)
        return audit
    }
}
