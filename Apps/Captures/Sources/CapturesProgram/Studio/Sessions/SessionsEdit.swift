import ArgumentParser
import Basics
import Captures
import CommandSupport
import ContextSpace
import Foundation
import Harness
import Systems

struct SessionsRename: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Set a session's title for good."
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

struct SessionsMerge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Move all items into another session, and delete the first."
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
        try await store.describe(session: target)
        StandardOutput.write("Show it: spinebench sessions show \(target.firstLetters)\(self.store.flag)\n")
    }
}

struct SessionsConsolidate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consolidate",
        abstract: "Merge sessions that belong to one capture.",
        discussion: """
            A session joins an earlier one when it began less than 5 seconds after it, at the same place (0.0005 \
            degrees) or both without one, and no user set its title.
            """
    )

    @Flag(help: "Print the sessions to merge without changing them.") var dryRun = false
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let store = try store.openExisting()
        let split = try dryRun ? store.splitSessions() : store.consolidate()
        if !dryRun { for id in Set(split.map(\.into.id)) { try await store.describe(session: id) } }
        for (session, into) in split {
            let names = [session, into].map { $0.id.firstLetters }
            StandardOutput.write("\(names[0])  \(dryRun ? "would go" : "went") into \(names[1])\n")
        }
        if split.isEmpty { StandardOutput.write("No sessions to merge.\n") }
    }
}
