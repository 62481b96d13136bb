import Foundation
package import Harness
import SpineDatasets

/// The shards of one run, each by its newest good attempt.
package struct ShardSet: Sendable {
    package struct Entry: Sendable, Equatable {
        package var folder: String
        /// Without the ids of its samples, of which there may be millions.
        package var record: ShardRecord
        package var samples: Int
    }

    /// One for each shard, in their order.
    package let entries: [Entry]
    /// Folders that a newer attempt, or a copy of the same one, replaces; and those that were not finished.
    package let superseded: [String]
    package let configuration: RunConfiguration

    /// Looks through folders of shards, in any order; several of one shard are its attempts.
    ///
    /// - Throws: ``HarnessError`` in one line that names a shard that is missing, damaged, or of another run.
    package init(_ folders: [String]) throws {
        var (finished, unfinished, superseded) = ([Entry](), [Entry](), [String]())
        for result in Parallel.map(folders.count, { index in Result { try Self.entry(folders[index]) } }) {
            let (entry, isFinished) = try result.get()
            if isFinished { finished.append(entry) } else { unfinished.append(entry) }
        }
        try Self.checkOneRun(finished)
        guard let first = finished.first ?? unfinished.first else {
            throw HarnessError.configuration("no shards to merge; name their folders")
        }
        var entries: [Entry] = []
        for shard in Shard.all(of: first.record.shard.count) {
            let own = finished.filter { $0.record.shard == shard }.sorted { Self.age($0) < Self.age($1) }
            let parts = unfinished.filter { $0.record.shard == shard }
            guard let newest = own.last else {
                if let part = parts.first {
                    throw HarnessError.runFolder(
                        path: part.folder,
                        problem: "shard \(shard) was not finished; repeat the command that began it"
                    )
                }
                throw HarnessError.configuration(
                    "shard \(shard) is missing: "
                        + (folders.count == 1
                            ? "\(folders[0]) is another one" : "none of the \(folders.count) folders holds it")
                )
            }
            if let twin = own.dropLast().last(where: { Self.age($0) == Self.age(newest) }),
                twin.record.files[RunFolder.Name.samples] != newest.record.files[RunFolder.Name.samples]
            {
                throw HarnessError.runFolder(
                    path: newest.folder,
                    problem:
                        "is shard \(shard), as \(twin.folder) is, which was finished at the same time and differs; leave one out"
                )
            }
            entries.append(newest)
            superseded += own.dropLast().map(\.folder) + parts.map(\.folder)
        }
        (self.entries, self.superseded) = (entries, superseded)
        configuration = try RunFolder.configuration(in: entries[0].folder)
        for entry in entries {
            let other = try RunFolder.configuration(in: entry.folder)
            guard try other.digest == entry.record.digests.configuration else {
                throw HarnessError.runFolder(
                    path: entry.folder,
                    problem: "\(RunFolder.Name.configuration) is not the configuration that \(ShardRecord.file) names"
                )
            }
        }
        try checkEngines()
    }

    /// Contents of a folder, whose files are checked when the shard is finished.
    private static func entry(_ folder: String) throws -> (Entry, isFinished: Bool) {
        guard let record = try ShardRecord.read(in: folder) else {
            throw HarnessError.runFolder(path: folder, problem: "holds no shard: \(ShardRecord.file) is missing")
        }
        let isFinished = record.finishedAt != nil && !isPart(folder)
        if isFinished { try record.verify(folder) }
        var entry = Entry(folder: folder, record: record, samples: record.sampleCount)
        for index in entry.record.members.indices { entry.record.members[index].ids = [] }
        return (entry, isFinished)
    }

    private static func isPart(_ folder: String) -> Bool {
        URL(filePath: folder).standardizedFileURL.lastPathComponent.hasSuffix(ShardFolder.partEnding)
    }

    /// When it was finished, and by which of its attempts.
    private static func age(_ entry: Entry) -> String {
        let number = "\(entry.record.attempts.last?.number ?? 0)"
        return (entry.record.finishedAt ?? "") + String(repeating: "0", count: max(0, 9 - number.count)) + number
    }

    /// Checks that all are of one run: of the one that most of them are of.
    private static func checkOneRun(_ entries: [Entry]) throws {
        let kinds = entries.map { entry in entries.count { $0.record.difference(from: entry.record) == nil } }
        guard let most = kinds.max(), let model = kinds.firstIndex(of: most).map({ entries[$0] }) else { return }
        for entry in entries {
            guard var difference = entry.record.difference(from: model.record) else { continue }
            if let mine = try? RunFolder.configuration(in: entry.folder),
                let theirs = try? RunFolder.configuration(in: model.folder)
            {
                difference = ([difference] + mine.differences(from: theirs)).joined(separator: "; ")
            }
            throw HarnessError.runFolder(
                path: entry.folder,
                problem: "is not of the run of \(model.folder): \(difference)"
            )
        }
    }

    /// Checks that every worker of a variant has loaded the same.
    private func checkEngines() throws {
        var known: [String: (description: [String: String], folder: String)] = [:]
        for entry in entries {
            for event in RunFolder.events(in: entry.folder) where event.kind == .ready {
                guard let id = event.measurement, let description = event.description else { continue }
                guard let first = known[id] else {
                    known[id] = (description, entry.folder)
                    continue
                }
                let keys = Set(description.keys).union(first.description.keys).sorted()
                guard let key = keys.first(where: { description[$0] != first.description[$0] }) else { continue }
                throw HarnessError.runFolder(
                    path: entry.folder,
                    problem: "\(id) had loaded another \(key) (\(description[key] ?? "none")) than in \(first.folder) "
                        + "(\(first.description[key] ?? "none"))"
                )
            }
        }
    }
}
