import Foundation
import TestSupport
import Testing

@testable import spinebench_tools

@Suite struct LineTailTests {
    private func texts(_ lines: [Data]) -> [String] { lines.map { String(decoding: $0, as: UTF8.self) } }

    private func append(_ text: String, to path: String) throws {
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    @Test func aFileThatIsNotThereHasNoLines() throws {
        let folder = try TemporaryFolder()
        var tail = LineTail(folder("none"))
        #expect(texts(tail.lines()) == [])
        try folder.write("a\n", "none")
        #expect(texts(tail.lines()) == ["a"])
    }

    @Test func linesComeOnceAndWhole() throws {
        let folder = try TemporaryFolder()
        try folder.write("one\ntwo\nthr", "lines")
        var tail = LineTail(folder("lines"))
        #expect(texts(tail.lines()) == ["one", "two"])
        #expect(texts(tail.lines()) == [])
        try append("ee", to: folder("lines"))
        #expect(texts(tail.lines()) == [])
        try append("\n\nfour\n", to: folder("lines"))
        #expect(texts(tail.lines()) == ["three", "four"])
    }

    /// A run that is resumed cuts off half a line, and writes another one there.
    @Test func halfALineMayGo() throws {
        let folder = try TemporaryFolder()
        try folder.write("one\nhalf", "lines")
        var tail = LineTail(folder("lines"))
        #expect(texts(tail.lines()) == ["one"])
        try folder.write("one\ntwo\n", "lines")
        #expect(texts(tail.lines()) == ["two"])
        #expect(!tail.wasReplaced)
    }

    @Test func aShorterFileIsAnotherOne() throws {
        let folder = try TemporaryFolder()
        try folder.write("one\ntwo\n", "lines")
        var tail = LineTail(folder("lines"))
        _ = tail.lines()
        try folder.write("x\n", "lines")
        #expect(texts(tail.lines()) == [])
        #expect(tail.wasReplaced)
    }

    @Test(arguments: [1, 2, 3, 7, 64])
    func chunksDoNotShow(chunkBytes: Int) throws {
        let folder = try TemporaryFolder()
        let lines = (0..<20).map { String(repeating: "é", count: $0 + 1) }
        try folder.write(lines.joined(separator: "\n") + "\n", "lines")
        var tail = LineTail(folder("lines"), chunkBytes: chunkBytes)
        #expect(texts(tail.lines()) == lines)
    }
}
