import ContextStore
import Foundation
import Storage
import TestSupport
import Testing

@testable import ContextPipeline

/// A folder whose files come once.
@Suite struct InboxTests {
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

    @Test func aFolderThatIsNotThereIsEmpty() throws {
        let store = try ContextStore.inMemory()
        #expect(try Inbox(URL(filePath: "/nowhere/at/all"), store: store).take().isEmpty)
    }
}
