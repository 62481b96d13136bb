import AppSystems
package import ArgumentParser
import Basics
import CaptureReading
import Captures
import CommandSupport
import Composition
import ContextSpace
import Foundation
import Harness

package struct SessionsCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "List, rename, copy, merge, archive and delete sessions of captures.",
        subcommands: [
            SessionsList.self, SessionsShow.self, SessionsSearch.self, SessionsDay.self, SessionsRename.self,
            SessionsDuplicate.self, SessionsReprocess.self, SessionsRetry.self, SessionsMerge.self,
            SessionsConsolidate.self,
            SessionsArchive.self, SessionsUnarchive.self, SessionsDelete.self, SessionsConcept.self,
            SessionsTaste.self, SessionsEgress.self, SessionsFiles.self,
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
        let sessions = try store.sessions(limit: limit, archived: archived)
        for session in sessions {
            if json {
                StandardOutput.write(try JSONText.line(session) + "\n")
                continue
            }
            let time = LocalTime.text(session.session.createdAt)
            let title = session.session.title.isEmpty ? time : "\(PlainLine.of(session.session.title))  \(time)"
            let waiting = session.unfinished > 0 ? ", \(session.unfinished) waiting" : ""
            let failed = session.failed > 0 ? ", \(session.failed) failed" : ""
            let incomplete = session.incomplete > 0 ? ", \(session.incomplete) incomplete" : ""
            let count = LocalTime.count(session.items, "item")
            StandardOutput.write("\(session.id.firstLetters)  \(title)  \(count)\(waiting)\(failed)\(incomplete)\n")
        }
        guard !json else { return }
        if let first = sessions.first {
            StandardOutput.write("Show one: spinebench sessions show \(first.id.firstLetters)\n")
        } else {
            let hint =
                archived ? "No archived sessions." : "No sessions. Capture a picture: spinebench capture shelf.jpg"
            StandardOutput.write("\(hint)\n")
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
        let time = LocalTime.text(session.createdAt)
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
            if let confidence = book.confidence {
                parts.append("confidence \(min(99, Int((confidence * 100).rounded()))) %")
            }
        }
        if let activity = known.activityContext {
            let basis =
                activity.basis == .claimed ? "claimed, not measured" : "\(activity.confidence.rawValue) confidence"
            parts.append("\(activity.type) (\(basis))")
        }
        if let url = item.url { parts.append(TextSecrets(in: url).redacted) }
        if let error = item.state == .failed ? item.lastError : item.problems.words { parts.append(error) }
        if item.state == .incomplete, let time = item.retryAt {
            parts.append("asked again after \(LocalTime.text(time))")
        }
        if let price = known.price { parts.append("\(price) \(known.currency ?? "")".trimmingSpace) }
        return parts.joined(separator: "; ")
    }
}

struct SessionsSearch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search captures by subject.",
        discussion: """
            By the similarity of text embeddings of 384 numbers, raised by your concepts of a weight above 1.2 and by your taste. The \
            number before each result is its score, which is not a probability: the cosine similarity from -1 to 1, and what raised it.
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
            let raised = hit.raised.filter { abs($0.by) >= 0.01 }
                .map { "\(PlainLine.of($0.concept)) " + String(format: "%+.2f", $0.by) }
            let reasons = raised.isEmpty ? "" : "  (\(raised.joined(separator: ", ")))"
            return String(format: "%.2f", hit.score) + "  \(session)  \(PlainLine.of(hit.title))\(reasons)\n"
        }
        let none = "No results: no capture is near enough to “\(PlainLine.of(text))”.\n"
        StandardOutput.write(lines.isEmpty ? none : lines.joined())
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

struct SessionsDay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "day",
        abstract: "Print the stories of days with captures, newest first."
    )

    @Option(help: .value("n", "Maximum number of days.")) var limit = 1
    @Flag(help: "Print JSON Lines.") var json = false
    @OptionGroup var store: StoreOptions

    func validate() throws {
        if limit < 1 { throw ValidationError("Invalid --limit \(limit): expected at least 1.") }
    }

    func run() throws {
        let days = try store.openExisting().days(limit: limit, calendar: .current)
        if days.isEmpty { Console.standardError("Nothing was captured.") }
        for day in days {
            StandardOutput.write(json ? try JSONText.line(day) + "\n" : "\(day.day)  \(PlainLine.of(day.text))\n")
        }
    }
}

struct SessionsTaste: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "taste",
        abstract: "List your taste from use, or change or delete it.",
        discussion: """
            Opening, renaming, keeping and deleting captures on the page, and renaming and deleting sessions here, give their concepts a weight \
            from -1 (avoided) to 1 (sought), which halves in 30 days. Search results are raised or lowered by at most \(ContextRanking.standardTasteShare).
            """
    )

    @Argument(help: .value("name", "Name of a concept. (default: list all)")) var name: String?
    @Option(parsing: .unconditional, help: .value("number", "Set the concept's weight, -1 to 1; 0 removes it."))
    var weight: Double?
    @Flag(help: "Give the concept back to its uses.") var reset = false
    @Flag(help: "Delete all uses and weights.") var clear = false
    @Flag(inversion: .prefixedNo, help: "Record uses and rank by them.") var record: Bool?
    @Flag(help: "Print JSON Lines.") var json = false
    @OptionGroup var store: StoreOptions

    func validate() throws {
        if let weight, !(-1...1).contains(weight) {
            throw ValidationError("Invalid --weight \(weight): expected -1 to 1.")
        }
        if (name != nil) != (weight != nil || reset) || weight != nil && reset {
            throw ValidationError("Specify a concept with --weight or --reset.")
        }
    }

    func run() throws {
        let store = try store.openExisting()
        if let name { try store.setTaste(name, weight: reset ? nil : weight) }
        if clear { try store.clearTaste() }
        if let record { try store.setTaste(isOn: record) }
        let taste = try store.taste()
        if !taste.isOn { Console.standardError("The taste is off: spinebench sessions taste --record") }
        for concept in taste.concepts {
            let line = String(format: "%+.2f", concept.weight) + "  \(PlainLine.of(concept.name))\n"
            StandardOutput.write(json ? try JSONText.line(concept) + "\n" : line)
        }
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
        try store.record(.renamed, session: id)
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
            Console.standardError("\(LocalTime.count(count, "item")) queued; another program is processing the store.")
            return
        }
        StandardOutput.write("\(LocalTime.count(count, "item")) processed again.\n")
        try store.checkEnd(of: id)
    }
}

struct SessionsRetry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Query the failed sources of a session or an item again.",
        discussion: """
            Only the sources that failed are queried, and pictures are not read again. 'spinebench capture' and 'spinebench studio' \
            do the same by themselves after pauses of 1 minute to 24 hours, at most 8 times.

            Exit codes: 0 nothing is missing, 1 a source failed again, 2 invalid usage, 4 the store is missing.
            """
    )

    @OptionGroup var options: PipelineOptions
    @Argument(help: .value("id", "Session id, its first letters, “latest”, or the whole id of an item.")) var id: String
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let store = try store.openExisting()
        let item = try UUID(uuidString: id).flatMap { try store.item($0) }
        let session = try item?.sessionID ?? SessionName.find(id, in: store)
        let count = try item.map { try store.retry(item: $0.id) ? 1 : 0 } ?? store.retry(session: session)
        guard count > 0 else {
            StandardOutput.write("No source of \(session.firstLetters) failed.\n")
            return
        }
        guard try await options.pipeline(over: store).processWaiting(in: store) else {
            Console.standardError("\(LocalTime.count(count, "item")) queued; another program is processing the store.")
            return
        }
        try store.checkEnd(of: session)
        StandardOutput.write("\(LocalTime.count(count, "item")) completed.\n")
    }
}

extension ContextStore {
    /// Reports the items of a session that failed or are incomplete.
    ///
    /// - Throws: exit status 1 where there are any.
    fileprivate func checkEnd(of session: UUID) throws {
        let states = try items(of: session).map(\.state)
        let (failed, incomplete) = (states.count { $0 == .failed }, states.count { $0 == .incomplete })
        guard failed + incomplete > 0 else { return }
        Console.error("\(failed) failed, \(incomplete) incomplete: spinebench sessions show \(session.firstLetters)")
        throw ExitStatus.missed.exitCode
    }
}

/// Times and numbers as the commands print them.
enum LocalTime {
    /// Returns a time in the system's zone: "2026-11-27 08:45".
    static func text(_ date: Date) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: .current).year().month().day().dateTimeSeparator(.space)
        return String(date.formatted(style.time(includingFractionalSeconds: false)).prefix(16))
    }

    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
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
        try store.record(.deleted, session: id)
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
        discussion: """
            A concept with a weight above 1.2 comes first among the tags of captures that contain its words in any form, and raises search \
            results that are near to it, by the logarithm of its weight.
            """
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
