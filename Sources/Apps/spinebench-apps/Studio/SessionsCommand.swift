import AppSystems
package import ArgumentParser
import Basics
import Captures
import CommandSupport
import Composition
import Foundation
import Harness

/// `spinebench sessions`: lists, searches and edits captures.
package struct SessionsCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "Lists what was captured, and renames, copies, merges, puts away and deletes sessions.",
        subcommands: [
            SessionsList.self, SessionsShow.self, SessionsSearch.self, SessionsDay.self, SessionsRename.self,
            SessionsDuplicate.self,
            SessionsReprocess.self, SessionsMerge.self, SessionsConsolidate.self, SessionsArchive.self,
            SessionsUnarchive.self, SessionsDelete.self, SessionsConcept.self,
            SessionsEgress.self,
        ],
        defaultSubcommand: SessionsList.self
    )

    package init() {}
}

struct SessionsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the sessions, the newest first."
    )

    @Option(help: .value("n", "At most so many.")) var limit = 50
    @Flag(help: "List those that were put away, instead of the others.") var archived = false
    @Flag(help: "Print a JSON object a line.") var json = false
    @OptionGroup var store: StoreOptions

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit is \(limit); expected at least 1.") }
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
            let id = SessionName.short(session.id)
            StandardOutput.write("\(id)  \(title)  \(session.items) items\(waiting)\n")
        }
        if !json, let next = try store.sessions(limit: 1, archived: archived).first {
            StandardOutput.write("Open one: spinebench sessions show \(SessionName.short(next.id))\n")
        }
    }
}

struct SessionsShow: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows a session with its items.")

    @Argument(help: .value("session", "Its id, the first letters of it, or “latest”.")) var session: String
    @Flag(help: "Print a JSON object: session and items, with all that is known.") var json = false
    @OptionGroup var store: StoreOptions

    private struct Whole: Encodable {
        var session: CaptureSession
        var items: [CapturedItem]
    }

    func run() throws {
        let store = try store.openExisting()
        let id = try SessionName.find(session, in: store)
        guard let session = try store.session(id) else { throw ContextError.noSession(id) }
        let items = try store.items(of: id)
        if json {
            StandardOutput.write(try JSONText.of(Whole(session: session, items: items)) + "\n")
            return
        }
        let time = session.createdAt.formatted(.iso8601)
        var lines = [session.title.isEmpty ? time : "\(session.title) (\(time))"]
        if let summary = session.summary { lines.append("\(summary) [told by \(session.narrator ?? "rules")]") }
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
        abstract: "Finds what was captured by what it is about.",
        discussion: """
            By the nearness of texts in a space of 384 numbers, drawn towards your concepts of a weight above 1.2. The number \
            before each is the cosine: a measure of nearness from -1 to 1, no probability.
            """
    )

    @Argument(help: .value("text", "What it is about.")) var text: String
    @Option(help: .value("n", "At most so many.")) var limit = 10
    @Flag(help: "Look among those that were put away, too.") var archived = false
    @Flag(help: "Print a JSON object a line.") var json = false
    @OptionGroup var store: StoreOptions

    func validate() throws {
        if text.known == nil { throw ValidationError("Say what to look for.") }
        if !(1...1_000).contains(limit) { throw ValidationError("--limit is \(limit); expected 1 to 1000.") }
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
            let session = SessionName.short(hit.session)
            return String(format: "%.2f", hit.cosine) + "  \(session)  \(PlainLine.of(hit.title))\n"
        }
        StandardOutput.write(lines.isEmpty ? "Nothing is near to that.\n" : lines.joined())
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
        abstract: "Tells the last 24 hours by rules, of what was captured."
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
        abstract: "Gives a session a title, which no program changes again."
    )

    @Argument(help: .value("session", "Its id, the first letters of it, or “latest”.")) var session: String
    @Argument(help: .value("title", "The title.")) var title: String
    @OptionGroup var store: StoreOptions

    func validate() throws {
        if title.known == nil || title.count > 200 {
            throw ValidationError("A title has 1 to 200 characters; this one has \(title.count).")
        }
    }

    func run() throws {
        let store = try store.openExisting()
        try store.update(session: SessionName.find(session, in: store)) { session in
            (session.title, session.titleSource) = (title, .user)
        }
        StandardOutput.write("It is called \(PlainLine.of(title)).\n")
    }
}

struct SessionsDuplicate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicate",
        abstract: "Copies a session with all that is known of its items."
    )

    @Argument(help: .value("session", "Its id, the first letters of it, or “latest”.")) var session: String
    @OptionGroup var store: StoreOptions

    func run() throws {
        let store = try store.openExisting()
        let copy = try store.duplicate(session: SessionName.find(session, in: store), at: Date())
        StandardOutput.write("\(SessionName.short(copy.id))  \(PlainLine.of(copy.title))\n")
    }
}

struct SessionsReprocess: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reprocess",
        abstract: "Looks at the items of a session again; what is known stays."
    )

    @Argument(help: .value("session", "Its id, the first letters of it, or “latest”.")) var session: String
    @OptionGroup var options: PipelineOptions
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let store = try store.openExisting()
        let pipeline = try options.pipeline(over: store)
        let id = try SessionName.find(session, in: store)
        let count = try store.reprocess(session: id)
        guard count > 0 else {
            StandardOutput.write(
                "Nothing of \(SessionName.short(id)) can be looked at again: it is put away, or waits.\n"
            )
            return
        }
        guard try await pipeline.processWaiting(in: store) else {
            Console.standardError("\(count) items wait; another program looks at them.")
            return
        }
        let failed = try store.items(of: id).count { $0.state == .failed }
        StandardOutput.write("\(count) items were looked at again.\n")
        if failed > 0 {
            Console.error("\(failed) could not be looked at: spinebench sessions show \(SessionName.short(id))")
            throw ExitStatus.missed.exitCode
        }
    }
}

struct SessionsMerge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Moves the items of one session into another, and removes the empty one."
    )

    @Argument(help: .value("session", "The one that goes.")) var session: String
    @Argument(help: .value("into", "The one that stays.")) var into: String
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let store = try store.openExisting()
        let target = try SessionName.find(into, in: store)
        let source = try SessionName.find(session, in: store)
        guard source != target else {
            throw HarnessError.configuration("a session cannot be merged into itself: name two")
        }
        do { try store.merge(session: source, into: target) } catch let error as ContextError {
            throw HarnessError.configuration("\(error)")
        }
        try await store.tell(session: target)
        StandardOutput.write("See it: spinebench sessions show \(SessionName.short(target))\n")
    }
}

struct SessionsConsolidate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consolidate",
        abstract: "Merges sessions that one capture was split into.",
        discussion: """
            Those that began less than 5 seconds after the one before, at the same place (the degrees of latitude and longitude \
            differ by less than 0.0005 together) or both at none, and that nobody has named. The earlier one keeps all.
            """
    )

    @Flag(help: "Say what would be merged, and change nothing.") var dryRun = false
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let store = try store.openExisting()
        let split = try dryRun ? store.splitSessions() : store.consolidate()
        if !dryRun { for id in Set(split.map(\.into.id)) { try await store.tell(session: id) } }
        for (session, into) in split {
            let names = [session, into].map { SessionName.short($0.id) }
            StandardOutput.write("\(names[0])  \(dryRun ? "would go" : "went") into \(names[1])\n")
        }
        if split.isEmpty { StandardOutput.write("No capture was split into sessions.\n") }
    }
}

struct SessionsArchive: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Puts a session away: lists and searches leave it out, and nothing of it is lost."
    )

    @Argument(help: .value("session", "Its id, the first letters of it, or “latest”.")) var session: String
    @OptionGroup var store: StoreOptions

    func run() throws {
        let store = try store.openExisting()
        let id = try SessionName.find(session, in: store)
        let name = SessionName.short(id)
        do { try store.archive(session: id) } catch let error as ContextError {
            throw HarnessError.configuration("\(error)")
        }
        StandardOutput.write(
            """
            \(name) is put away. See those that are: spinebench sessions list --archived
            Bring it back: spinebench sessions unarchive \(name)

            """
        )
    }
}

struct SessionsUnarchive: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unarchive",
        abstract: "Brings a session back that was put away."
    )

    @Argument(help: .value("session", "Its id, or the first letters of it.")) var session: String
    @OptionGroup var store: StoreOptions

    func run() throws {
        let store = try store.openExisting()
        let id = try SessionName.find(session, in: store)
        let count = try store.unarchive(session: id)
        let name = SessionName.short(id)
        StandardOutput.write(count == 0 ? "\(name) was not put away.\n" : "\(name) is back.\n")
    }
}

struct SessionsDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes a session, its items and their pictures, for good."
    )

    @Argument(help: .value("session", "Its id, the first letters of it, or “latest”.")) var session: String
    @OptionGroup var store: StoreOptions

    func run() throws {
        let store = try store.openExisting()
        let id = try SessionName.find(session, in: store)
        try store.delete(session: id)
        StandardOutput.write("\(SessionName.short(id)) is deleted.\n")
    }
}

struct SessionsEgress: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "egress",
        abstract: "Lists every request that left this device, the oldest first: a JSON object a line."
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
        abstract: "Lists your concepts, or keeps or forgets one.",
        discussion: "A concept with a weight above 1.2 counts by its weight among the tags of what has its words."
    )

    @Argument(help: .value("name", "The concept; none lists all.")) var name: String?
    @Option(help: .value("number", "Keep it with this weight, 0 to 10.")) var weight: Double?
    @Flag(help: "Forget it.") var forget = false
    @OptionGroup var store: StoreOptions

    func validate() throws {
        if let weight, !(0...10).contains(weight) { throw ValidationError("--weight is \(weight); expected 0 to 10.") }
        if name?.known == nil && (name != nil || weight != nil || forget) { throw ValidationError("Name the concept.") }
        if name != nil && (weight != nil) == forget { throw ValidationError("Say --weight to keep it, or --forget.") }
    }

    func run() throws {
        let store = try store.open()
        if let name, let weight {
            try store.keep(UserConcept(name: name, weight: weight))
            StandardOutput.write("\(weight)  \(PlainLine.of(name))\n")
        }
        if let name, forget, try !store.forget(concept: name) {
            Console.error("there is no concept '\(PlainLine.of(name))'")
            throw ExitStatus.wrongInput.exitCode
        }
        if let name, forget { StandardOutput.write("\(PlainLine.of(name)) is forgotten.\n") }
        if name == nil {
            for concept in try store.concepts() {
                StandardOutput.write("\(concept.weight)  \(PlainLine.of(concept.name))\n")
            }
        }
    }
}
