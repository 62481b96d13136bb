import BookCatalogue
import Foundation
import TestSupport
import Testing

@testable import CaptureReading
@testable import Captures
@testable import CapturesProgram

/// A folder whose files come once.
@Suite(.inTurns) struct InboxTests {
    /// Files count when they have lain for a second.
    private var later: Date { Date().addingTimeInterval(10) }

    @Test func eachFileComesOnceAndGoes() throws {
        let folder = try TemporaryFolder()
        try folder.write("Buy milk", "in/note.txt")
        try folder.write("https://example.org/a", "in/link.txt")
        let store = try CaptureStore.inMemory()
        let inbox = Inbox(URL(filePath: folder("in")), store: store)
        #expect(link(folder("in/note.txt"), folder("other")) == 0)
        #expect(try inbox.importFiles(now: later).map(\.name).sorted() == ["link.txt", "note.txt"])
        #expect(!folder.contains("in/note.txt") && !folder.contains("in/link.txt"))
        // Both came within five seconds.
        #expect(try store.counts() == (1, 2, 2))
        // A killed process has saved a file, and not removed it.
        #expect(link(folder("other"), folder("in/note.txt")) == 0)
        #expect(try inbox.importFiles(now: later).map(\.problem) == [nil])
        #expect(try store.counts() == (1, 2, 2) && !folder.contains("in/note.txt"))
        #expect(try inbox.importFiles(now: later).isEmpty)
    }

    @Test func whatIsOnItsWayIsLeftAlone() throws {
        let folder = try TemporaryFolder()
        for name in [".hidden", "a.partial", "young.txt"] { try folder.write("a text", "in/\(name)") }
        let store = try CaptureStore.inMemory()
        let inbox = Inbox(URL(filePath: folder("in")), store: store)
        #expect(try inbox.importFiles(now: Date()).isEmpty)
        #expect(try inbox.importFiles(now: later).map(\.name) == ["young.txt"])
        #expect(folder.contains("in/.hidden") && folder.contains("in/a.partial"))
    }

    @Test func whatIsNothingStaysUnderAnotherName() throws {
        let folder = try TemporaryFolder()
        try folder.write([0, 1, 2], "in/x.bin")
        let store = try CaptureStore.inMemory()
        let inbox = Inbox(URL(filePath: folder("in")), store: store)
        let file = try #require(try inbox.importFiles(now: later).first)
        #expect(file.isRejected && file.problem?.hasPrefix("x.bin: ") == true)
        #expect(folder.contains("in/x.bin.rejected"))
        #expect(try inbox.importFiles(now: later).isEmpty)
        #expect(try store.counts() == (0, 0, 0))
    }

    /// What is no file stays, and is reported once; the name has no line end in the message.
    @Test func foldersPipesAndLinksAreReportedOnce() throws {
        let folder = try TemporaryFolder()
        try folder.write("Buy milk", "in/note.txt")
        try folder.write("a", "in/fol\nder/a.txt")
        #expect(mkfifo(folder("in/pipe"), 0o600) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: folder("in/link"),
            withDestinationPath: folder("in/note.txt")
        )
        let inbox = Inbox(URL(filePath: folder("in")), store: try CaptureStore.inMemory())
        let taken = try inbox.importFiles(now: later)
        let ignored = taken.filter { !$0.isRejected }.compactMap(\.problem).sorted()
        #expect(taken.count == 4 && ignored.map { $0.prefix { $0 != ":" } } == ["fol\\nder", "link", "pipe"])
        #expect(try inbox.importFiles(now: later).isEmpty)
        #expect(folder.contains("in/fol\nder/a.txt") && !folder.contains("in/pipe.rejected"))
    }

    @Test(arguments: ["UTF-16LE", "UTF-16BE"]) func aNoteInUTF16IsRead(encoding: String) throws {
        let units = Array("\u{FEFF}Grüße 🐈".utf16)
        let bytes = units.flatMap { unit -> [UInt8] in
            let pair = [UInt8(unit >> 8), UInt8(unit & 255)]
            return encoding == "UTF-16LE" ? pair.reversed() : pair
        }
        #expect(try CaptureIntake.capture(bytes, name: "a.txt", at: Date()).text == "Grüße 🐈")
        // Half of a pair of surrogates is no text.
        #expect(throws: CaptureError.self) { try CaptureIntake.capture(bytes.dropLast(2), name: "a.txt", at: Date()) }
    }

    @Test func anAddressOfAnotherKindIsRefusedAsOne() {
        #expect(CaptureIntake.isAddress("ftp://example.org/a"))
        #expect(CaptureIntake.isAddress("example.org/article") && !CaptureIntake.isAddress("shelf.jpg"))
        #expect(throws: CaptureError("ftp://example.org/a", "is not a web address (http or https)")) {
            try CaptureIntake.capture(address: "ftp://example.org/a", at: Date())
        }
        #expect(CaptureError("a\n\0b", "is empty").description == "a\\n\\0b: is empty")
    }

    @Test func aMissingFolderIsReported() throws {
        let store = try CaptureStore.inMemory()
        #expect(throws: CaptureError.self) { try Inbox(URL(filePath: "/nowhere/at/all"), store: store).importFiles() }
    }
}
