import Basics
import Foundation
import SpineDatasets

/// Writer of a tar archive whose bytes depend only on the members' names and contents.
///
/// POSIX's ustar: time, owner and group are 0, the mode is 644. A name that does not fit the header, or is not ASCII,
/// and a size beyond its digits are in pax records before it.
struct TarWriter {
    private(set) var size = 0
    private(set) var digest = SHA256()
    private let handle: FileHandle

    init(_ path: String) throws {
        try Data().write(to: URL(filePath: path))
        handle = try FileHandle(forWritingTo: URL(filePath: path))
    }

    mutating func add(_ name: String, _ bytes: [UInt8]) throws -> FilePart {
        try write(Self.headers(name, size: bytes.count))
        let part = FilePart(offset: size, length: bytes.count)
        try write(Self.padded(bytes))
        return part
    }

    /// Writes the two blocks of zeros at the end.
    mutating func finish() throws {
        try write([UInt8](repeating: 0, count: 2 * TarReader.block))
        try handle.synchronize()
        try handle.close()
    }

    static func room(_ name: String, size: Int) -> Int {
        headers(name, size: size).count + (size + TarReader.block - 1) / TarReader.block * TarReader.block
    }

    private mutating func write(_ bytes: [UInt8]) throws {
        try handle.write(contentsOf: Data(bytes))
        digest.update(bytes)
        size += bytes.count
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (TarReader.block - bytes.count % TarReader.block) % TarReader.block)
    }

    static func headers(_ name: String, size: Int) -> [UInt8] {
        var records: [UInt8] = []
        let place = place(of: name)
        if place == nil { records += record("path", name) }
        if size > largestSize { records += record("size", "\(size)") }
        guard !records.isEmpty else { return header(place ?? ([], []), size: size) }
        // Readers without pax see these names.
        let short = Array(name.unicodeScalars.map { $0.isASCII ? UInt8($0.value) : UInt8(ascii: "_") }.suffix(80))
        return header(([], Array("PaxHeaders/".utf8) + short), size: records.count, kind: "x") + padded(records)
            + header(([], short), size: min(size, largestSize))
    }

    /// Eleven octal digits.
    private static let largestSize = 0o77_777_777_777

    /// Returns the prefix and name, split at a "/" so that both fit; nil when they do not.
    private static func place(of name: String) -> (prefix: [UInt8], name: [UInt8])? {
        let bytes = Array(name.utf8)
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        if bytes.count <= 100 { return ([], bytes) }
        for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
            if (1...155).contains(index), (1...100).contains(bytes.count - index - 1) {
                return (Array(bytes[..<index]), Array(bytes[(index + 1)...]))
            }
        }
        return nil
    }

    /// Returns text such as "10 a=12345\n": the length counts its own digits.
    private static func record(_ key: String, _ value: String) -> [UInt8] {
        let rest = " \(key)=\(value)\n"
        var length = rest.utf8.count
        while "\(length)".utf8.count + rest.utf8.count != length { length = "\(length)".utf8.count + rest.utf8.count }
        return Array("\(length)\(rest)".utf8)
    }

    private static func header(
        _ place: (prefix: [UInt8], name: [UInt8]),
        size: Int,
        kind: UnicodeScalar = "0"
    ) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: TarReader.block)
        func octal(_ value: Int, _ digits: Int) -> [UInt8] {
            let text = String(value, radix: 8)
            return Array((String(repeating: "0", count: digits - text.count) + text).utf8)
        }
        func put(_ bytes: [UInt8], _ offset: Int) {
            header.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
        }
        put(place.name, 0)
        put(octal(0o644, 7), 100)
        for offset in [108, 116, 329, 337] { put(octal(0, 7), offset) }
        put(octal(size, 11), 124)
        put(octal(0, 11), 136)
        put([UInt8](repeating: 0x20, count: 8), 148)
        header[156] = UInt8(kind.value)
        put(Array("ustar\u{0}00".utf8), 257)
        put(place.prefix, 345)
        put(octal(header.reduce(0) { $0 + Int($1) }, 6) + [0, 0x20], 148)
        return header
    }
}
