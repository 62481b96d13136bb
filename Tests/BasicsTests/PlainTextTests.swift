import Foundation
import Testing

@testable import Basics

/// Byte order marks and home folders: what programs and shells leave at the beginning of a text.
@Suite struct PlainTextTests {
    @Test(
        arguments: [
            // UTF-8's mark, once; none; a part of it; one that is not at the beginning.
            ([0xEF, 0xBB, 0xBF, 0x41], [0x41]), ([0x41], [0x41]), ([0xEF, 0xBB], [0xEF, 0xBB]),
            ([0x41, 0xEF, 0xBB, 0xBF], [0x41, 0xEF, 0xBB, 0xBF]), ([], []),
        ] as [([UInt8], [UInt8])]
    )
    func aMarkOfUTF8IsNoText(bytes: [UInt8], rest: [UInt8]) {
        #expect(Array(bytes.withoutByteOrderMark) == rest)
        #expect(String(decoding: bytes, as: UTF8.self).withoutByteOrderMark == String(decoding: rest, as: UTF8.self))
    }

    @Test func aMarkOfUTF16SaysItsOrder() {
        // "Aé" and "𝄞" (D834 DD1E), by the Unicode Standard's tables 3-8 and 2-4.
        #expect(([0xFF, 0xFE, 0x41, 0x00, 0xE9, 0x00] as [UInt8]).utf8OfMarkedUTF16 == Array("Aé".utf8))
        #expect(([0xFE, 0xFF, 0xD8, 0x34, 0xDD, 0x1E] as [UInt8]).utf8OfMarkedUTF16 == Array("𝄞".utf8))
        // Half a unit at the end is dropped; a slice begins at its own place.
        #expect(([0x00, 0xFF, 0xFE, 0x41, 0x00, 0x42] as [UInt8])[1...].utf8OfMarkedUTF16 == Array("A".utf8))
        #expect(([0xFF, 0xFE] as [UInt8]).utf8OfMarkedUTF16 == [])
        #expect(Array("A".utf8).utf8OfMarkedUTF16 == nil)
    }

    private static let home = ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()

    @Test(arguments: [
        ("~", home), ("~/", home + "/"), ("~/runs/a", home + "/runs/a"), ("--out=~/runs/a", "--out=\(home)/runs/a"),
        ("--out=~", "--out=\(home)"), ("tess=~/out", "tess=\(home)/out"), ("models=~/v5", "models=\(home)/v5"),
        ("mine=~/reader.py --fast", "mine=\(home)/reader.py --fast"),
    ])
    func aPathBeginsAtHome(argument: String, path: String) { #expect(argument.withHomeFolder == path) }

    /// The home of root is /root on every Linux.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/root"))) func anotherUserHasAHome() {
        #expect("--dataset=~root/set".withHomeFolder == "--dataset=/root/set")
        #expect("~root".withHomeFolder == "/root")
    }

    @Test(arguments: [
        "./~", "./~/a", "a/~/b", "--out=./~/a", "--out=a~", "https://example.org/~user", "~no-such-user-here/a",
        "--out=~no-such-user-here/a", "", "mine=cat a=~/b", "mine=python3 ~/reader.py", "x=~", "a=b=~",
    ])
    func othersStayAsTheyAre(argument: String) { #expect(argument.withHomeFolder == argument) }
}
