import ArgumentParser
import CaptureReading
import Captures
import CommandSupport
import Foundation
import Systems

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
            StandardOutput.write("Show one: spinebench sessions show \(first.id.firstLetters)\(self.store.flag)\n")
        } else {
            let hint =
                archived ? "No archived sessions." : "No sessions. Capture a picture: spinebench capture shelf.jpg"
            StandardOutput.write("\(hint)\n")
        }
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
        let (session, items) = (whole.session, whole.items)
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
        if let url = item.url { parts.append(TextSecrets(in: url).redacted) }
        if let error = item.state == .failed ? item.lastError : item.problems.words { parts.append(error) }
        if item.state == .incomplete, let time = item.retryAt {
            parts.append("asked again after \(LocalTime.text(time))")
        }
        if let price = known.price { parts.append("\(price) \(known.currency ?? "")".trimmingSpace) }
        return parts.joined(separator: "; ")
    }
}
