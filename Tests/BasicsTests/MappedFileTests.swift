import Foundation
import Testing

@testable import Basics

@Suite struct MappedFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "mapped-\(UUID().uuidString)")

    private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "file")
        try Data(bytes).write(to: file)
        try body(file.path)
    }

    @Test func bytesAreTheFilesAlsoAfterTheirPagesWereDropped() throws {
        try withFile([65, 66, 67]) { path in
            let file = try MappedFile(path: path)
            #expect(file.withBytes(Array.init) == [65, 66, 67])
            file.expectRandomAccess()
            file.dropPages()
            #expect(file.withBytes(Array.init) == [65, 66, 67])
        }
    }

    @Test func replacedFileStaysAsItWas() throws {
        try withFile([1, 2, 3]) { path in
            let file = try MappedFile(path: path)
            try Data([9]).write(to: URL(filePath: path), options: .atomic)
            #expect(file.withBytes(Array.init) == [1, 2, 3])
            #expect(try MappedFile(path: path).withBytes(Array.init) == [9])
        }
    }

    @Test func emptyFileHasNoBytes() throws {
        try withFile([]) { path in
            let file = try MappedFile(path: path)
            #expect(file.withBytes(\.count) == 0)
            file.dropPages()
        }
    }

    @Test func whatCannotBeMappedSaysWhy() throws {
        try withFile([1]) { path in
            #expect(throws: POSIXError(.ENOENT)) { try MappedFile(path: path + "-missing") }
            #expect(throws: POSIXError(.EISDIR)) { try MappedFile(path: folder.path) }
        }
    }

    @Test func aPipeIsNoFileAndIsNotWaitedFor() throws {
        try withFile([1]) { path in
            try #require(mkfifo(path + "-pipe", 0o600) == 0)
            #expect(throws: POSIXError(.ENODEV)) { try MappedFile(path: path + "-pipe") }
        }
    }
}

@Suite struct KeptFileTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kept-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    private let bytes = Array("twenty-one bytes here".utf8)

    private func keep(_ path: String) -> MappedFile? {
        MappedFile.keep(at: path) { try Data(bytes).write(to: URL(filePath: $0)) }
    }

    @Test func whatIsKeptIsThereAgain() throws {
        try withFolder { folder in
            #expect(keep(folder + "/a")?.withBytes(Array.init) == bytes)
            #expect(MappedFile.kept(at: folder + "/a")?.withBytes(Array.init) == bytes)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names == ["a"])
        }
    }

    @Test(arguments: 0..<29) func noByteMayChange(place: Int) throws {
        try withFolder { folder in
            _ = keep(folder + "/a")
            var data = try Data(contentsOf: URL(filePath: folder + "/a"))
            #expect(data.count == bytes.count + 8)
            data[place] ^= 0x80
            try data.write(to: URL(filePath: folder + "/a"))
            #expect(MappedFile.kept(at: folder + "/a") == nil)
        }
    }

    @Test func cutOffForeignAndMissingFilesAreNone() throws {
        try withFolder { folder in
            _ = keep(folder + "/a")
            let data = try Data(contentsOf: URL(filePath: folder + "/a"))
            try data.dropLast().write(to: URL(filePath: folder + "/cut"))
            try Data().write(to: URL(filePath: folder + "/empty"))
            // Whole, and another file's.
            try data.write(to: URL(filePath: folder + "/b"))
            for name in ["cut", "empty", "b", "missing"] {
                #expect(MappedFile.kept(at: "\(folder)/\(name)") == nil, "\(name)")
            }
        }
    }

    @Test func whatCannotBeWrittenLeavesNothing() throws {
        struct Failure: Error {}
        try withFolder { folder in
            #expect(MappedFile.keep(at: folder + "/a") { _ in throw Failure() } == nil)
            #expect(MappedFile.keep(at: folder + "/a") { _ in } == nil)
            // The folder was made.
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.isEmpty)
            #expect(keep("/proc/none/a") == nil)
        }
    }

    @Test func whatAKilledProcessLeftIsRemovedAfterAnHour() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for (name, age) in [("old.tmp", 3700.0), ("new.tmp", 60), ("old.blob", 9999)] {
                _ = FileManager.default.createFile(
                    atPath: "\(folder)/\(name)",
                    contents: Data(),
                    attributes: [.modificationDate: Date(timeIntervalSinceNow: -age)]
                )
            }
            _ = keep(folder + "/a")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a", "new.tmp", "old.blob"]
            )
        }
    }
}
