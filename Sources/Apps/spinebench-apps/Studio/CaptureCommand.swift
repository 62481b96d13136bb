package import ArgumentParser
import Basics
import Captures
import CommandSupport
import Composition
import Foundation
import Harness
import Synchronization

/// `spinebench capture`: adds pictures, texts and addresses to a session, and processes them.
package struct CaptureCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Captures pictures, texts and addresses into a session, reads them, and says what they are.",
        discussion: """
            For example:

              spinebench capture shelf.jpg receipt.png https://example.org/article
              spinebench capture --inbox ~/Dropbox/captures
              spinebench capture page.jpg --session 3f2a
              spinebench capture --live frames/

            A picture (PNG, JPEG, HEIC; of a book, a shelf, a page, a code or anything else) is searched for QR and bar codes, \
            read, and its books are named. What is found in it becomes items of their own below it. Then the services that \
            --providers allows are asked at once. All is kept in the store, with every stage as it ends: a program that is killed \
            loses nothing but that stage. What was known before is never replaced by less.

            With --live, what is named are a camera's frames in the order of their names: codes alone are looked for on each, and \
            a frame on which a new code is seen is captured. A code that was seen within two seconds before is not new.

            Metadata of a JPEG or PNG file is not kept, but a JPEG's place; a HEIC file is kept as it is.

            The motion of photo.jpg, an accelerometer's trace in photo.motion.csv beside it, tells whether somebody stood, walked, \
            ran or cycled; --motion names another file. Docs/SESSIONS.md says what is in it.

            With --json, each item gives one line when it has ended.

            Exit codes: 0 all were captured and looked at, 1 one could not be, 2 wrong usage, 4 the engine, the catalogue or the \
            store is missing.
            """
    )

    @Argument(help: .value("path", "Pictures and texts, folders of pictures, and addresses of the web."))
    var paths: [String] = []

    @Option(help: .value("id", "Add to this session; its first letters do. (default: a new session)"))
    var session: String?

    @Option(
        help: .value("folder", "Take what lies in this folder; each file goes when it is kept."),
        completion: .directory
    )
    var inbox: String?

    @Flag(help: "Take pictures for frames of a camera, and capture those on which a new code is seen.")
    var live = false

    @Option(help: .value("n", "Frames of --live a second; a recording (.y4m) says so itself."))
    var framesPerSecond = 30.0

    @Option(
        help: .value("file", "An accelerometer's trace (CSV) of what is captured now."),
        completion: .file()
    )
    var motion: String?

    @Flag(help: "Claim to be in a car: a simulated state, kept as a claim.")
    var automotive = false

    @Flag(help: "Keep only; 'spinebench capture' without a path looks at it later.")
    var later = false

    @Flag(help: "Print a JSON object for each item.")
    var json = false

    @OptionGroup var options: PipelineOptions
    @OptionGroup var store: StoreOptions

    package init() {}

    package func validate() throws {
        try options.validate()
        if inbox != nil && session != nil {
            throw ValidationError("--inbox makes sessions of its own: name no --session.")
        }
        if live && (paths.isEmpty || paths.contains { CaptureIntake.isAddress($0) }) {
            throw ValidationError("--live needs frames: name a folder of pictures, pictures, or a recording (.y4m).")
        }
        if !(0.01...1_000).contains(framesPerSecond) {
            throw ValidationError("--frames-per-second is \(framesPerSecond); expected 0.01 to 1000.")
        }
        if (motion != nil || automotive) && paths.isEmpty {
            throw ValidationError("--motion and --automotive belong to what is captured: name a path.")
        }
        if later && paths.isEmpty && inbox == nil {
            throw ValidationError("--later needs something to keep: name a path.")
        }
    }

    package func run() async throws {
        if !later { try options.check() }
        let store = try store.open()
        var failures = try keep(in: store)
        if !later { failures += try await process(store) }
        if failures > 0 {
            Console.error("\(failures) could not be captured or looked at")
            throw ExitStatus.missed.exitCode
        }
    }

    /// Saves the named inputs.
    ///
    /// - Returns: how many could not be kept.
    private func keep(in store: ContextStore) throws -> Int {
        var failures = 0
        let motion = try motionGiven()
        // All invalid names are reported before anything is saved.
        let files = paths.filter { !CaptureIntake.isAddress($0) }
        let pictures = try live || files.isEmpty ? [] : PictureFiles(files).paths
        if let inbox {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: inbox, isDirectory: &isFolder), isFolder.boolValue,
                FileManager.default.isReadableFile(atPath: inbox)
            else {
                throw HarnessError.configuration("--inbox \(inbox): there is no such folder, or it may not be read")
            }
        }
        var sessionID = try session.map { try SessionName.find($0, in: store) }
        if live {
            let outcome = try LiveFrames(paths, framesPerSecond: framesPerSecond)
                .capture(in: store, session: &sessionID, motion: motion, at: Date())
            Console.standardError("\(outcome.seen) frames were looked at; a new code was on \(outcome.kept).")
            failures += outcome.failures
        } else {
            for address in paths where CaptureIntake.isAddress(address) {
                failures += try keep(address, &sessionID, store) { now in
                    var new = try CaptureIntake.capture(address: address, at: now)
                    new.motion = motion
                    return new
                }
            }
            for path in pictures {
                failures += try keep(path, &sessionID, store) { now in
                    let bytes = try InputFile.bytes(path, most: CaptureIntake.mostBytes)
                    var new = try CaptureIntake.capture(bytes, name: path, at: now)
                    new.motion = motion ?? Self.motion(beside: path)
                    return new
                }
            }
        }
        if let inbox {
            for (_, outcome) in try Inbox(URL(filePath: inbox), store: store).take() {
                guard case .rejected(let reason) = outcome else { continue }
                Console.error(PlainLine.of(reason))
                failures += 1
            }
        }
        if later, !json, let sessionID {
            StandardOutput.write(
                "Kept in session \(SessionName.short(sessionID)). Have it looked at: spinebench capture\n"
            )
        }
        return failures
    }

    /// Returns the motion beside a picture; an invalid trace is reported, and only the trace is skipped.
    private static func motion(beside path: String) -> MotionRecord? {
        do { return try CaptureIntake.motion(beside: path) } catch {
            Console.error("\(error); \(path) is kept without its motion")
            return nil
        }
    }

    /// Returns the named or claimed motion; nil for neither.
    private func motionGiven() throws -> MotionRecord? {
        do {
            guard let motion else { return automotive ? MotionRecord(claimsAutomotive: true) : nil }
            return try CaptureIntake.motion(at: motion, claimsAutomotive: automotive)
        } catch {
            throw HarnessError.configuration("--motion \(error)")
        }
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
        } catch let error as CaptureError {
            Console.error("\(error)")
        } catch let error as HarnessError {
            Console.error("\(error)")
        } catch let error as ContextError {
            // An error of the session, not of the file: the next file would also fail.
            throw HarnessError.configuration("\(error)")
        }
        return 1
    }

    /// Processes the waiting items.
    ///
    /// - Returns: the number of items that could not be processed.
    private func process(_ store: ContextStore) async throws -> Int {
        guard try store.counts().unfinished > 0 else {
            if paths.isEmpty {
                let hint =
                    inbox == nil
                    ? "Name a picture: spinebench capture shelf.jpg" : "No file lies there that is a second old."
                Console.standardError("Nothing waits. \(hint)")
            }
            return 0
        }
        let seen = Mutex((failures: 0, session: UUID?.none))
        let asJSON = json
        let isDone = try await options.pipeline(over: store).processWaiting(in: store) { event in
            guard case .ended(let item) = event else { return }
            seen.withLock { seen in
                if item.state == .failed { seen.failures += 1 }
                seen.session = item.sessionID
            }
            try? Self.show(item, json: asJSON)
        }
        if !isDone {
            Console.standardError("Another program looks at what waits in this store, and will look at this.")
        }
        let (failures, id) = seen.withLock { $0 }
        if !json, let id, let session = try store.session(id) {
            let summary = PlainLine.of(session.summary ?? "")
            StandardOutput.write("\(summary)\nSee it: spinebench sessions show \(SessionName.short(id))\n")
        }
        return failures
    }

    private static func show(_ item: CapturedItem, json: Bool) throws {
        if json {
            StandardOutput.write(try JSONText.line(item) + "\n")
            return
        }
        let mark = item.state == .failed ? Console.coloured("✗", .red) : Console.coloured("✓", .green)
        let indent = item.parentID == nil ? "" : "  "
        var line = "\(indent)\(mark) \(PlainLine.of(item.title)) (\(item.kind.rawValue))"
        if let error = item.lastError { line += ": \(PlainLine.of(error))" }
        StandardOutput.write(line + "\n")
    }
}

/// Lookup of a session by a typed name.
enum SessionName {
    /// Returns the printed form of an id, which can also be entered: its first eight letters.
    static func short(_ id: UUID) -> String { id.uuidString.prefix(8).lowercased() }

    /// Returns the session whose id has this prefix; “latest” is the newest one.
    ///
    /// - Throws: `HarnessError.configuration` when there is none, or more than one.
    static func find(_ prefix: String, in store: ContextStore) throws -> UUID {
        if prefix == "latest", let newest = try store.sessions(limit: 1).first { return newest.id }
        let found = try store.sessions(idPrefix: prefix)
        guard prefix.count >= 4, let id = found.first, found.count == 1 else {
            let reason =
                prefix.count < 4
                ? "give four letters of its id at least"
                : found.isEmpty
                    ? "there is none; 'spinebench sessions' lists them" : "there is more than one; give more letters"
            throw HarnessError.configuration("session '\(prefix)': \(reason)")
        }
        return id
    }
}
