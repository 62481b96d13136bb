package import ArgumentParser
import Basics
import CaptureReading
import Captures
import CommandSupport
import Foundation
import Harness
import Synchronization
import Systems

package struct CaptureCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Capture pictures, texts and addresses into a session, and process them.",
        discussion: """
            Examples:

              spinebench capture shelf.jpg receipt.png https://example.org/article
              spinebench capture --inbox ~/Dropbox/captures
              spinebench capture --live frames/

            Codes, text and books are read here; only services of --providers are queried. Manual: Docs/SESSIONS.md. \
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

    @Flag(help: "The pictures are a camera's frames: capture what was not seen for two seconds.")
    var live = false

    @Option(help: .value("n", "Frames per second of --live; a .y4m has its own."))
    var framesPerSecond = 30.0

    @Flag(help: "Only save; 'capture' without a path processes it.")
    var later = false

    @Flag(help: "Print JSON Lines, one per item.")
    var json = false

    @OptionGroup var options: PipelineOptions
    @OptionGroup var store: StoreOptions

    package init() {}

    package func validate() throws {
        try options.validate()
        if inbox != nil && session != nil {
            throw ValidationError("--inbox creates its own sessions: remove --session.")
        }
        if live && (paths.isEmpty || paths.contains { CaptureIntake.isAddress($0) }) {
            throw ValidationError(
                "--live requires frames: specify a folder of pictures, pictures, or a recording (.y4m)."
            )
        }
        if !(0.01...1_000).contains(framesPerSecond) {
            throw ValidationError("Invalid --frames-per-second \(framesPerSecond): expected 0.01 to 1000.")
        }
        if later && paths.isEmpty && inbox == nil {
            throw ValidationError("--later requires a path.")
        }
    }

    package func run() async throws {
        if !later { try options.check() }
        let store = try store.open()
        let processor = live ? try options.processor() : nil
        // Times are stored with milliseconds.
        let start = Date().addingTimeInterval(-0.001)
        var (failures, session) = try keep(in: store, processor)
        var incomplete = 0
        if !later {
            let outcome = try await process(store, processor, new: session.map { ($0, start) })
            (failures, incomplete) = (failures + outcome.failures, outcome.incomplete)
        }
        if failures > 0 { Console.error("\(failures) could not be captured or processed") }
        if incomplete > 0 {
            let items = LocalTime.count(incomplete, "item")
            Console.error(
                "\(items) incomplete: a source failed; query it again with: spinebench sessions retry latest\(self.store.flag)\(options.flag)"
            )
        }
        if failures + incomplete > 0 { throw ExitStatus.missed.exitCode }
    }

    /// Saves the named inputs.
    ///
    /// - Returns: how many could not be saved, and the session of the others; nil without one.
    private func keep(
        in store: ContextStore,
        _ processor: IntelligenceProcessor?
    ) throws -> (failures: Int, session: UUID?) {
        var failures = 0
        // All invalid names are reported before anything is saved.
        let files = paths.filter { !CaptureIntake.isAddress($0) }
        let pictures = try live || files.isEmpty ? [] : PictureFiles(files).paths
        if let inbox {
            guard FileManager.default.isFolder(inbox), FileManager.default.isReadableFile(atPath: inbox)
            else {
                throw HarnessError.configuration("--inbox \(inbox): folder not found or not readable")
            }
        }
        var sessionID = try session.map { try SessionName.find($0, in: store) }
        if live {
            let outcome = try LiveFrames(paths, framesPerSecond: framesPerSecond)
                .capture(in: store, session: &sessionID, at: Date(), with: processor)
            let time = outcome.milliseconds.isEmpty ? 0 : outcome.milliseconds.reduce(0, +) / Double(outcome.seen)
            Console.standardError(
                "\(outcome.seen) frames were processed, each in \(Int(time.rounded())) ms; \(outcome.kept) showed something new."
            )
            failures += outcome.failures
        } else {
            for address in paths where CaptureIntake.isAddress(address) {
                failures += try keep(address, &sessionID, store) { try CaptureIntake.capture(address: address, at: $0) }
            }
            for path in pictures {
                failures += try keep(path, &sessionID, store) { now in
                    let bytes = try InputFile.bytes(path, most: CaptureIntake.mostBytes)
                    return try CaptureIntake.capture(bytes, name: path, at: now)
                }
            }
        }
        if let inbox {
            for (_, outcome) in try Inbox(URL(filePath: inbox), store: store).take() {
                switch outcome {
                case .rejected(let reason):
                    Console.error(PlainLine.of(reason))
                    failures += 1
                case .ignored(let reason): Console.standardError(PlainLine.of(reason))
                case .taken, .takenBefore: break
                }
            }
        }
        if later, !json, let sessionID {
            let hint = "Process it with: spinebench capture\(self.store.flag)"
            StandardOutput.write("Saved to session \(sessionID.firstLetters). \(hint)\n")
        }
        return (failures, paths.isEmpty ? nil : sessionID)
    }

    private func keep(
        _ path: String,
        _ sessionID: inout UUID?,
        _ store: ContextStore,
        _ capture: (Date) throws -> NewCapture
    ) throws -> Int {
        do {
            var new = try capture(Date())
            new.sessionID = sessionID
            new.source = path
            sessionID = try store.capture(new)?.sessionID
            return 0
        } catch  where error is CaptureError || error is HarnessError {
            Console.error("\(error)")
        } catch let error as ContextError {
            // An error of the session, not of the file: the next file would also fail.
            throw HarnessError.configuration("\(error)")
        }
        return 1
    }

    /// Processes the waiting items; those that were saved in the session `new` since its time may be processed by
    /// another program.
    private func process(
        _ store: ContextStore,
        _ processor: IntelligenceProcessor?,
        new: (session: UUID, since: Date)?
    ) async throws -> (failures: Int, incomplete: Int) {
        guard try store.isWaiting(at: Date()) || new != nil else {
            if paths.isEmpty {
                let hint =
                    inbox == nil
                    ? "Specify a picture: spinebench capture shelf.jpg"
                    : "The inbox contains no file older than one second."
                Console.standardError("Nothing to process. \(hint)")
            }
            return (0, 0)
        }
        let seen = Mutex(Seen())
        let asJSON = json
        @Sendable func show(_ item: CapturedItem) {
            let origin = seen.withLock { $0.add(item) }
            try? Self.show(item, from: origin, json: asJSON)
        }
        let pipeline = try options.pipeline(over: store, processor: processor)
        func processWaiting() async throws -> Bool {
            try await pipeline.processWaiting(in: store) { if case .ended(let item) = $0 { show(item) } }
        }
        let isDone = try await processWaiting()
        func others() throws -> [CapturedItem] {
            let items = try new.map { new in try store.items(of: new.session).filter { $0.capturedAt >= new.since } }
            return items?.filter { item in seen.withLock { !$0.ids.contains(item.id) } } ?? []
        }
        if try !isDone || !others().isEmpty {
            Console.standardError("Another program processes this store, with its own sources.")
        }
        while case let items = try others(), !items.isEmpty {
            let ended = items.filter { ![.queued, .processing].contains($0.state) }
            ended.forEach(show)
            if ended.count == items.count { break }
            try await Task.sleep(for: .milliseconds(200))
            // It may have ended before its turn did.
            _ = try await processWaiting()
        }
        let end = seen.withLock { $0 }
        if !json, let id = end.newest?.sessionID, let session = try store.session(id) {
            let summary = PlainLine.of(session.summary ?? "")
            StandardOutput.write("\(summary)\nShow it: spinebench sessions show \(id.firstLetters)\(self.store.flag)\n")
        }
        return (end.failures, end.incomplete)
    }

    /// Items that were processed, in the order in which they ended.
    private struct Seen {
        var failures = 0
        var incomplete = 0
        var newest: CapturedItem?
        var ids: Set<UUID> = []
        private var titles: [UUID: String] = [:]
        private var last: UUID?

        /// Returns the title of the capture on which the item was found, where another one was shown since.
        mutating func add(_ item: CapturedItem) -> String? {
            ids.insert(item.id)
            if item.state == .failed { failures += 1 }
            if item.state == .incomplete { incomplete += 1 }
            if item.capturedAt >= newest?.capturedAt ?? .distantPast { newest = item }
            guard let parent = item.parentID else {
                (titles[item.id], last) = (item.title, item.id)
                return nil
            }
            return parent == last ? nil : titles[parent]
        }
    }

    private static func show(_ item: CapturedItem, from origin: String?, json: Bool) throws {
        if json {
            StandardOutput.write(try JSONText.line(item) + "\n")
            return
        }
        let mark =
            switch item.state {
            case .failed: Console.coloured("✗", .red)
            case .incomplete: Console.coloured("!", .yellow)
            default: Console.coloured("✓", .green)
            }
        let indent = item.parentID == nil ? "" : "  "
        var line = "\(indent)\(mark) \(PlainLine.of(item.title)) (\(item.kind.rawValue))"
        if let origin { line += " on \(PlainLine.of(origin))" }
        if let error = item.lastError { line += ": \(PlainLine.of(error))" }
        StandardOutput.write(line + "\n")
    }
}

/// Lookup of a session by a typed name.
enum SessionName {
    /// Returns the session whose id has this prefix; “latest” is the newest one.
    static func find(_ prefix: String, in store: ContextStore) throws -> UUID {
        if prefix == "latest", let newest = try store.sessions(limit: 1).first { return newest.id }
        let found = try store.sessions(idPrefix: prefix)
        guard prefix.count >= 4, let id = found.first, found.count == 1 else {
            let reason =
                prefix.count < 4
                ? "give at least four letters of its id"
                : found.isEmpty
                    ? "session not found; 'spinebench sessions' lists the sessions" : "ambiguous; give more letters"
            throw HarnessError.configuration("session '\(prefix)': \(reason)")
        }
        return id
    }
}
