import Foundation
import TestSupport
import Testing

@testable import SpineDatasets

@Suite struct LineFileTests {
    @Test(arguments: [
        ("\u{FEFF}one\n\n \t\r\ntwo\r\n\nthree", [1, 4, 6], ["one", "two\r", "three"]), ("", [], []), ("\n\n", [], []),
    ])
    func linesHaveTheirNumbers(text: String, numbers: [Int], expected: [String]) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, "f")
        let lines = try LineFile.lines(of: folder("f"))
        #expect(lines.map(\.number) == numbers && lines.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
    }
}
