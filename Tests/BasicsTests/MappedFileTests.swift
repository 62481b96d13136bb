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
}
