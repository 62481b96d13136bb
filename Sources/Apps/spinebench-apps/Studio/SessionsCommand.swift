import AppSystems
package import ArgumentParser
import Basics
import Captures
import CommandSupport
import Composition
import Foundation
import Harness

package struct SessionsCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "List, rename, copy, merge, archive and delete sessions of captures.",
        subcommands: [
            SessionsList.self, SessionsShow.self, SessionsSearch.self, SessionsDay.self, SessionsRename.self,
            SessionsDuplicate.self, SessionsReprocess.self, SessionsMerge.self, SessionsConsolidate.self,
            SessionsArchive.self, SessionsUnarchive.self, SessionsDelete.self, SessionsConcept.self,
            SessionsEgress.self,
        ],
        defaultSubcommand: SessionsList.self
    )

    package init() {}
}

/// The session that a command works on.
struct NamedSession: ParsableArguments {
    @Argument(help: .value("session", "Session id, its first letters, or “latest”.")) var session: String
    @OptionGroup var store: StoreOptions

    /// Returns the store, which must be there, and the session's id in it.
    func find() throws -> (store: ContextStore, id: UUID) {
        let store = try store.openExisting()
        return (store, try SessionName.find(session, in: store))
    }
}

struct SessionsList: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the sessions, newest first.")

    @Option(help: .value("n", "Maximum number of results.")) var limit = 50
    @Flag(help: "List archived sessions instead of the others.") var archived = false
    @Flag(help: "Print JSON Lines.") var json = false
    @OptionGroup var store: StoreOptions

    func validate() throws {
        if limit < 1 { throw ValidationError("Invalid --limit \(limit): expected at least 1.") }
    }

    func run() throws {
        let store = try store.openExisting()
        for session in try store.sessions(limit: limit, archived: archived) {
            if json {
                StandardOutput.write(try JSONText.line(session) + "\n")
                continue
            }
            let time = session.session.createdAt.formatted(.iso8601)
            let title = session.session.title.isEmpty ? time : "\(PlainLine.of(session.session.title))  \(time)"
            let waiting = session.unfinished > 0 ? ", \(session.unfinished) waiting" : ""
            let id = session.id.firstLetters
            StandardOutput.write("\(id)  \(title)  \(session.items) items\(waiting)\n")
        }
        if !json, let next = try store.sessions(limit: 1, archived: archived).first {
            StandardOutput.write("Show one: spinebench sessions show \(next.id.firstLetters)\n")
        }
    }
}

struct SessionsShow: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a session with its items.")

    @Flag(help: "Print a JSON object: the session and its items, with all known facts.") var json = false
    @OptionGroup var named: NamedSession

    private struct Whole: Encodable {
        var session: CaptureSession
        var items: [CapturedItem]
    }

    func run() throws {
        let (store, id) = try named.find()
        guard let session = try store.session(id) else { throw ContextError.noSession(id) }
        let items = try store.items(of: id)
        if json {
            StandardOutput.write(try JSONText.of(Whole(session: session, items: items)) + "\n")
            return
        }
        let time = session.createdAt.formatted(.iso8601)
        var lines = [session.title.isEmpty ? time : "\(session.title) (\(time))"]
        if let summary = session.summary { lines.append("\(summary) [summarised by \(session.narrator ?? "rules")]") }
        if let place = session.placeName { lines.append("At \(place)") }
        if !session.tags.isEmpty { lines.append("Tags: \(session.tags.joined(separator: ", "))") }
        let found = Dictionary(grouping: items) { $0.parentID }
        for item in found[nil] ?? [] {
            lines.append(Self.line(item, ""))
            lines += (found[item.id] ?? []).map { Self.line($0, "    ") }
        }
        StandardOutput.write(lines.map(PlainLine.of).joined(separator: "\n") + "\n")
    }

    private static func line(_ item: CapturedItem, _ indent: String) -> String {
        let known = item.enrichment
        var parts = ["\(indent)- \(item.title) (\(item.kind.rawValue), \(item.state.rawValue))"]
        if let book = known.bookContext {
            if !book.authors.isEmpty { parts.append("by \(book.authors.joined(separator: ", "))") }
            if let isbn = book.isbn { parts.append("ISBN \(isbn)") }
            if let confidence = book.confidence { parts.append("confidence \(Int((confidence * 100).rounded())) %") }
        }
        if let activity = known.activityContext {
            let basis =
                activity.basis == .claimed ? "claimed, not measured" : "\(activity.confidence.rawValue) confidence"
            parts.append("\(activity.type) (\(basis))")
        }
        if let url = item.url { parts.append(TextSecrets(in: url).redacted) }
        if let error = item.lastError {
            parts.append("\(item.state == .failed ? "failed" : "not all is known"): \(error)")
        }
        return parts.joined(separator: "; ")
    }
}

struct SessionsSearch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search captures by subject.",
        discussion: """
            By the similarity of text embeddings of 384 numbers, shifted towards your concepts of a weight above 1.2. The number \
            before each result is the cosine similarity from -1 to 1, which is not a probability.
            """
    )

    @Argument(help: .value("text", "Subject to search for.")) var text: String
    @Option(help: .value("n", "Maximum number of results.")) var limit = 10
    @Flag(help: "Include archived captures.") var archived = false
    @Flag(help: "Print JSON Lines.") var json = false
    @OptionGroup var store: StoreOptions

    func validate() throws {
        if text.known == nil { throw ValidationError("Specify a subject.") }
        if !(1...1_000).contains(limit) { throw ValidationError("Invalid --limit \(limit): expected 1 to 1000.") }
    }

    func run() async throws {
        let memory = ContextMemory(over: try store.openExisting())
        try await prepare(memory)
        let hits = try await memory.find(text, count: limit, archived: archived)
        if json {
            for hit in hits { StandardOutput.write(try JSONText.line(hit) + "\n") }
            return
        }
        let lines = hits.map { hit in
            let session = hit.session.firstLetters
            return String(format: "%.2f", hit.cosine) + "  \(session)  \(PlainLine.of(hit.title))\n"
        }
        StandardOutput.write(lines.isEmpty ? "No results.\n" : lines.joined())
    }

    /// Indexes items that cannot be found yet, and shows its progress: for many items it takes minutes, once.
    private func prepare(_ memory: ContextMemory) async throws {
        let bar = TimedBar("reading in")
        defer { bar.clear() }
        var (done, left) = (0, try await memory.prepare(most: 20))
        let all = left
        while left > 0 {
            bar.show(done, of: all)
            left = try await memory.prepare(most: 20)
            done = max(0, all - left)
        }
    }
}

struct SessionsDay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "day",
        abstract: "Summarise captures of the last 24 hours."
    )

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let store = try store.openExisting()
        let story = try store.dayStory(before: Date(), calendar: .current)
        StandardOutput.write((story.map(PlainLine.of) ?? "Nothing was captured in the last 24 hours.") + "\n")
    }
}

struct SessionsRename: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Set a session's title, which is then never changed automatically."
    )

    @OptionGroup var named: NamedSession
    @Argument(help: .value("title", "The title.")) var title: String

    func validate() throws {
        if title.known == nil || title.count > 200 {
            throw ValidationError("Invalid title of \(title.count) characters: expected 1 to 200.")
        }
    }

    func run() throws {
        let (store, id) = try named.find()
        try store.update(session: id) { ($0.title, $0.titleSource) = (title, .user) }
        StandardOutput.write("Renamed to \(PlainLine.of(title)).\n")
    }
}

struct SessionsDuplicate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicate",
        abstract: "Copy a session with all known facts of its items."
    )

    @OptionGroup var named: NamedSession

    func run() throws {
        let (store, id) = try named.find()
        let copy = try store.duplicate(session: id, at: Date())
        StandardOutput.write("\(copy.id.firstLetters)  \(PlainLine.of(copy.title))\n")
    }
}

struct SessionsReprocess: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reprocess",
        abstract: "Process the items of a session again, keeping known facts."
    )

    @OptionGroup var options: PipelineOptions
    @OptionGroup var named: NamedSession

    func run() async throws {
        let (store, id) = try named.find()
        let pipeline = try options.pipeline(over: store)
        let count = try store.reprocess(session: id)
        guard count > 0 else {
            StandardOutput.write(
                "No item of \(id.firstLetters) can be processed again: the session is archived, or its items are queued.\n"
            )
            return
        }
        guard try await pipeline.processWaiting(in: store) else {
            Console.standardError("\(count) items are queued; another program is processing them.")
            return
        }
        let failed = try store.items(of: id).count { $0.state == .failed }
        StandardOutput.write("\(count) items were processed again.\n")
        if failed > 0 {
            Console.error("\(failed) could not be processed: spinebench sessions show \(id.firstLetters)")
            throw ExitStatus.missed.exitCode
        }
    }
}

struct SessionsMerge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Move the items of one session into another, and delete the empty session."
    )

    @Argument(help: .value("session", "Source session (deleted).")) var session: String
    @Argument(help: .value("into", "Target session.")) var into: String
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let store = try store.openExisting()
        let target = try SessionName.find(into, in: store)
        let source = try SessionName.find(session, in: store)
        guard source != target else {
            throw HarnessError.configuration("a session cannot be merged into itself: specify two sessions")
        }
        do { try store.merge(session: source, into: target) } catch let error as ContextError {
            throw HarnessError.configuration("\(error)")
        }
        try await store.tell(session: target)
        StandardOutput.write("Show it: spinebench sessions show \(target.firstLetters)\n")
    }
}

struct SessionsConsolidate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consolidate",
        abstract: "Merge sessions that belong to one capture.",
        discussion: """
            Sessions are merged when each began less than 5 seconds after the previous one, at the same place (the degrees of latitude and longitude \
            differ by less than 0.0005 together) or both without one, and has no title set by a user. All items move into the earliest session.
            """
    )

    @Flag(help: "Print the sessions to merge without changing them.") var dryRun = false
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let store = try store.openExisting()
        let split = try dryRun ? store.splitSessions() : store.consolidate()
        if !dryRun { for id in Set(split.map(\.into.id)) { try await store.tell(session: id) } }
        for (session, into) in split {
            let names = [session, into].map { $0.id.firstLetters }
            StandardOutput.write("\(names[0])  \(dryRun ? "would go" : "went") into \(names[1])\n")
        }
        if split.isEmpty { StandardOutput.write("No sessions to merge.\n") }
    }
}

struct SessionsArchive: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "archive", abstract: "Archive a session.")

    @OptionGroup var named: NamedSession

    func run() throws {
        let (store, id) = try named.find()
        let name = id.firstLetters
        do { try store.archive(session: id) } catch let error as ContextError {
            throw HarnessError.configuration("\(error)")
        }
        StandardOutput.write(
            """
            \(name) is archived. List archived sessions: spinebench sessions list --archived
            Unarchive it: spinebench sessions unarchive \(name)

            """
        )
    }
}

struct SessionsUnarchive: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unarchive", abstract: "Unarchive a session.")

    @Argument(help: .value("session", "Session id, or its first letters.")) var session: String
    @OptionGroup var store: StoreOptions

    func run() throws {
        let store = try store.openExisting()
        let id = try SessionName.find(session, in: store)
        let count = try store.unarchive(session: id)
        let name = id.firstLetters
        StandardOutput.write(count == 0 ? "\(name) is not archived.\n" : "\(name) is unarchived.\n")
    }
}

struct SessionsDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a session, its items and their pictures permanently."
    )

    @OptionGroup var named: NamedSession

    func run() throws {
        let (store, id) = try named.find()
        try store.delete(session: id)
        StandardOutput.write("\(id.firstLetters) is deleted.\n")
    }
}

struct SessionsEgress: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "egress",
        abstract: "List every request that left this device, oldest first, as JSON Lines."
    )

    @OptionGroup var store: StoreOptions

    func run() throws {
        let lines = try store.openExisting().transfers()
        if lines.isEmpty { Console.standardError("Nothing left this device.") }
        StandardOutput.write(lines.map { $0 + "\n" }.joined())
    }
}

struct SessionsConcept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "concept",
        abstract: "List your concepts, or set or delete one.",
        discussion: "A concept with a weight above 1.2 is weighted among the tags of captures that contain its words."
    )

    @Argument(help: .value("name", "Name of the concept. (default: list all)")) var name: String?
    @Option(help: .value("number", "Set the concept's weight, 0 to 10.")) var weight: Double?
    @Flag(help: "Delete the concept.") var forget = false
    @OptionGroup var store: StoreOptions

    func validate() throws {
        if let weight, !(0...10).contains(weight) {
            throw ValidationError("Invalid --weight \(weight): expected 0 to 10.")
        }
        if name?.known == nil && (name != nil || weight != nil || forget) {
            throw ValidationError("Specify a concept.")
        }
        if name != nil && (weight != nil) == forget { throw ValidationError("Specify --weight or --forget.") }
    }

    func run() throws {
        let store = try store.open()
        if let name, let weight {
            try store.keep(UserConcept(name: name, weight: weight))
            StandardOutput.write("\(weight)  \(PlainLine.of(name))\n")
        }
        if let name, forget, try !store.forget(concept: name) {
            Console.error("concept not found: '\(PlainLine.of(name))'")
            throw ExitStatus.wrongInput.exitCode
        }
        if let name, forget { StandardOutput.write("\(PlainLine.of(name)) is deleted.\n") }
        if name == nil {
            for concept in try store.concepts() {
                StandardOutput.write("\(concept.weight)  \(PlainLine.of(concept.name))\n")
            }
        }
    }
}
