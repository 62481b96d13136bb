/// The fixed quarter of labelled books that a catalogue is made to lack.
///
/// A run over a catalogue with every labelled book would say nothing of spines whose book is in no catalogue. Which books
/// are held out depends on title and author alone: not on the dataset, its order or the list.
package enum HeldOutBooks {
    /// Whether a book is one of them.
    ///
    /// The 64-bit FNV-1a hash of the UTF-8 of `TITLE|SURNAME` has a remainder below 25 when it is divided by 100. TITLE is
    /// the main title and SURNAME the first author's, both in small letters without accents and punctuation, the title
    /// without its leading article; SURNAME is empty where no author is named.
    ///
    /// - Parameter book: with title and author as printed.
    /// - Returns: whether it is held out.
    package static func contains(_ book: BookRecord) -> Bool {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in (BookIdentity(book).titleKey ?? book.title).utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return hash % 100 < 25
    }
}
