import Foundation
import TestSupport
import Testing

@testable import SpineDatasets

/// Archives: read, and refused.
@Suite(.inTurns) struct TarTests {
    /// Returns the fault of an archive, without its path; nil when there is none.
    private func fault(of bytes: [UInt8], in folder: TemporaryFolder) throws -> String? {
        try folder.write(bytes, "a.tar")
        do throws(DatasetError) {
            _ = try TarReader.members(of: folder("a.tar"))
            return nil
        } catch {
            guard case .faults(_, let faults, 0) = error, faults.count == 1, faults[0].file == folder("a.tar") else {
                return "\(error)"
            }
            return faults[0].message
        }
    }

    /// Returns a header with some bytes put in, and its checksum right again, with its contents.
    private static func member(
        _ name: String,
        kind: Character = "0",
        _ contents: [UInt8] = [],
        put changes: [Int: [UInt8]] = [:]
    ) -> [UInt8] {
        TarArchive.member(name, kind: kind, contents, put: changes)
    }

    private static let end = [UInt8](repeating: 0, count: 1_024)

    /// Returns a pax record with its length in front.
    private static func pax(_ text: String) -> [UInt8] { Array("\(text.utf8.count + 4) \(text)\n".utf8) }

    /// Two members, the second one with a name that takes a pax record.
    private static let two =
        member("a.png", [7]) + member("x", kind: "x", Array("117 path=\(String(repeating: "n", count: 107))\n".utf8))
        + member("y", [1, 2, 3])
        + end

    @Test func everyPrefixIsRefusedWithItsByte() throws {
        let folder = try TemporaryFolder()
        let bytes = Self.two
        #expect(try fault(of: bytes, in: folder) == nil)
        for count in 0..<bytes.count {
            let fault = try fault(of: Array(bytes[..<count]), in: folder)
            #expect(
                fault?.hasPrefix("byte ") == true && fault?.contains("truncated") == true,
                "\(count): \(fault ?? "read")"
            )
        }
    }

    @Test func everyChangedByteIsRefusedOrDoesNoHarm() throws {
        let folder = try TemporaryFolder()
        let bytes = Self.two
        try folder.write(bytes, "w.tar")
        let whole = try TarReader.members(of: folder("w.tar"))
        #expect(whole.map(\.name.count) == [5, 107])
        for index in bytes.indices {
            for change: UInt8 in [0x01, 0x80, 0xFF] {
                var changed = bytes
                changed[index] ^= change
                try folder.write(changed, "c.tar")
                // No checksum is of contents, padding and a record's letters: there a change passes, and moves nothing.
                guard let members = try? TarReader.members(of: folder("c.tar")) else { continue }
                #expect(members.map(\.part) == whole.map(\.part), "byte \(index)")
            }
        }
    }

    @Test(
        "an archive with what must not be in it is refused",
        arguments: [
            ([], "byte 0: the archive is truncated: 512 bytes expected, 0 found"),
            (end, "byte 0: the archive has no files"),
            (member("d/", kind: "5") + end, "byte 512: the archive has no files"),
            ([UInt8](repeating: 65, count: 1_024), "byte 0: not a ustar header"),
            ([0x1F, 0x8B] + [UInt8](repeating: 65, count: 1_022), "byte 0: compressed with gzip; unpack it first"),
            (member("a") + end.prefix(512) + member("b") + end, "byte 512: a lone block of zeros"),
            (member("a") + end + [0, 0, 1], "byte 1538: data follow the archive's end"),
            (member("/etc/passwd") + end, "byte 0: invalid path \"/etc/passwd\": expected one below the archive"),
            (member("a") + member("../b") + end, "byte 512: invalid path \"../b\""),
            (member("a/../../b") + end, "invalid path \"a/../../b\""),
            (member("a//b") + end, "expected one below the archive"),
            (member("a/") + end, "expected one below the archive"),
            (member(".") + end, "expected one below the archive"),
            (member("") + end, "invalid path \"\""), (member("a\nb") + end, "expected one below the archive"),
            (member("a", put: [345: Array("..".utf8)]) + end, "invalid path \"../a\""),
            (member("a", kind: "1") + end, "\"a\" is a hard link"), (member("a", kind: "2") + end, "a symbolic link"),
            (member("a", kind: "3") + end, "a device"), (member("a", kind: "4") + end, "a device"),
            (member("a", kind: "6") + end, "a pipe"), (member("a", kind: "S") + end, "a sparse file"),
            (member("a", kind: "Z") + end, "of kind 90"),
            (member("a", kind: "K", Array("b\0".utf8)) + member("c", kind: "2") + end, "the long name of a link"),
            (member("a", [1]) + member("./a", [2]) + end, "byte 1024: duplicate member \"a\""),
            (
                member("a", put: [124: Array("77777777777".utf8)]) + end,
                "a member of 8589934591 bytes, of which 1024 are present"
            ),
            (member("a", put: [124: Array("9".utf8)]) + end, "the size is not a number"),
            (member("a", put: [124: [UInt8](repeating: 0xFF, count: 12)]) + end, "the size is not a number"),
            (
                member("a", put: [124: [0x80] + [UInt8](repeating: 0xFF, count: 11)]) + end,
                "the size is not a number, or too large"
            ),
            (
                member("a", put: [124: [0x80, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 7)]) + end,
                "the archive is truncated"
            ),
            (member("a", kind: "x", pax("size=99999999999999999999")) + member("b") + end, "the pax size"),
            (member("a", kind: "x", pax("size=9223372036854775807")) + member("b") + end, "the archive is truncated"),
            (member("a", kind: "x", pax("size=-1000000000")) + member("b") + end, "is not a number"),
            (member("a", kind: "x", pax("path=../b")) + member("b") + end, "byte 1024: invalid path \"../b\""),
            (member("a", kind: "x", pax("path=b")) + end, "an extension without a file"),
            (member("a", kind: "x", Array("99 path=b\n".utf8)) + member("b") + end, "a pax record is damaged"),
            (member("a", kind: "x", Array("-9 path=b\n".utf8)) + member("b") + end, "a pax record is damaged"),
            (member("a", kind: "x", Array("3 \n".utf8)) + member("b") + end, "a pax record is"),
            (member("a", kind: "x", [50, 32]) + member("b") + end, "a pax record is damaged"),
            (member("a", kind: "x", pax("GNU.sparse.major=1")) + member("b") + end, "a sparse file"),
            (member("a", kind: "g", pax("path=everything")) + member("b") + end, "a global record of \"path\""),
            (member("a", kind: "L", Array("../b\0".utf8)) + member("b") + end, "invalid path \"../b\""),
            (member("a", kind: "L", Array("b".utf8)) + member("b") + end, "a long name that is not text"),
            (
                member("a", kind: "L", [UInt8](repeating: 66, count: 70_000)) + end,
                "an extension of 70000 bytes; too long"
            ),
            (member("a", kind: "5", [1]) + end, "a folder of 1 bytes"),
            (member("a", put: [0: [0xFF]]) + end, "a name that is not UTF-8"),
        ] as [([UInt8], String)]
    )
    func refused(_ bytes: [UInt8], _ expected: String) throws {
        let fault = try fault(of: bytes, in: TemporaryFolder())
        #expect(fault?.contains(expected) == true && fault?.hasPrefix("byte ") == true, "\(fault ?? "it was read")")
    }

    /// bsdtar of macOS puts attributes into records, some of them binary.
    @Test func recordsOfOthersMayBeBinary() throws {
        let folder = try TemporaryFolder()
        let binary = Array("45 SCHILY.xattr.com.apple.provenance=".utf8) + [1, 2, 0, 0xD3, 0xFF, 0x80, 0x0A]
        let long = Array("41 LIBARCHIVE.xattr.com.apple.x=AQIAyQ==\n".utf8)
        #expect(binary.count == 44 && long.count == 41)
        let records = Array("44 ".utf8) + binary.dropFirst(3) + long + Self.pax("path=b.png")
        try folder.write(Self.member("a", kind: "x", records) + Self.member("a", [1]) + Self.end, "a.tar")
        #expect(try TarReader.members(of: folder("a.tar")).map(\.name) == ["b.png"])
    }

    @Test func aWrongChecksumIsRefused() throws {
        var bytes = Self.member("a") + Self.end
        bytes[0] = UInt8(ascii: "b")
        #expect(try fault(of: bytes, in: TemporaryFolder()) == "byte 0: the header's checksum is wrong")
    }

    @Test func whatIsNoFileIsRefused() throws {
        let folder = try TemporaryFolder()
        for path in [folder.path, folder("none.tar")] {
            #expect(throws: DatasetError.self) { try TarReader.members(of: path) }
        }
    }

    @Test func aSizeBeyondElevenOctalDigitsIsRead() {
        #expect(
            TarReader.number(([0x80] + [UInt8](repeating: 0, count: 5) + [0, 2, 0, 0, 0, 0])[...]) == 8_589_934_592
        )
    }

    @Test(arguments: ["tarfile-pax", "tarfile-gnu", "tar-gnu", "tar-posix", "webdataset"])
    func archivesOfOthersAreRead(_ name: String) throws {
        let path = try #require(Bundle.module.path(forResource: "Fixtures/shards/\(name)", ofType: "tar"))
        let members = try TarReader.members(of: path)
        let long = "photos/b" + String(repeating: "b", count: 120)
        let expected =
            name == "webdataset"
            ? ["000000.cls", "000000.json", "000000.png", "000001.cls", "000001.json", "000001.png"]
            : ["photos/a.json", "photos/a.png", "\(long).json", "\(long).png", "photos/ü.json", "photos/ü.png"]
        #expect(members.map(\.name).sorted() == expected)
        for member in members where member.name.hasSuffix(".png") {
            let bytes = try #require(PictureSource(path: path, part: member.part).contents())
            // A PNG file of two by two grey pixels, as make.py writes it.
            #expect(bytes.count == 71 && bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
        // Cut anywhere before its end mark, it is refused.
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let end = try #require(bytes.lastIndex { $0 != 0 }) / 512 * 512 + 512 + 1_024
        let folder = try TemporaryFolder()
        for count in stride(from: 0, to: end, by: 61) {
            #expect(try fault(of: Array(bytes[..<count]), in: folder)?.contains("truncated") == true)
        }
        #expect(try fault(of: Array(bytes[..<end]), in: folder) == nil)
    }
}
