import Foundation

extension IndexedBook {
    /// Books that are stored as one row.
    static let booksPerBlock = 16
    private static let levelsPerBit = 8.0

    /// Appends a book as it is stored, but for what is known only when all books are there.
    static func append(id: Int64, words: [(field: Field, letters: ArraySlice<UInt8>)], to bytes: inout [UInt8]) {
        VariableLength.append(UInt64(bitPattern: id), to: &bytes)
        bytes.append(0)
        bytes.append(UInt8(words.count))
        for word in words {
            bytes.append(word.field.code)
            bytes.append(0)
            bytes.append(UInt8(word.letters.count))
            bytes.append(contentsOf: word.letters)
        }
    }

    /// Puts in what was left out: the books' popularities and how many bits each word has.
    static func complete(
        _ block: inout [UInt8],
        popularities: ArraySlice<UInt8>,
        bits: (ArraySlice<UInt8>) -> Double
    ) {
        var index = 0
        for popularity in popularities {
            while index < block.count, block[index] >= 0x80 { index += 1 }
            guard index + 2 < block.count else { return }
            block[index + 1] = popularity
            let words = Int(block[index + 2])
            index += 3
            for _ in 0..<words {
                let end = index + 3 + Int(block[index + 2])
                let level = (bits(block[(index + 3)..<end]) * levelsPerBit).rounded()
                block[index + 1] = UInt8(max(1, min(255, level)))
                index = end
            }
        }
    }

    /// The book with that number in a block; nil when the block is damaged.
    init?(number: Int, in block: Data) {
        let bytes = [UInt8](block)
        var index = 0
        for skipped in 0...number {
            guard let book = Self(bytes, at: &index, wanted: skipped == number) else { return nil }
            if skipped == number {
                self = book
                return
            }
        }
        return nil
    }

    /// The book at `index`, which moves behind it; without its words unless it is wanted.
    private init?(_ bytes: [UInt8], at index: inout Int, wanted: Bool) {
        guard let id = bytes.withUnsafeBytes({ VariableLength.read($0, at: &index) }), index + 2 <= bytes.count else {
            return nil
        }
        self.id = Int64(bitPattern: id)
        popularity = Double(bytes[index]) / 255
        words = []
        let count = Int(bytes[index + 1])
        index += 2
        if wanted { words.reserveCapacity(count) }
        for _ in 0..<count {
            guard index + 3 <= bytes.count else { return nil }
            let start = index + 3
            let end = start + Int(bytes[index + 2])
            guard end <= bytes.count else { return nil }
            if wanted {
                words.append(
                    Word(
                        field: Field(code: bytes[index]),
                        bits: Double(bytes[index + 1]) / Self.levelsPerBit,
                        letters: bytes[start..<end]
                    )
                )
            }
            index = end
        }
    }
}
