import ArgumentParser
import CaptureReading
import CaptureSpace
import Captures
import CommandSupport
import Foundation

struct SessionsList: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the sessions, newest first.")

    @Option(help: .value("n", "Maximum number of results.")) var limit = 50
    @Flag(help: "List archived sessions instead of the others.") var archived = false
    @Flag(help: "Print JSON Lines.") var json = false
    @OptionGroup var store: StoreOptions

    func validate() throws { try Listing.check(limit: limit) }

    func run() throws {
        let sessions = try store.openExisting().sessions(limit: limit, archived: archived)
        try Listing.print(sessions, json: json) { row in
            let time = LocalTime.text(row.session.createdAt)
            let counts = [(row.unfinished, "waiting"), (row.failed, "failed"), (row.incomplete, "incomplete")]
            let states = counts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
            let title = row.session.title.isEmpty ? time : "\(row.session.title)  \(time)"
            return "\(row.id.firstLetters)  \(title)  \(LocalTime.count(row.items, "item"))\(states)"
        }
        guard !json else { return }
        if let first = sessions.first { return StandardOutput.write(Hint.show(first.id, store)) }
        let start = "No sessions. Capture a picture: \(Hint.program) add shelf.jpg\n"
        StandardOutput.write(archived ? "No archived sessions.\n" : start)
    }
}

struct SessionsShow: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a session with its items.")

    @Flag(help: "Print JSON with all known facts.") var json = false
    @OptionGroup var named: NamedSession

    func run() throws {
        let (store, id) = try named.find()
        let whole = try WholeSession.read(id, in: store)
        if json { return StandardOutput.write(try JSONText.of(whole) + "\n") }
        let (session, items) = (whole.session, whole.items.map(\.item))
        let time = LocalTime.text(session.createdAt)
        var lines = [session.title.isEmpty ? time : "\(session.title) (\(time))"]
        if let summary = session.summary { lines.append("\(summary) [summarised by \(session.narrator ?? "rules")]") }
        if let place = session.placeName { lines.append("At \(place)") }
        if !session.tags.isEmpty { lines.append("Tags: \(session.tags.joined(separator: ", "))") }
        let found = Dictionary(grouping: items) { $0.parentID }
        for item in found[nil] ?? [] {
            lines.append(Self.line(item, ""))
            if item.kind == .text, let text = item.media.transcription?.known, text != item.title {
                lines += text.split(whereSeparator: \.isNewline).map { "    \($0)" }
            }
            lines += (found[item.id] ?? []).map { Self.line($0, "    ") }
        }
        StandardOutput.write(lines.map(PlainLine.of).joined(separator: "\n") + "\n")
    }

    private static func line(_ item: CapturedItem, _ indent: String) -> String {
        var parts = ["\(indent)- \(item.title) (\(item.kind.rawValue), \(item.state.rawValue))"]
        parts += item.shownFacts.filter { ["Authors", "ISBN", "Confidence", "Price"].contains($0.name) }
            .map { "\($0.name): \($0.text)" }
        if let url = item.url { parts.append(TextSecrets(in: url).redacted) }
        if let error = item.state == .failed ? item.lastError : item.problems.words { parts.append(error) }
        if item.state == .incomplete, let time = item.retryAt {
            parts.append("asked again after \(LocalTime.text(time))")
        }
        return parts.joined(separator: "; ")
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

    func validate() throws { try Listing.check(limit: limit) }

    func run() throws {
        let days = try store.openExisting().days(limit: limit, calendar: .current)
        if days.isEmpty { Console.standardError("Nothing was captured.") }
        try Listing.print(days, json: json) { "\($0.day)  \($0.text)" }
    }
}

struct SessionsEgress: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "egress",
        abstract: "List requests that left this device as JSON Lines, oldest first."
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
            A weight above 1.2 raises search results near to the concept. Manual: \
            Apps/Captures/README.md#names-of-things-and-search.
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
        let store = try weight == nil ? store.openExisting() : store.open()
        guard let name else { return try Listing.print(store.concepts(), json: false) { "\($0.weight)  \($0.name)" } }
        let shown = PlainLine.of(name)
        if let weight {
            try store.keep(UserConcept(name: name, weight: weight))
            StandardOutput.write("\(weight)  \(shown)\n")
        } else if try store.forget(concept: name) {
            StandardOutput.write("\(shown) is deleted.\n")
        } else {
            Console.error("concept not found: '\(shown)'")
            throw ExitStatus.wrongInput.exitCode
        }
    }
}
