internal import Basics
internal import Foundation

/// The words of one or more languages, to check whether a text is a word.
///
/// Words are compared without case and without diacritics, because titles are set in capitals and often without them.
/// Only a 32-bit hash of each word is stored: with a million words, one text in four thousand is taken for a word by
/// chance.
public struct Lexicon: Sendable {
    private enum Storage: Sendable {
        case built([UInt8])
        case mapped(MappedFile)
    }

    private let table: Storage

    /// Creates the lexicon of a text in UTF-8 with one word a line; a line with other characters than letters is
    /// skipped.
    public init(text: some Sequence<UInt8>) {
        var hashes: [UInt32] = []
        Self.hash(text, into: &hashes)
        table = .built(WordTable.bytes(of: hashes))
    }

    /// Creates the lexicon of several files, one word a line, such as those of /usr/share/dict; an unreadable one
    /// adds none.
    ///
    /// With a folder for it, their table is cached there as a file for later processes, which map it instead of
    /// reading a million words; it is rebuilt when a list has changed. Without one, or when the file cannot be
    /// written or is damaged, the table is made in memory.
    public init(contentsOf paths: [String], cacheDirectory: String? = nil) {
        let cache = cacheDirectory.map { "\($0)/lexicon-\(Self.digest(ofFiles: paths)).words" }
        if let kept = cache.flatMap(MappedFile.kept).flatMap(Self.mapped) {
            table = kept
            return
        }
        var hashes: [UInt32] = []
        for path in paths {
            guard let file = try? MappedFile(path: path) else { continue }
            file.withBytes { Self.hash($0, into: &hashes) }
        }
        let bytes = WordTable.bytes(of: hashes)
        // The mapped one occupies memory for its visited pages alone. A table that cannot be cached is built again by
        // the next process.
        let kept = cache.flatMap { MappedFile.keep(at: $0) { try Data(bytes).write(to: URL(filePath: $0)) } }
        table = kept.flatMap(Self.mapped) ?? .built(bytes)
    }

    /// Number of different words.
    public var count: Int { withTable { $0.count } }

    /// Returns true for one word of the lexicon, in any case, with or without diacritics.
    public func contains(_ word: some StringProtocol) -> Bool {
        var hash = WordHash()
        for byte in word.utf8 { hash.append(byte) }
        guard let value = hash.value else { return false }
        return withTable { $0.contains(value) }
    }

    private func withTable<Result>(_ body: (WordTable) -> Result) -> Result {
        switch table {
        case .built(let bytes): bytes.withUnsafeBytes { body(WordTable(bytes: $0)) }
        case .mapped(let file): file.withBytes { body(WordTable(bytes: $0)) }
        }
    }

    private static func mapped(_ file: MappedFile) -> Storage? {
        guard file.withBytes({ $0.count >= WordTable.headerSize && WordTable(bytes: $0).isWhole }) else { return nil }
        file.expectRandomAccess()
        return .mapped(file)
    }

    private static func hash(_ text: some Sequence<UInt8>, into hashes: inout [UInt32]) {
        var hash = WordHash()
        for byte in text {
            if byte == 0x0A {
                if let value = hash.value { hashes.append(value) }
                hash = WordHash()
            } else {
                hash.append(byte)
            }
        }
        if let value = hash.value { hashes.append(value) }
    }

    /// Returns sixteen hexadecimal digits that change with a file's path, size or time of change.
    private static func digest(ofFiles paths: [String]) -> String {
        var hash = FNV1a()
        for path in paths {
            var status = stat()
            let isThere = stat(path, &status) == 0
            let changed = status.changedAt
            let state = isThere ? "\(status.st_size) \(changed.tv_sec).\(changed.tv_nsec)" : "missing"
            for byte in "\(path)\0\(state)\0".utf8 { hash.append(byte) }
        }
        return String(format: "%016llx", hash.value)
    }
}

/// Different hashes of 32 bits, by their upper halves: as bytes, so that a file can be mapped as it is.
///
/// In the machine's own byte order: the mark in 8 bytes; the number of hashes in 8; for each upper half, and one
/// more, the start of its hashes, in 4; the lower halves, ascending for each upper one, in 2. So a million words take
/// 2.3 MB, and a search covers some sixteen.
private struct WordTable {
    /// Bytes of the table, at least ``headerSize``.
    var bytes: UnsafeRawBufferPointer

    /// "SPWORDS" and the version of this layout and of ``WordHash``; on a machine of the other byte order it reads
    /// otherwise.
    private static let mark: UInt64 = 0x5350_574F_5244_5301
    private static let upperHalves = 1 << 16
    static let headerSize = 16 + 4 * (upperHalves + 1)

    /// Whether the bytes are output of ``bytes(of:)``, by their size and their mark.
    var isWhole: Bool {
        bytes.load(as: UInt64.self) == Self.mark && bytes.count == Self.headerSize + 2 * count
            && start(of: Self.upperHalves) == count
    }

    var count: Int { Int(truncatingIfNeeded: bytes.load(fromByteOffset: 8, as: UInt32.self)) }

    func contains(_ hash: UInt32) -> Bool {
        let upper = Int(hash >> 16)
        let (first, end) = (start(of: upper), min(start(of: upper + 1), count))
        // A damaged file may contain any value.
        guard first < end else { return false }
        let lower = UInt16(truncatingIfNeeded: hash)
        return (first..<end).contains {
            bytes.load(fromByteOffset: Self.headerSize + 2 * $0, as: UInt16.self) == lower
        }
    }

    private func start(of upperHalf: Int) -> Int {
        Int(bytes.load(fromByteOffset: 16 + 4 * upperHalf, as: UInt32.self))
    }

    /// Returns the table of hashes in any order, with or without repetition; fewer than 2³².
    static func bytes(of hashes: [UInt32]) -> [UInt8] {
        var starts: [UInt32] = [0]
        starts.reserveCapacity(upperHalves + 1)
        var lowers: [UInt16] = []
        lowers.reserveCapacity(hashes.count)
        var last: UInt32?
        for hash in hashes.sorted() where hash != last {
            while starts.count <= Int(hash >> 16) { starts.append(UInt32(lowers.count)) }
            lowers.append(UInt16(truncatingIfNeeded: hash))
            last = hash
        }
        while starts.count <= upperHalves { starts.append(UInt32(lowers.count)) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerSize + 2 * lowers.count)
        func append(_ values: [some FixedWidthInteger]) {
            values.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        append([mark, UInt64(lowers.count)])
        append(starts)
        append(lowers)
        return bytes
    }
}

/// 64-bit FNV-1a, folded to 32 bits, over the plain letters of a word given as UTF-8.
private struct WordHash {
    private var hash = FNV1a()
    private var letters = 0
    private var isWord = true
    /// The lead byte of a two-byte letter that is under way.
    private var lead: UInt8?

    /// Nil when the bytes were not letters alone, or none.
    var value: UInt32? {
        isWord && lead == nil && letters > 0
            ? max(UInt32(truncatingIfNeeded: hash.value ^ hash.value >> 32), 1) : nil
    }

    mutating func append(_ byte: UInt8) {
        if let first = lead {
            lead = nil
            let scalar = UInt32(first & 0x1F) << 6 | UInt32(byte & 0x3F)
            guard (0xC0...0x17F).contains(scalar) else {
                isWord = false
                return
            }
            for plain in FoldedText.plainLatin(scalar) { mix(plain) }
        } else if byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") && byte < 0x80 {
            mix(byte | 0x20)
        } else if byte & 0xE0 == 0xC0 {
            lead = byte
        } else {
            isWord = false
        }
    }

    private mutating func mix(_ letter: UInt8) {
        hash.append(letter)
        letters += 1
    }
}
