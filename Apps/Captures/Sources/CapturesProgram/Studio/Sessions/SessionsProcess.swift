import ArgumentParser
import Captures
import CommandSupport
import Foundation
import Systems

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
        try store.checkEnd(of: id, named.store.flag)
    }
}

struct SessionsRetry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Query the failed sources of a session or an item again.",
        discussion: """
            Manual: Docs/SESSIONS.md#how-a-capture-is-processed. Exit codes: 0 nothing is missing, 1 a source failed \
            again.
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
        try store.checkEnd(of: session, self.store.flag)
        StandardOutput.write("\(LocalTime.count(count, "item")) completed.\n")
    }
}

extension ContextStore {
    /// Reports the items of a session that failed or are incomplete.
    ///
    /// - Throws: exit status 1 where there are any.
    fileprivate func checkEnd(of session: UUID, _ flag: String) throws {
        let states = try items(of: session).map(\.state)
        let (failed, incomplete) = (states.count { $0 == .failed }, states.count { $0 == .incomplete })
        guard failed + incomplete > 0 else { return }
        let hint = "spinebench sessions show \(session.firstLetters)\(flag)"
        Console.error("\(failed) failed, \(incomplete) incomplete: \(hint)")
        throw ExitStatus.missed.exitCode
    }
}
