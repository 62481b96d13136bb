import Foundation
import TestSupport
import Testing

@testable import SpineDatasets

@Suite struct LineFileTests {
    /// Returns the lines as they arrive: number and text, or nil for one that is too long.
    private func lines(_ text: String, blockSize: Int, maximumLine: Int = 1000) throws -> [(Int, String?)] {
        let folder = try TemporaryFolder()
        try folder.write(text, "f")
        var lines: [(Int, String?)] = []
        try LineFile(folder("f"), blockSize: blockSize, maximumLine: maximumLine).read { bytes, _ in
            String(decoding: bytes, as: UTF8.self)
        } take: { number, line in
            if case .parsed(let text) = line { lines.append((number, text)) } else { lines.append((number, nil)) }
        }
        return lines
    }

    // Blocks that end in lines, at their ends and behind them.
    @Test(arguments: [1, 2, 3, 4, 5, 7, 64, 4096])
    func linesArriveInOrderWithTheirNumbers(blockSize: Int) throws {
        let found = try lines("\u{FEFF}one\n\n \t\r\ntwo\r\n\nthree", blockSize: max(3, blockSize))
        #expect(found.map(\.0) == [1, 4, 6])
        #expect(found.map(\.1) == ["one", "two\r", "three"])
        #expect(try lines("", blockSize: blockSize).isEmpty)
        #expect(try lines("\n\n", blockSize: blockSize).isEmpty)
        let many = try lines((1...999).map { "\($0)\n" }.joined(), blockSize: blockSize)
        #expect(many.map(\.0) == Array(1...999))
        #expect(many.map(\.1) == (1...999).map(String.init))
    }

    @Test(arguments: [16, 999, 1000, 1001, 9000])
    func aLineWithoutAnEndIsNotKept(blockSize: Int) throws {
        let long = String(repeating: "x", count: 5000)
        let found = try lines("a\n\(long)\nb\n\(long)", blockSize: blockSize)
        #expect(found.map(\.0) == [1, 2, 3, 4])
        #expect(found.map(\.1) == ["a", nil, "b", nil])
    }
}
