import Basics
import Foundation

package struct TarMember: Sendable, Equatable {
    /// Path, without "./" in front.
    package var name: String
    package var part: FilePart
}

/// Reader of untrusted tar archives.
///
/// POSIX's ustar with pax records for paths and sizes, and GNU's long names and large sizes, as tar, Python's
/// `tarfile` and WebDataset write them. Links, devices, sparse files and damaged archives are refused. Source: IEEE
/// Std 1003.1-2017, pax, "ustar Interchange Format" and "pax Interchange Format"; GNU tar's manual, "Basic Tar
/// Format".
package struct TarReader {
    package static let block = 512
    /// Bytes of pax records, or of a long name: paths are much shorter.
    private static let longestExtension = 1 << 16

    private let path: String
    private let file: RandomAccessFile
    private var offset = 0
    /// Stated in front of a header, for it.
    private var stated = (name: String?.none, size: Int?.none)
    private var members: [TarMember] = []
    private var names: Set<String> = []

    /// Returns the files in an archive, in its order; one at least.
    package static func members(of path: String) throws(DatasetError) -> [TarMember] {
        let file: RandomAccessFile
        do { file = try RandomAccessFile(path) } catch {
            throw .fault("cannot be read: \(error.systemReason)", in: path)
        }
        var reader = TarReader(path: path, file: file)
        while let header = try reader.nextHeader() { try reader.take(header) }
        if reader.stated.name != nil || reader.stated.size != nil { throw reader.fault("an extension without a file") }
        if reader.members.isEmpty { throw reader.fault("the archive has no files") }
        return reader.members
    }

    private init(path: String, file: RandomAccessFile) { (self.path, self.file) = (path, file) }

    private func fault(_ problem: String, at place: Int? = nil) -> DatasetError {
        .fault("byte \(place ?? offset): \(problem)", in: path)
    }

    private func bytes(_ count: Int, at place: Int) throws(DatasetError) -> [UInt8] {
        guard count <= file.size - place else {
            throw fault(
                "the archive is truncated: \(count) bytes expected, \(max(0, file.size - place)) found",
                at: place
            )
        }
        do {
            return try file.bytes(of: FilePart(offset: place, length: count))
        } catch {
            throw fault("cannot be read: \(error.systemReason)", at: place)
        }
    }

    /// Returns the next header; nil at the archive's end: two blocks of zeros, and nothing but zeros behind them.
    private mutating func nextHeader() throws(DatasetError) -> [UInt8]? {
        let header = try bytes(Self.block, at: offset)
        guard header.allSatisfy({ $0 == 0 }) else { return header }
        var place = offset + Self.block
        guard try bytes(Self.block, at: place).allSatisfy({ $0 == 0 }) else {
            throw fault("a lone block of zeros; two end an archive")
        }
        while place < file.size {
            let rest = try bytes(min(1 << 16, file.size - place), at: place)
            if let index = rest.firstIndex(where: { $0 != 0 }) {
                throw fault("data follow the archive's end", at: place + index)
            }
            place += rest.count
        }
        return nil
    }

    private mutating func take(_ header: [UInt8]) throws(DatasetError) {
        let kind = try check(header)
        guard let own = Self.number(header[124..<136]) else { throw fault("the size is not a number, or too large") }
        let isExtension = "xgLK".utf8.contains(kind)
        let size = isExtension ? own : stated.size ?? own
        let start = offset + Self.block
        guard size <= file.size - start else {
            throw fault(
                "a member of \(size) bytes, of which \(file.size - start) are present: the archive is truncated"
            )
        }
        // No overflow: the size is at most that of a file that is there.
        let next = start + (size + Self.block - 1) / Self.block * Self.block
        if isExtension {
            guard size <= Self.longestExtension else { throw fault("an extension of \(size) bytes; too long") }
            try takeExtension(kind, try bytes(size, at: start))
        } else {
            try takeMember(kind, header, FilePart(offset: start, length: size))
        }
        offset = next
    }

    private func check(_ header: [UInt8]) throws(DatasetError) -> UInt8 {
        let magic = header[257..<265]
        guard magic.elementsEqual("ustar\u{0}00".utf8) || magic.elementsEqual("ustar  \u{0}".utf8) else {
            let isPacked = header.starts(with: [0x1F, 0x8B])
            throw fault(isPacked ? "compressed with gzip; unpack it first: gunzip" : "not a ustar header")
        }
        let sum = header.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
        guard let expected = Self.number(header[148..<156]), expected == sum else {
            throw fault("the header's checksum is wrong")
        }
        return header[156]
    }

    private mutating func takeMember(_ kind: UInt8, _ header: [UInt8], _ part: FilePart) throws(DatasetError) {
        let text: String
        if let name = stated.name { text = name } else { text = try name(of: header) }
        stated = (nil, nil)
        let isFolder = kind == UInt8(ascii: "5")
        guard isFolder || kind == UInt8(ascii: "0") || kind == 0 else {
            let kinds: [Character: String] = [
                "1": "a hard link", "2": "a symbolic link", "3": "a device", "4": "a device", "6": "a pipe",
                "S": "a sparse file",
            ]
            let what = kinds[Character(UnicodeScalar(kind))] ?? "of kind \(kind)"
            throw fault("\"\(text)\" is \(what); only files are supported")
        }
        var steps = text.split(separator: "/", omittingEmptySubsequences: false)
        if steps.first == "." { steps.removeFirst() }
        if isFolder {
            guard part.length == 0 else { throw fault("a folder of \(part.length) bytes") }
            return
        }
        guard !steps.isEmpty, !steps.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }),
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }), text.utf8.count <= 4_096
        else { throw fault("invalid path \"\(text.prefix(200))\": expected one below the archive") }
        let clean = steps.joined(separator: "/")
        guard names.insert(clean).inserted else { throw fault("duplicate member \"\(clean)\"") }
        members.append(TarMember(name: clean, part: part))
    }

    private mutating func takeExtension(_ kind: UInt8, _ content: [UInt8]) throws(DatasetError) {
        switch kind {
        case UInt8(ascii: "L"):
            guard let end = content.firstIndex(of: 0), let name = String(validating: content[..<end], as: UTF8.self)
            else { throw fault("a long name that is not text") }
            stated.name = name
        case UInt8(ascii: "K"): throw fault("the long name of a link; only files are supported")
        default:
            let isGlobal = kind == UInt8(ascii: "g")
            for (key, bytes) in try records(content) {
                if key.hasPrefix("GNU.sparse") { throw fault("a sparse file; only plain files are supported") }
                // Others, such as the extended attributes of macOS, may be binary.
                guard key == "path" || key == "size" else { continue }
                // A size for all members is invalid.
                guard !isGlobal else { throw fault("a global record of \"\(key)\"") }
                guard let value = String(validating: bytes, as: UTF8.self) else {
                    throw fault("a pax record is not text")
                }
                if key == "path" {
                    stated.name = value
                } else {
                    guard let size = Int(value), size >= 0 else {
                        throw fault("the pax size \"\(value)\" is not a number")
                    }
                    stated.size = size
                }
            }
        }
    }

    /// Returns records of a pax header: "LENGTH KEY=VALUE\n", the length that of all of it.
    private func records(_ content: [UInt8]) throws(DatasetError) -> [(key: String, value: ArraySlice<UInt8>)] {
        var records: [(String, ArraySlice<UInt8>)] = []
        var rest = content[...]
        while !rest.isEmpty {
            guard let space = rest.prefix(8).firstIndex(of: 0x20),
                let length = Int(String(decoding: rest[..<space], as: UTF8.self)),
                length > space + 1 - rest.startIndex, length <= rest.count,
                rest[rest.startIndex + length - 1] == 0x0A
            else { throw fault("a pax record is damaged") }
            let record = rest[(space + 1)..<(rest.startIndex + length - 1)]
            guard let equals = record.firstIndex(of: UInt8(ascii: "=")),
                let key = String(validating: record[..<equals], as: UTF8.self)
            else { throw fault("a pax record is not text") }
            records.append((key, record[(equals + 1)...]))
            rest = rest.dropFirst(length)
        }
        return records
    }

    private func name(of header: [UInt8]) throws(DatasetError) -> String {
        let own = header[0..<100].prefix { $0 != 0 }
        // GNU's header has times where POSIX's has the prefix.
        let prefix = header[262] == 0 ? header[345..<500].prefix { $0 != 0 } : []
        let bytes = prefix.isEmpty ? Array(own) : prefix + [UInt8(ascii: "/")] + own
        guard let name = String(validating: bytes, as: UTF8.self) else { throw fault("a name that is not UTF-8") }
        return name
    }

    /// Returns the number of octal digits, ended by a space or a zero; or, in GNU's form, a binary number behind a
    /// set bit.
    static func number(_ field: ArraySlice<UInt8>) -> Int? {
        guard let first = field.first else { return nil }
        if first == 0x80 {
            let bytes = field.dropFirst().drop { $0 == 0 }
            guard bytes.count < 8 else { return nil }
            return bytes.reduce(0) { $0 << 8 | Int($1) }
        }
        let text = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
        guard !text.isEmpty, text.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
        return text.reduce(0) { $0 << 3 | Int($1 - 0x30) }
    }
}
