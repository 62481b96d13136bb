import Basics
internal import Foundation

/// The words of one or more languages, to tell whether something that was read is a word.
///
/// Words are compared without case and without diacritics, because titles are set in capitals and often without them.
/// Only a 32-bit hash of each word is kept: with a million words, one text in four thousand is taken for a word by
/// chance.
public struct Lexicon: Sendable {
    /// Hashes in an open-addressed table; 0 is an empty place.
    private var table: [UInt32]
    /// Number of different words.
    public private(set) var count = 0

    /// The words of a text in UTF-8 with one word a line; a line that is not letters alone is left out.
    public init(text: some Sequence<UInt8>) {
        table = [UInt32](repeating: 0, count: 1 << 12)
        add(text)
    }

    /// The words of several files, one word a line, such as those of /usr/share/dict; one that cannot be read adds none.
    public init(contentsOf paths: [String]) {
        self.init(text: [])
        for path in paths { add([UInt8](FileManager.default.contents(atPath: path) ?? Data())) }
    }

    private mutating func add(_ text: some Sequence<UInt8>) {
        var hash = WordHash()
        for byte in text {
            if byte == 0x0A {
                if let value = hash.value { insert(value) }
                hash = WordHash()
            } else {
                hash.append(byte)
            }
        }
        if let value = hash.value { insert(value) }
    }

    /// True for one word of the lexicon, in any case, with or without diacritics.
    public func contains(_ word: some StringProtocol) -> Bool {
        var hash = WordHash()
        for byte in word.utf8 { hash.append(byte) }
        guard let value = hash.value else { return false }
        return table[place(of: value)] == value
    }

    private mutating func insert(_ value: UInt32) {
        if 2 * (count + 1) > table.count { grow() }
        let place = place(of: value)
        guard table[place] == 0 else { return }
        table[place] = value
        count += 1
    }

    private mutating func grow() {
        let old = table
        table = [UInt32](repeating: 0, count: 2 * old.count)
        for value in old where value != 0 { table[place(of: value)] = value }
    }

    /// Where a hash is, or the empty place where it belongs.
    private func place(of value: UInt32) -> Int {
        let mask = UInt32(table.count - 1)
        var place = value & mask
        while table[Int(place)] != 0 && table[Int(place)] != value { place = (place + 1) & mask }
        return Int(place)
    }
}

/// 64-bit FNV-1a (Fowler, Noll and Vo), folded to 32 bits, over the plain letters of a word given as UTF-8.
private struct WordHash {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    private var letters = 0
    private var isWord = true
    /// The lead byte of a two-byte letter that is under way.
    private var lead: UInt8?

    /// Nil when the bytes were not letters alone, or none.
    var value: UInt32? {
        isWord && lead == nil && letters > 0 ? max(UInt32(truncatingIfNeeded: hash ^ hash >> 32), 1) : nil
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
        hash = (hash ^ UInt64(letter)) &* 0x100_0000_01B3
        letters += 1
    }
}
