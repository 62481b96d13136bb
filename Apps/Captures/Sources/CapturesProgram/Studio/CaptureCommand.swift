package import ArgumentParser
import Basics
import CaptureReading
import Captures
import CommandSupport
import Foundation
import Synchronization

package struct CaptureCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Capture pictures, texts and addresses into a session, and process them.",
        discussion: """
            Examples:

              \(Hint.program) add shelf.jpg receipt.png https://example.org/article
              \(Hint.program) add --inbox ~/Dropbox/captures

            Codes, text and books are read here; only services of --providers are queried. Manual: Apps/Captures/README.md. \
            Exit codes: Docs/MEASURING.md#exit-codes.
            """
    )

    @Argument(help: .value("path", "Pictures, texts, folders of pictures, and web addresses."))
    var paths: [String] = []

    @Option(help: .value("id", "Session to add to: its id's first letters. (default: a new one)"))
    var session: String?

    @Option(
        help: .value("folder", "Import this folder's files, deleting each when it is saved."),
        completion: .directory
    )
    var inbox: String?

    @Flag(help: "Only save; 'add' without a path processes it.")
    var later = false

    @Flag(help: "Print JSON Lines, one per item.")
    var json = false

    @OptionGroup var options: PipelineOptions
    @OptionGroup var store: StoreOptions

    package init() {}

    package func validate() throws {
        if inbox != nil && session != nil {
            throw ValidationError("--inbox creates its own sessions: remove --session.")
        }
        if later && paths.isEmpty && inbox == nil {
            throw ValidationError("--later requires a path.")
        }
    }

    package func run() async throws {
        if !later { try options.check() }
        let store = try store.open()
        // Times are stored with milliseconds.
        let start = Date().addingTimeInterval(-0.001)
        var (failures, session) = try keep(in: store)
        var incomplete = 0
        if !later {
            let shown = try await process(store, new: session.map { ($0, start) })
            (failures, incomplete) = (failures + shown.failures, shown.incomplete)
        }
        if failures > 0 { Console.error("\(failures) could not be captured or processed") }
        if incomplete > 0 {
            let retry = "\(Hint.program) sessions retry latest\(self.store.flag)\(options.flag)"
            let items = LocalTime.count(incomplete, "item")
            Console.error("\(items) incomplete: a source failed; query it again with: \(retry)")
        }
        if failures + incomplete > 0 { throw ExitStatus.missed.exitCode }
    }

    /// Saves the named inputs.
    ///
    /// - Returns: how many could not be saved, and the session of the others; nil without one.
    private func keep(in store: CaptureStore) throws -> (failures: Int, session: UUID?) {
        var failures = 0
        // All invalid names are reported before anything is saved.
        let files = paths.filter { !CaptureIntake.isAddress($0) }
        let pictures = try files.isEmpty ? [] : PictureFiles(files).paths
        if let inbox, !FileManager.default.isFolder(inbox) || !FileManager.default.isReadableFile(atPath: inbox) {
            throw InputError("--inbox \(inbox): folder not found or not readable")
        }
        var sessionID = try session.map { try SessionName.find($0, in: store) }
        for path in paths.filter(CaptureIntake.isAddress) + pictures {
            do {
                var new =
                    try CaptureIntake.isAddress(path)
                    ? CaptureIntake.capture(address: path, at: Date())
                    : CaptureIntake.capture(
                        InputFile.bytes(path, most: CaptureIntake.mostBytes),
                        name: path,
                        at: Date()
                    )
                (new.sessionID, new.source) = (sessionID, path)
                sessionID = try store.capture(new).sessionID
            } catch  where error is CaptureError || error is InputError {
                Console.error("\(error)")
                failures += 1
            } catch let error as CaptureFault {
                // An error of the session, not of the file: the next file would also fail.
                throw InputError("\(error)")
            }
        }
        if let inbox {
            for file in try Inbox(URL(filePath: inbox), store: store).importFiles() {
                guard let problem = file.problem.map(PlainLine.of) else { continue }
                if file.isRejected { Console.error(problem) } else { Console.standardError(problem) }
                failures += file.isRejected ? 1 : 0
            }
        }
        if later, !json, let sessionID {
            let hint = "Process it with: \(Hint.program) add\(self.store.flag)"
            StandardOutput.write("Saved to session \(sessionID.firstLetters). \(hint)\n")
        }
        return (failures, paths.isEmpty ? nil : sessionID)
    }

    /// Processes the waiting items, and follows those that were saved in the session `new` since its time, which another
    /// program may process.
    private func process(
        _ store: CaptureStore,
        new: (session: UUID, since: Date)?
    ) async throws -> Shown {
        guard try store.isWaiting(at: Date()) || new != nil else {
            if paths.isEmpty {
                let hint =
                    inbox == nil
                    ? "Specify a picture: \(Hint.program) add shelf.jpg"
                    : "The inbox contains no file older than one second."
                Console.standardError("Nothing to process. \(hint)")
            }
            return Shown(json: json)
        }
        let shown = Mutex(Shown(json: json))
        let pipeline = try options.pipeline(over: store)
        for round in 0... {
            let isOurs = try await pipeline.processWaiting(in: store) { event in
                if case .ended(let item) = event { shown.withLock { $0.show(item) } }
            }
            let items = try new.map { new in try store.items(of: new.session).filter { $0.capturedAt >= new.since } }
            let others = (items ?? []).filter { item in shown.withLock { !$0.ids.contains(item.id) } }
            let ended = others.filter { ![.queued, .processing].contains($0.state) }
            if round == 0, !isOurs || ended.count < others.count {
                Console.standardError("Another program processes this store, with its own sources.")
            }
            for item in ended { shown.withLock { $0.show(item) } }
            if ended.count == others.count { break }
            // It may be killed before: then the rest is processed here.
            try await Task.sleep(for: .milliseconds(200))
        }
        let end = shown.withLock { $0 }
        if !json, let id = end.newest?.sessionID, let session = try store.session(id) {
            StandardOutput.write(PlainLine.of(session.summary ?? "") + "\n" + Hint.show(id, self.store))
        }
        return end
    }
}

/// Items whose processing has ended, which are printed in that order.
private struct Shown {
    let json: Bool
    private(set) var failures = 0
    private(set) var incomplete = 0
    private(set) var newest: CapturedItem?
    private(set) var ids: Set<UUID> = []
    private var titles: [UUID: String] = [:]
    private var last: UUID?

    init(json: Bool) { self.json = json }

    mutating func show(_ item: CapturedItem) {
        ids.insert(item.id)
        if item.state == .failed { failures += 1 }
        if item.state == .incomplete { incomplete += 1 }
        if item.capturedAt >= newest?.capturedAt ?? .distantPast { newest = item }
        let parent = item.parentID
        if parent == nil { (titles[item.id], last) = (item.title, item.id) }
        if json {
            if let line = try? JSONText.line(ItemWithFacts(item)) { StandardOutput.write(line + "\n") }
            return
        }
        let mark =
            switch item.state {
            case .failed: Console.coloured("✗", .red)
            case .incomplete: Console.coloured("!", .yellow)
            default: Console.coloured("✓", .green)
            }
        var line = "\(item.title) (\(item.kind.rawValue))"
        // Another capture was shown since the one on which it was found.
        if let parent, parent != last, let title = titles[parent] { line += " on \(title)" }
        if let error = item.lastError ?? item.problems.words { line += ": \(error)" }
        StandardOutput.write("\(parent == nil ? "" : "  ")\(mark) \(PlainLine.of(line))\n")
    }
}
