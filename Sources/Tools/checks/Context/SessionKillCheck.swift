import ArgumentParser
import Basics
import Captures
import Foundation

struct SessionKillCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill",
        abstract: "Kill a process (signal 9) that captures, enriches, copies and deletes, and check every item.",
        discussion: """
            Captures are pictures of bar codes of books; they are read, and their books looked up, by the pipeline that ships. \
            The exit code is 1 when an item whose capture had returned is missing, duplicated, or lacks known facts, when \
            a deleted item is present, when a copy lacks an item, or when a picture has no item.
            """
    )

    @Option(help: "Number of kills.")
    var kills = 1_000

    @Option(help: "Random seed of the times and actions.")
    var seed: UInt64 = 1

    @Option(help: "The longest time between start and kill, in milliseconds.")
    var longest = 400

    func validate() throws {
        try require(kills > 0 && longest > 0, "Invalid --kills or --longest: expected more than 0.")
    }

    func run() async throws { try await withTemporaryFolder("sessions", check) }

    private func check(in folder: URL) async throws {
        let start = ContinuousClock.now
        var random = SplitMix64(state: seed)
        let path = folder.appending(path: "sessions.sqlite").path
        let journal = folder.appending(path: "journal").path
        _ = FileManager.default.createFile(atPath: journal, contents: nil)
        for kill in 0..<kills {
            let worker = try Process.start(
                Process.ownProgram,
                ["context", "worker", "--store", path, "--journal", journal, "--seed", "\(random.next())"]
            )
            // A moment within its work, not within its start.
            let size = Self.size(journal)
            let patience = ContinuousClock.now + .seconds(20)
            while Self.size(journal) == size, worker.isRunning, ContinuousClock.now < patience {
                try await Task.sleep(for: .milliseconds(1))
            }
            guard worker.isRunning else { throw CheckFailure("a worker ended by itself at kill \(kill)") }
            try await Task.sleep(for: .microseconds(Int.random(in: 0...(longest * 1_000), using: &random)))
            await worker.end(by: SIGKILL)
        }
        let audit = try await SessionAudit(store: path, journal: journal)
        print("\(kills) kills, seed \(seed), \(start.duration(to: .now)); \(audit)")
        try end(audit.failures)
    }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }
}

/// Comparison of a store with its journal.
struct SessionAudit: CustomStringConvertible {
    private(set) var captured = 0
    private(set) var ended = 0
    private(set) var copies = 0
    private(set) var deleted = 0
    private(set) var pictures = 0
    private(set) var failures: [String] = []

    var description: String {
        "\(captured) captures returned, \(ended) read to the end, \(copies) copies, \(deleted) deletions returned, "
            + "\(pictures) pictures in the end: \(failures.count) faults"
    }

    /// Verifies everything when all waiting items have been read.
    init(store path: String, journal: String) async throws {
        let numbered = try NumberedCatalogue()
        let store = try ContextStore(path: path)
        guard let turn = try store.beginProcessing() else { throw CheckFailure("somebody still has the turn") }
        let before = try Self.all(store)
        let lines = try Journal.lines(path: journal)
        try check(before.map(\.item), lines)
        // Results of complete readings are all known: processing an interrupted item again adds no duplicate
        // children.
        let pipeline = ContextPipeline(
            store: store,
            processor: IntelligenceProcessor(search: nil),
            enricher: Enricher([BookProvider(catalogue: numbered.catalogue)])
        )
        let done = Set(lines.filter { $0[0] == "ended" && $0.count == 2 }.map { $0[1] })
        for (item, children) in before where done.contains(item.id.uuidString) {
            check(item, children, numbered, "was read to its end")
        }
        try await pipeline.processAll(turn: turn)
        let after = try Self.all(store)
        if after.count != before.count { failures.append("reading made \(before.count) items \(after.count)") }
        for (item, children) in after {
            check(item, children, numbered, "in the end")
            if try store.picture(.original, of: item.id)?.isEmpty != false { failures.append("\(item.id): no picture") }
            if try store.picture(.thumbnail, of: item.id)?.isEmpty != false {
                failures.append("\(item.id): no small picture")
            }
        }
        let files = try store.pictureFiles()
        pictures = files.present.count
        failures += files.present.subtracting(files.named).map { "picture without an item: \($0)" }
        failures += files.named.subtracting(files.present).map { "item without its picture: \($0)" }
        for (id, names) in names(lines) {
            guard let session = try store.session(id), !names.contains(session.title) else { continue }
            failures.append("session \(id) is called \(session.title), and not \(names.joined(separator: " or "))")
        }
    }

    private static func all(_ store: ContextStore) throws -> [(item: CapturedItem, children: [CapturedItem])] {
        let sessions = try store.sessions(limit: 1_000_000).map(\.id)
        return try sessions.flatMap { session in
            let items = try store.items(of: session)
            let children = Dictionary(grouping: items) { $0.parentID }
            return items.filter { $0.parentID == nil }.map { ($0, children[$0.id] ?? []) }
        }
    }

    private mutating func check(_ items: [CapturedItem], _ lines: [[String]]) throws {
        let present = Dictionary(grouping: items) { $0.id.uuidString }
        func ids(_ word: String, _ place: Int = 1) -> [String] {
            lines.filter { $0[0] == word && $0.count > place }.map { $0[place] }
        }
        let deleting = Set(ids("delete"))
        let returned = ids("captured")
        captured = returned.count
        ended = Set(ids("ended")).count
        deleted = ids("deleted").count + ids("forgotten").count
        failures += returned.filter { present[$0] == nil && !deleting.contains($0) }.map { "lost: \($0)" }
        failures += present.filter { $0.value.count > 1 }.map { "doubled: \($0.key)" }
        failures += ids("deleted").filter { present[$0] != nil }.map { "still there: \($0)" }
        let forgotten = Set(ids("forgotten"))
        failures += items.filter { forgotten.contains($0.sessionID.uuidString) }.map { "still there: \($0.id)" }
        // Each file once in a session: an item that came twice would share its name with its twin.
        let names = Dictionary(grouping: items) { "\($0.sessionID) \($0.media.filename ?? "")" }
        failures += names.filter { $0.value.count > 1 }.map { "doubled in its session: \($0.key)" }
        let finished = lines.filter { $0[0] == "copied" && $0.count == 3 }
        copies = finished.count
        let bySession = Dictionary(grouping: items) { $0.sessionID.uuidString }
        let removals = Dictionary(grouping: ids("delete", 2)) { $0 }.mapValues(\.count)
        for line in finished where !forgotten.contains(line[1]) {
            // Captures may have arrived since; deleted ones, or those about to be, may be missing.
            let expected = (Int(line[2]) ?? 0) - (removals[line[1]] ?? 0)
            let found = bySession[line[1]]?.count ?? 0
            if bySession[line[1]] != nil, found < expected {
                failures.append("copy \(line[1]) has \(found) of \(expected) captures")
            }
            if expected <= 0 { continue }
            let wasForgotten = lines.contains { $0[0] == "forget" && $0.count == 2 && $0[1] == line[1] }
            if bySession[line[1]] == nil, !wasForgotten { failures.append("lost copy \(line[1])") }
        }
    }

    private mutating func check(
        _ item: CapturedItem,
        _ children: [CapturedItem],
        _ numbered: NumberedCatalogue,
        _ when: String
    ) {
        let digits = item.media.filename?.split(separator: "-").last?.split(separator: ".").first.map(String.init) ?? ""
        guard let book = numbered.books.first(where: { $0.isbn.digits == digits }) else {
            failures.append("\(item.id) has no file name")
            return
        }
        if item.state == .failed { failures.append("\(item.id) failed: \(item.lastError ?? "")") }
        if children.count != 1 { failures.append("\(item.id) \(when): \(children.count) children") }
        guard let child = children.first else { return }
        if child.enrichment.qrContext?.payload != digits { failures.append("\(item.id) \(when): its code is lost") }
        guard when == "in the end" else { return }
        if item.state != .ready { failures.append("\(item.id) is \(item.state.rawValue)") }
        if child.state != .ready { failures.append("\(child.id) is \(child.state.rawValue)") }
        if child.enrichment.bookContext?.title != book.title {
            failures.append("\(child.id) \(when): its book is \(child.enrichment.bookContext?.title ?? "lost")")
        }
    }

    /// Returns the possible names of each session: the last one that was set, and those whose setting began since.
    private func names(_ lines: [[String]]) -> [UUID: [String]] {
        var names: [UUID: [String]] = [:]
        for line in lines where line.count == 3 {
            guard let id = UUID(uuidString: line[2]) else { continue }
            switch line[0] {
            case "rename": names[id]?.append(line[1])
            case "renamed": names[id] = [line[1]]
            default: break
            }
        }
        return names
    }
}
