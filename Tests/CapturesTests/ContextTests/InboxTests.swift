import BookCatalogue
import Foundation
import TestSupport
import Testing

@testable import CaptureReading
@testable import Captures

/// A folder whose files come once.
@Suite(.inTurns) struct InboxTests {
    /// Files count when they have lain for a second.
    private var later: Date { Date().addingTimeInterval(10) }

    @Test func eachFileComesOnceAndGoes() throws {
        let folder = try TemporaryFolder()
        try folder.write("Buy milk", "in/note.txt")
        try folder.write("https://example.org/a", "in/link.txt")
        let store = try ContextStore.inMemory()
        let inbox = Inbox(URL(filePath: folder("in")), store: store)
        let taken = try inbox.take(now: later)
        #expect(taken.map(\.name).sorted() == ["link.txt", "note.txt"])
        #expect(!folder.contains("in/note.txt") && !folder.contains("in/link.txt"))
        // Both came within five seconds.
        #expect(try store.counts() == (1, 2, 2))
        #expect(try inbox.take(now: later).isEmpty)
    }

    @Test func whatIsOnItsWayIsLeftAlone() throws {
        let folder = try TemporaryFolder()
        for name in [".hidden", "a.partial", "young.txt"] { try folder.write("a text", "in/\(name)") }
        let store = try ContextStore.inMemory()
        let inbox = Inbox(URL(filePath: folder("in")), store: store)
        #expect(try inbox.take(now: Date()).isEmpty)
        #expect(try inbox.take(now: later).map(\.name) == ["young.txt"])
        #expect(folder.contains("in/.hidden") && folder.contains("in/a.partial"))
    }

    @Test func whatIsNothingStaysUnderAnotherName() throws {
        let folder = try TemporaryFolder()
        try folder.write([0, 1, 2], "in/x.bin")
        let store = try ContextStore.inMemory()
        let inbox = Inbox(URL(filePath: folder("in")), store: store)
        guard case .rejected(let reason)? = try inbox.take(now: later).first?.outcome else {
            Issue.record("it was taken")
            return
        }
        #expect(reason.hasPrefix("x.bin: "))
        #expect(folder.contains("in/x.bin.rejected"))
        #expect(try inbox.take(now: later).isEmpty)
        #expect(try store.counts() == (0, 0, 0))
    }

    @Test func aFolderThatIsNotThereIsTold() throws {
        let store = try ContextStore.inMemory()
        #expect(throws: CaptureError.self) { try Inbox(URL(filePath: "/nowhere/at/all"), store: store).take() }
    }

    /// A trace belongs to all files of its name; a bad one stays, and so does one that was rejected before it.
    @Test func tracesOfMotionComeAndStay() throws {
        let folder = try TemporaryFolder()
        let store = try ContextStore.inMemory()
        let inbox = Inbox(URL(filePath: folder("in")), store: store)
        let trace = "time_s,x_g,y_g,z_g\n" + (0..<300).map { "\(Double($0) / 50),0,0,1" }.joined(separator: "\n")
        for (name, text) in [("a.txt", "one"), ("a.md", "two"), ("a.motion.csv", trace)] {
            try folder.write(text, "in/\(name)")
        }
        #expect(try inbox.take(now: Self.soon).count == 2)
        let items = try store.sessions(limit: 9).flatMap { try store.items(of: $0.id) }
        #expect(items.count == 2 && items.allSatisfy { $0.motion?.windows.count == 1 })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("in")).isEmpty)
        for number in 1...2 {
            try folder.write("three \(number)", "in/b.txt")
            try folder.write("bad \(number)", "in/b.motion.csv")
            #expect(try inbox.take(now: Self.soon).count == 2)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder("in")).sorted()
        #expect(left == ["b.motion.csv.2.rejected", "b.motion.csv.rejected"])
        #expect(try store.counts().items == 4)
    }

    private static var soon: Date { Date(timeIntervalSinceNow: 60) }
}
