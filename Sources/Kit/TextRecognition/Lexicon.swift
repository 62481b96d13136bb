internal import Basics
internal import Foundation

/// The words of one or more languages, to check whether a text is a word.
///
/// Words are compared without case and without diacritics, because titles are set in capitals and often without them.
/// Only a 32-bit hash of each word is stored: with a million words, one text in four thousand is taken for a word by
/// chance.
public struct Lexicon: Sendable {
    /// Different hashes of the words, ascending, in the machine's own byte order.
    private let hashes: Data

    /// Creates the lexicon of a text with one word a line; a line with other characters than letters is skipped.
    public init(text: String) {
        var (found, rest) = (Set<UInt32>(), text.unicodeScalars[...])
        while !rest.isEmpty {
            let line = rest.prefix { $0 != "\n" }
            if let hash = Self.hash(of: line) { found.insert(hash) }
            rest = rest[line.endIndex...].dropFirst()
        }
        hashes = found.sorted().withUnsafeBytes { Data($0) }
    }

    /// Creates the lexicon of several files in UTF-8, one word a line, such as those of /usr/share/dict; an unreadable
    /// one adds none.
    ///
    /// With a folder for it, their hashes are cached there as a file for later processes, which map it instead of
    /// reading a million words; it is rebuilt when a list has changed. Without one, or when the file cannot be
    /// written or is damaged, they are kept in memory.
    public init(contentsOf paths: [String], cacheDirectory: String? = nil) {
        let cache = cacheDirectory.map { "\($0)/lexicon-\(Self.digest(ofFiles: paths)).hashes" }
        func mapped(_ file: MappedFile) -> Data {
            file.expectRandomAccess()
            return file.withBytes { bytes in
                guard let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress) else { return Data() }
                return Data(bytesNoCopy: start, count: bytes.count, deallocator: .custom { _, _ in _ = file })
            }
        }
        if let kept = cache.flatMap(MappedFile.kept) {
            hashes = mapped(kept)
            return
        }
        let texts = paths.compactMap { try? String(decoding: Data(contentsOf: URL(filePath: $0)), as: UTF8.self) }
        let made = Lexicon(text: texts.joined(separator: "\n")).hashes
        // The mapped ones occupy memory for their visited pages alone. Those that cannot be cached are made again by
        // the next process.
        let kept = cache.flatMap { MappedFile.keep(at: $0) { try made.write(to: URL(filePath: $0)) } }
        hashes = kept.map(mapped) ?? made
    }

    /// Number of different words.
    public var count: Int { hashes.count / 4 }

    /// Returns true for one word of the lexicon, in any case, with or without diacritics.
    public func contains(_ word: some StringProtocol) -> Bool {
        guard let wanted = Self.hash(of: word.unicodeScalars) else { return false }
        return hashes.withUnsafeBytes { bytes in
            let count = bytes.count / 4
            func hash(_ index: Int) -> UInt32 { bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self) }
            // Hashes are spread evenly: the place of one is near its share of all, in one or two pages.
            var (low, high) = (0, count)
            let (near, reach) = (Int(UInt64(count) * UInt64(wanted) >> 32), 1_024)
            if near >= reach, hash(near - reach) < wanted { low = near - reach }
            if near + reach < count, hash(near + reach) >= wanted { high = near + reach }
            while low < high {
                let middle = (low + high) / 2
                if hash(middle) < wanted { low = middle + 1 } else { high = middle }
            }
            return low < count && hash(low) == wanted
        }
    }

    /// Returns the 64-bit FNV-1a, folded to 32 bits, of the plain letters of a word; nil for another text.
    private static func hash(of word: some Sequence<Unicode.Scalar>) -> UInt32? {
        var hash = FNV1a()
        for scalar in word {
            switch scalar.value {
            case 0x41...0x5A, 0x61...0x7A: hash.append(UInt8(scalar.value) | 0x20)
            case 0xC0...0x17F: for plain in FoldedText.plainLatin(scalar.value) { hash.append(plain) }
            default: return nil
            }
        }
        return hash.value == FNV1a().value ? nil : max(UInt32(truncatingIfNeeded: hash.value ^ hash.value >> 32), 1)
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
