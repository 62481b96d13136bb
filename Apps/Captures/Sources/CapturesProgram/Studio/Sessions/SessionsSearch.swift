import ArgumentParser
import Basics
import Captures
import CommandSupport
import ContextSpace
import Foundation
import Systems

struct SessionsSearch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search captures by subject.",
        discussion: """
            A result's number is its cosine similarity, -1 to 1, and what raised it. Manual: \
            Docs/SESSIONS.md#names-of-things-and-search.
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
        let bar = ProgressDisplay("reading in")
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
