import ArgumentParser
import Documents
import Foundation
import LibraryStore

/// Which scans of the queue a command is about.
struct QueuedScanOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("Scans, as 'spinebench library list' names them.", valueName: "id"),
        transform: QueuedScanOptions.id
    )
    var ids: [UUID] = []

    @Flag(help: "All that were given up.")
    var all = false

    func validate() throws {
        guard ids.isEmpty == all else { throw ValidationError("Say which scans: their ids, or --all.") }
    }

    private static func id(_ text: String) throws -> UUID {
        guard let id = UUID(uuidString: text) else { throw ValidationError("'\(text)' is no id of a scan.") }
        return id
    }

    /// Does something to each.
    ///
    /// - Parameters:
    ///   - library: that has them.
    ///   - work: gives false for one that is not in the queue.
    /// - Returns: how many there were.
    /// - Throws: `ValidationError`, before anything is done, when one that was named is not in the queue.
    func forEach(of library: LibraryStore, _ work: (UUID) throws -> Bool) throws -> Int {
        let failed = try library.failedScans().map(\.id)
        let known = Set(failed + (try library.waitingScans().map(\.id)))
        if let unknown = ids.first(where: { !known.contains($0) }) {
            throw ValidationError("No scan \(unknown) is in the queue; 'spinebench library list' names those that are.")
        }
        return try (all ? failed : ids).count(where: work)
    }
}

/// `spinebench library retry`: puts scans that were given up back into the queue.
struct LibraryRetry: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Puts scans that were given up back into the queue, and has waiting ones sent with the next drain."
    )

    @OptionGroup var options: LibraryOptions
    @OptionGroup var scans: QueuedScanOptions

    func run() throws {
        let library = try options.openExisting()
        let count = try scans.forEach(of: library) { try library.retry($0) }
        print("\(NumberText.count(count, "scan")) to be sent; 'spinebench scan --drain' sends them")
    }
}

/// `spinebench library forget`: takes scans out of the queue, with their pictures.
struct LibraryForget: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Takes scans out of the queue and removes their pictures; they are not sent.",
        discussion: "What was read on this machine stays in the library, unless --drafts is given."
    )

    @OptionGroup var options: LibraryOptions
    @OptionGroup var scans: QueuedScanOptions

    @Flag(help: "Take out the drafts of these scans as well.")
    var drafts = false

    func run() throws {
        let library = try options.openExisting()
        let count = try scans.forEach(of: library) { id in
            if drafts { try library.discardDraft(id) }
            return try library.forget(id)
        }
        print("\(NumberText.count(count, "scan")) forgotten")
    }
}
