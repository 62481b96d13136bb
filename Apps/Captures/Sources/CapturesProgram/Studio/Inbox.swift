import Basics
import BookCatalogue
import CaptureReading
import Captures
import Foundation
import Synchronization

/// Folder into which other programs put captures; each file is taken once, and removed when it is saved.
///
/// A file that is dropped is a picture, a text or a shortcut of a browser. Names that begin with a dot or end with
/// `.partial` are skipped, and so are files that changed within the last second: they may be incomplete. Folders, links,
/// pipes and sockets stay, each reported once.
struct Inbox: Sendable {
    /// What became of a file: nothing is wrong with one that is saved, be it by a process that was killed before it
    /// removed the file.
    struct Outcome: Sendable {
        var name: String
        /// Fault of one that stays, with its name.
        var problem: String?
        /// Whether it is a file that cannot be captured, and has `.rejected` behind its name now; others are folders,
        /// links, pipes and sockets.
        var isRejected = false
    }

    private let folder: URL
    private let store: CaptureStore
    /// Names of folders, links, pipes and sockets that were reported.
    private let reported = ReportedNames()

    init(_ folder: URL, store: CaptureStore) { (self.folder, self.store) = (folder, store) }

    /// Takes the files, the oldest first; those that arrived within five seconds of each other into one session.
    ///
    /// One program of a store takes them at a time; another one waits.
    func importFiles(now: Date = Date()) throws -> [Outcome] {
        let lock = try store.lockInbox()
        defer { lock?.end() }
        var session: (id: UUID, last: Date)?
        var outcomes = try names().filter { Arrival($0, in: folder) == nil && reported.insert($0) }.map { name in
            let problem = CaptureError(name, "is not a file (but a folder, link, pipe or socket)")
            return Outcome(name: name, problem: "\(problem)")
        }
        for file in try waiting(now: now) {
            var outcome = Outcome(name: file.name)
            do {
                try CaptureIntake.check(size: file.bytes, of: file.name)
                let bytes = [UInt8](try Data(contentsOf: file.url))
                var new = try CaptureIntake.capture(bytes, name: file.name, at: file.changed)
                new.source = "inbox"
                // One that a killed process left is saved already.
                new.id = file.id
                if let session, file.changed.timeIntervalSince(session.last) < 5 { new.sessionID = session.id }
                let item = try store.capture(new)
                // That of an item that is known may be archived.
                if item.state == .queued { session = (item.sessionID, file.changed) }
                if Arrival(file.name, in: folder) == file { unlink(file.url.path) }
            } catch let error as CaptureError {
                (outcome.problem, outcome.isRejected) = ("\(error)", true)
                reject(file.url)
            } catch let error as CocoaError {
                (outcome.problem, outcome.isRejected) = ("\(file.name): \(error.systemReason)", true)
            }
            outcomes.append(outcome)
        }
        return outcomes
    }

    /// Has a file stay with `.rejected` behind its name, or a number before that where there is such a one.
    private func reject(_ url: URL) {
        for number in 1..<1_000 {
            let name = "\(url.path)\(number == 1 ? "" : ".\(number)").rejected"
            guard !FileManager.default.fileExists(atPath: name) else { continue }
            try? FileManager.default.moveItem(atPath: url.path, toPath: name)
            return
        }
    }

    /// A regular file of a folder, as it is now.
    private struct Arrival: Equatable {
        var url: URL
        /// Different from that of others of the same name.
        var id: UUID
        var changed: Date
        var bytes: Int

        /// Creates the file's state; nil for a missing or irregular file.
        init?(_ name: String, in folder: URL) {
            url = folder.appending(path: name)
            guard let known = try? FileManager.default.attributesOfItem(atPath: url.path),
                known[.type] as? FileAttributeType == .typeRegular, let changed = known[.modificationDate] as? Date,
                let bytes = known[.size] as? NSNumber, let number = known[.systemFileNumber] as? NSNumber
            else { return nil }
            (self.changed, self.bytes) = (changed, bytes.intValue)
            let seconds = changed.timeIntervalSince1970
            var hash = FNV1a()
            func half() -> UInt64 {
                for byte in "\(folder.path)|\(name)|\(number)|\(bytes)|\(seconds)".utf8 { hash.append(byte) }
                return hash.value
            }
            id = withUnsafeBytes(of: (half(), half())) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }

        var name: String { url.lastPathComponent }
    }

    /// Returns the names of what lies in the folder and may be captured.
    private func names() throws -> [String] {
        let all: [String]
        do { all = try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
            throw CaptureError(folder.path, "cannot be read: \(error.systemReason)")
        }
        return all.filter { name in
            !name.hasPrefix(".") && ![".partial", ".rejected"].contains(where: name.hasSuffix)
        }
    }

    private func waiting(now: Date) throws -> [Arrival] {
        try names().compactMap { Arrival($0, in: folder) }.filter { now.timeIntervalSince($0.changed) >= 1 }
            .sorted { ($0.changed, $0.name) < ($1.changed, $1.name) }
    }
}

private final class ReportedNames: Sendable {
    private let names = Mutex<Set<String>>([])
    func insert(_ name: String) -> Bool { names.withLock { $0.insert(name).inserted } }
}
