import Basics
import Foundation
import Testing

/// The system's reasons in plain words; the words themselves are those of `strerror`.
@Suite struct SystemReasonTests {
    private struct OwnError: Error, CustomStringConvertible {
        var description: String { "its own words" }
    }

    @Test func aFileThatIsNotThereIsSaidToBeSo() throws {
        let path = "/nowhere-\(UUID().uuidString)/file"
        let error = try #require(throws: (any Error).self) { try Data(contentsOf: URL(filePath: path)) }
        #expect(error.systemReason == "no such file or directory" && error.systemErrorNumber == ENOENT)
    }

    @Test func aFolderThatIsWrittenToLikeAFileIsSaidToBeSo() throws {
        let folder = FileManager.default.temporaryDirectory
        let error = try #require(throws: (any Error).self) { try Data([1]).write(to: folder) }
        #expect(error.systemReason == "is a directory")
    }

    @Test func aFullDiskIsSaidToBeSo() throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let error = try #require(throws: (any Error).self) { try Data([1]).write(to: URL(filePath: "/dev/full")) }
        #expect(error.systemErrorNumber == ENOSPC && error.systemReason == "no space left on device")
    }

    @Test func aFaultOfJSONHasItsPlaceAndReason() throws {
        let error = try #require(throws: (any Error).self) {
            try JSONDecoder().decode([Int].self, from: Data("x".utf8))
        }
        #expect(error.systemReason == "invalid JSON")
        let missing = try #require(throws: (any Error).self) {
            try JSONDecoder().decode([String: Int].self, from: Data(#"{"a": "b"}"#.utf8))
        }
        #expect(missing.systemReason == "\"a\": Expected to decode Int but found a string instead.")
    }

    @Test func anErrorOfTheProgramKeepsItsWords() { #expect(OwnError().systemReason == "its own words") }
}
