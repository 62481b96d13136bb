package import ArgumentParser
import Basics
import Captures
import CommandSupport
import Foundation

package struct SessionsCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "List, rename, copy, merge, export, archive and delete sessions of captures.",
        subcommands: [SessionsList.self, SessionsShow.self, SessionsSearch.self, SessionsDay.self]
            + StudioActions.commands.map { $0.command }
            + [SessionsConcept.self, SessionsEgress.self, SessionsExport.self],
        defaultSubcommand: SessionsList.self
    )

    package init() {}
}

/// The session that a command works on.
struct NamedSession: ParsableArguments {
    @Argument(help: .value("session", "Session id, its first letters, or “latest”.")) var session: String
    @OptionGroup var store: StoreOptions

    /// Returns the store, which must be there, and the session's id in it.
    func find() throws -> (store: CaptureStore, id: UUID) {
        let store = try store.openExisting()
        return (store, try SessionName.find(session, in: store))
    }
}

extension StudioAction {
    fileprivate static var command: any ParsableCommand.Type { ActionCommand<Self>.self }

    fileprivate static var valueHelp: ArgumentHelp {
        switch value {
        case .none: ArgumentHelp(visibility: .private)
        case .text(let name): .value(name, "The \(name).")
        case .session: .value("into", "Target session.")
        }
    }
}

/// Command that does one of ``StudioActions``.
private struct ActionCommand<Action: StudioAction>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Action.name,
            abstract: Action.help,
            discussion: Action.Options.self == PipelineOptions.self
                ? "Exit codes: 0 nothing is missing, 1 an item failed or a source failed again." : ""
        )
    }

    @Argument(help: .value("id", "Session id, its first letters, “latest”, or an item's whole id.")) var id: String
    @Argument(help: Action.valueHelp) var value: String?
    @OptionGroup var options: Action.Options
    @OptionGroup var store: StoreOptions

    func validate() throws {
        switch (Action.value, value) {
        case (.none, let value?): throw ValidationError("Unexpected argument '\(value)'.")
        case (.text(let name), nil): throw ValidationError("Specify the \(name).")
        case (.session, nil): throw ValidationError("Specify the target session.")
        default: break
        }
    }

    func run() async throws {
        let store = try store.openExisting()
        let pipeline = options as? PipelineOptions
        try pipeline?.check()
        let item = try UUID(uuidString: id).flatMap { try store.item($0) }
        let named = try item?.id ?? SessionName.find(id, in: store)
        var input = ActionInput(store: store, id: named, value: value ?? "")
        if case .session = Action.value { input.value = try SessionName.find(input.value, in: store).uuidString }
        let result: ActionResult
        do {
            result = try await StudioActions.run(Action.self, input)
        } catch  where error is CaptureFault || error is StudioProblem {
            throw InputError("\(error)")
        }
        guard let pipeline, let count = result.waiting, count > 0 else {
            StandardOutput.write(PlainLine.of(result.text) + "\n")
            if let session = result.session { StandardOutput.write(Hint.show(session, self.store)) }
            return
        }
        guard try await pipeline.pipeline(over: store).processWaiting(in: store) else {
            Console.standardError("\(LocalTime.count(count, "item")) queued; another program is processing the store.")
            return
        }
        StandardOutput.write("\(LocalTime.count(count, "item")) processed again.\n")
        try checkEnd(of: item?.sessionID ?? named, in: store)
    }

    /// Reports the items of a session that failed or are incomplete.
    ///
    /// - Throws: exit status 1 where there are any.
    private func checkEnd(of session: UUID, in store: CaptureStore) throws {
        let states = try store.items(of: session).map(\.state)
        let (failed, incomplete) = (states.count { $0 == .failed }, states.count { $0 == .incomplete })
        guard failed + incomplete > 0 else { return }
        Console.error("\(failed) failed, \(incomplete) incomplete; " + Hint.show(session, self.store).trimmingSpace)
        throw ExitStatus.missed.exitCode
    }
}

/// Commands that are printed for the next step.
enum Hint {
    /// Program of the commands.
    static let program = "captures"

    /// Returns a line with the command that shows a session.
    static func show(_ session: UUID, _ store: StoreOptions) -> String {
        "Show it: \(program) sessions show \(session.firstLetters)\(store.flag)\n"
    }
}

/// Lookup of a session by a typed name.
enum SessionName {
    /// Returns the session whose id has this prefix; “latest” is the newest one.
    static func find(_ prefix: String, in store: CaptureStore) throws -> UUID {
        if prefix == "latest", let newest = try store.sessions(limit: 1).first { return newest.id }
        let found = try store.sessions(idPrefix: prefix)
        guard prefix.count >= 4, let id = found.first, found.count == 1 else {
            let reason =
                prefix.count < 4
                ? "give at least four letters of its id"
                : found.isEmpty
                    ? "session not found; '\(Hint.program) sessions' lists the sessions"
                    : "ambiguous; give more letters"
            throw InputError("session '\(prefix)': \(reason)")
        }
        return id
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

/// Checks and output of commands that list something.
enum Listing {
    static func check(limit: Int) throws {
        if !(1...1_000_000).contains(limit) {
            throw ValidationError("Invalid --limit \(limit): expected 1 to 1000000.")
        }
    }

    /// Prints values as JSON Lines, or each as a line.
    static func print<Value: Encodable>(_ values: [Value], json: Bool, _ line: (Value) -> String) throws {
        for value in values {
            StandardOutput.write((json ? try JSONText.line(value) : PlainLine.of(line(value))) + "\n")
        }
    }
}
