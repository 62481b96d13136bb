import Basics
import ContextModel
public import ContextStore
public import Foundation

/// A folder into which other programs put what is to be captured; each file comes once, and goes when it is kept.
///
/// A file that is dropped is a picture, a text or a shortcut of a browser. Names that begin with a dot or end with `.partial` are
/// left alone, and so are files that changed within the last second: they may still be on their way. The motion of `photo.jpg`, in
/// `photo.motion.csv`, comes before it, and goes with it.
public struct Inbox: Sendable {
    /// What came of a file.
    public enum Outcome: Sendable, Equatable {
        /// It is kept, and gone from the folder.
        case taken(item: UUID, session: UUID)
        /// It was kept before, by a process that was killed before the file was gone.
        case takenBefore
        /// It is nothing that can be captured, or cannot be read; it stays, with `.rejected` behind its name.
        case rejected(String)
    }

    private let folder: URL
    private let store: ContextStore

    /// The inbox of a store.
    public init(_ folder: URL, store: ContextStore) { (self.folder, self.store) = (folder, store) }

    /// Reads the motion beside a file, and takes it out of the folder when the file is kept; a bad one stays as a rejected file.
    private func motion(beside file: Arrival, _ outcomes: inout [(String, Outcome)]) -> MotionRecord? {
        do { return try CaptureIntake.motion(beside: file.url.path) } catch {
            let url = URL(filePath: CaptureIntake.motionName(for: file.url.path))
            try? FileManager.default.moveItem(at: url, to: url.appendingPathExtension("rejected"))
            outcomes.append((url.lastPathComponent, .rejected("\(error)")))
            return nil
        }
    }

    /// Takes what lies there, the oldest first; those that came within five seconds of each other into one session.
    ///
    /// - Throws: `StoreError` when the store cannot be written; what was taken until then stays taken.
    @discardableResult
    public func take(now: Date = Date()) throws -> [(name: String, outcome: Outcome)] {
        let files = try waiting(now: now)
        var outcomes: [(String, Outcome)] = []
        var session: (id: UUID, last: Date)?
        for file in files {
            let outcome: Outcome
            do {
                try CaptureIntake.check(size: file.bytes, of: file.name)
                let bytes = [UInt8](try Data(contentsOf: file.url))
                var new = try CaptureIntake.capture(bytes, name: file.name, at: file.changed)
                new.source = "inbox"
                new.motion = motion(beside: file, &outcomes)
                new.arrival = file.identity
                if let session, file.changed.timeIntervalSince(session.last) < 5 { new.sessionID = session.id }
                if let item = try store.capture(new) {
                    session = (item.sessionID, file.changed)
                    outcome = .taken(item: item.id, session: item.sessionID)
                } else {
                    outcome = .takenBefore
                }
                try? FileManager.default.removeItem(at: file.url)
                try? FileManager.default.removeItem(atPath: CaptureIntake.motionName(for: file.url.path))
            } catch let error as CaptureError {
                outcome = .rejected("\(error)")
                try? FileManager.default.moveItem(at: file.url, to: file.url.appendingPathExtension("rejected"))
            } catch let error as CocoaError {
                outcome = .rejected(error.systemReason)
            }
            outcomes.append((file.name, outcome))
        }
        try store.forgetArrivals(except: Set(try waiting(now: .distantFuture).map(\.identity)))
        return outcomes
    }

    private struct Arrival {
        var url: URL
        var name: String
        var changed: Date
        var bytes: Int
        /// Tells a file from another one of the same name.
        var identity: String
    }

    private func waiting(now: Date) throws -> [Arrival] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.compactMap { name -> Arrival? in
            guard !name.hasPrefix("."), !name.hasSuffix(".partial"), !name.hasSuffix(".rejected"),
                !name.hasSuffix(CaptureIntake.motionEnding)
            else { return nil }
            let url = folder.appending(path: name)
            var status = stat()
            guard lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            let time = status.changedAt
            let changed = Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
            guard now.timeIntervalSince(changed) >= 1 else { return nil }
            let identity = "\(name)|\(status.st_ino)|\(status.st_size)|\(changed.timeIntervalSince1970)"
            return Arrival(
                url: url,
                name: name,
                changed: changed,
                bytes: Int(status.st_size),
                identity: identity
            )
        }.sorted { ($0.changed, $0.name) < ($1.changed, $1.name) }
    }
}

extension CaptureIntake {
    /// Checks the size of a file before any of it is read.
    ///
    /// - Throws: ``CaptureError`` for one of more than ``mostBytes``.
    public static func check(size: Int, of name: String) throws(CaptureError) {
        guard size > mostBytes else { return }
        throw .unusable(name: name, problem: "has \(size) bytes; at most \(mostBytes) are taken")
    }
}
