/// A record with what tells it from others, made while all cores parse.
struct ListedBook: Sendable {
    var book: BookRecord
    /// A hash of main title and surname.
    var titleHash: UInt64

    init(_ book: BookRecord) {
        self.book = book
        titleHash = Self.titleHash(book)
    }

    /// FNV-1a of 64 bits: Swift's own hash differs from run to run, and order must not.
    static func titleHash(_ book: BookRecord, seed: UInt64 = 0) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        withUnsafeBytes(of: seed.littleEndian) { bytes in
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }
        for byte in (BookIdentity(book).titleKey ?? book.title).utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return hash
    }
}
