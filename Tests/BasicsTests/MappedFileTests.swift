import Foundation
import TestSupport
import Testing

@testable import Basics

@Suite struct MappedFileTests {
    private let folder: TemporaryFolder
    private let bytes = Array("twenty-one bytes here".utf8)

    init() throws { folder = try TemporaryFolder() }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test func bytesAreTheFilesAlsoAfterTheirPagesWereDropped() throws {
        try folder.write(bytes, "a")
        let file = try MappedFile(path: folder("a"))
        file.expectRandomAccess()
        file.dropPages()
        #expect(file.withBytes(Array.init) == bytes)
        // A replaced file stays as it was.
        try Data([9]).write(to: URL(filePath: folder("a")), options: .atomic)
        #expect(file.withBytes(Array.init) == bytes)
        #expect(try MappedFile(path: folder("a")).withBytes(Array.init) == [9])
        try folder.write([], "empty")
        let empty = try MappedFile(path: folder("empty"))
        empty.dropPages()
        #expect(empty.withBytes(\.count) == 0)
    }

    @Test func whatCannotBeMappedSaysWhy() throws {
        try #require(mkfifo(folder("pipe"), 0o600) == 0)
        for (name, error) in [("missing", POSIXErrorCode.ENOENT), (".", .EISDIR), ("pipe", .ENODEV)] {
            #expect(throws: POSIXError(error)) { try MappedFile(path: folder(name)) }
        }
    }

    // MARK: Kept files

    @discardableResult
    private func keep(_ name: String) -> MappedFile? {
        MappedFile.keep(at: folder(name)) { try Data(bytes).write(to: URL(filePath: $0)) }
    }

    @Test func whatIsKeptIsThereAgain() throws {
        #expect(keep("in/a")?.withBytes(Array.init) == bytes)
        #expect(MappedFile.kept(at: folder("in/a"))?.withBytes(Array.init) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("in")) == ["a"])
    }

    @Test func damagedCutOffForeignAndMissingFilesAreNone() throws {
        keep("a")
        let kept = [UInt8](try Data(contentsOf: URL(filePath: folder("a"))))
        #expect(kept.count == bytes.count + 8)
        for place in kept.indices {
            var damaged = kept
            damaged[place] ^= 0x80
            try folder.write(damaged, "a")
            #expect(MappedFile.kept(at: folder("a")) == nil, "\(place)")
        }
        try folder.write(kept.dropLast(), "cut")
        try folder.write([], "empty")
        // Whole, and another file's.
        try folder.write(kept, "b")
        for name in ["cut", "empty", "b", "missing"] { #expect(MappedFile.kept(at: folder(name)) == nil, "\(name)") }
    }

    @Test func whatCannotBeWrittenLeavesNothing() throws {
        struct Failure: Error {}
        #expect(MappedFile.keep(at: folder("a")) { _ in throw Failure() } == nil)
        #expect(MappedFile.keep(at: folder("a")) { _ in } == nil)
        #expect(try names.isEmpty)
        #expect(MappedFile.keep(at: "/proc/none/a") { try Data(bytes).write(to: URL(filePath: $0)) } == nil)
    }

    @Test func whatAKilledProcessLeftIsRemovedAfterAnHour() throws {
        for (name, age) in [("old.tmp", 3700.0), ("new.tmp", 60), ("old.blob", 9999)] {
            let attributes: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: -age)]
            _ = FileManager.default.createFile(atPath: folder(name), contents: Data(), attributes: attributes)
        }
        keep("a")
        #expect(try names == ["a", "new.tmp", "old.blob"])
    }
}
