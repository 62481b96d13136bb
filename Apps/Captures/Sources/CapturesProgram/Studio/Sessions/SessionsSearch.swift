import ArgumentParser
import Basics
import CaptureSpace
import Captures
import CommandSupport
import Foundation

struct SessionsSearch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search captures by words and subject.",
        discussion: """
            Captures with all of the words come first, then those near to them by meaning. A result's number is its \
            cosine similarity, -1 to 1, and what raised it. Manual: Apps/Captures/README.md#names-of-things-and-search.
            """
    )

    @Argument(help: .value("text", "Words or subject to search for.")) var text: String
    @Option(help: .value("n", "Maximum number of results.")) var limit = 10
    @Flag(help: "Include archived captures.") var archived = false
    @Flag(help: "Print JSON Lines.") var json = false
    @OptionGroup var store: StoreOptions

    func validate() throws {
        if text.known == nil { throw ValidationError("Specify a subject.") }
        try Listing.check(limit: limit)
    }

    func run() async throws {
        let memory = CaptureMemory(over: try store.openExisting())
        var hits = try await memory.find(text, count: limit, archived: archived)
        if hits.allSatisfy({ $0.match == .meaning }) {
            try await prepare(memory)
            hits = try await memory.find(text, count: limit, archived: archived)
        }
        try Listing.print(hits, json: json) { hit in
            let raised = hit.raised.filter { abs($0.by) >= 0.01 }
                .map { "\($0.concept) " + String(format: "%+.2f", $0.by) }
            let all = (hit.match == .meaning ? [] : ["its words"]) + raised
            let reasons = all.isEmpty ? "" : "  (\(all.joined(separator: ", ")))"
            return String(format: "%.2f", hit.score) + "  \(hit.session.firstLetters)  \(hit.title)\(reasons)"
        }
        if let problem = memory.problem { Console.standardError("Only words were searched for: \(problem)") }
        if hits.isEmpty, !json { StandardOutput.write("No results for “\(PlainLine.of(text))”.\n") }
    }

    /// Indexes items that cannot be found yet, and shows its progress: for many items it takes minutes, once.
    private func prepare(_ memory: CaptureMemory) async throws {
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
