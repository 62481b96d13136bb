import ArgumentParser
import Captures
import CommandSupport
import ContextSpace
import Harness
import Systems

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
            \(name) is archived. List archived sessions: spinebench sessions list --archived\(named.store.flag)
            Unarchive it: spinebench sessions unarchive \(name)\(named.store.flag)

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
        abstract: "List requests that left this device as JSON Lines, oldest first."
    )

    @OptionGroup var store: StoreOptions

    func run() throws {
        let lines = try store.openExisting().transfers()
        if lines.isEmpty { Console.standardError("Nothing left this device.") }
        StandardOutput.write(lines.map { $0 + "\n" }.joined())
    }
}
