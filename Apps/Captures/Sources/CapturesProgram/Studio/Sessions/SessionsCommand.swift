package import ArgumentParser
import Captures
import Foundation
import Systems

package struct SessionsCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "List, rename, copy, merge, export, archive and delete sessions of captures.",
        subcommands: [
            SessionsList.self, SessionsShow.self, SessionsSearch.self, SessionsDay.self, SessionsRename.self,
            SessionsDuplicate.self, SessionsReprocess.self, SessionsRetry.self, SessionsMerge.self,
            SessionsConsolidate.self,
            SessionsArchive.self, SessionsUnarchive.self, SessionsDelete.self, SessionsConcept.self,
            SessionsEgress.self, SessionsExport.self,
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

/// Times and numbers as the commands print them.
enum LocalTime {
    /// Returns a time in the system's zone: "2026-11-27 08:45".
    static func text(_ date: Date) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: .current).year().month().day().dateTimeSeparator(.space)
        return String(date.formatted(style.time(includingFractionalSeconds: false)).prefix(16))
    }

    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
