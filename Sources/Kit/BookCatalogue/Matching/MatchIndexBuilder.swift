import Foundation
import GRDB

/// Makes the tables in which ``CatalogueMatcher`` finds books, numbered from 0 in their order.
struct MatchIndexBuilder: Sendable {
    private let books: [BookRecord]
    private var postings = [[UInt8]](repeating: [], count: Gram.count)
    private var bookCounts = [Int](repeating: 0, count: Gram.count)
    private var wordCounts: [UInt64: Int] = [:]
    private var nameCounts: [UInt64: Int] = [:]

    init(_ books: [BookRecord]) {
        self.books = books
        var lastBooks = [UInt32](repeating: 0, count: Gram.count)
        for (number, book) in zip(UInt32(1)..., books) {
            var shape: [UInt8] = []
            var (hashes, names) = (Set<UInt64>(), Set<UInt64>())
            for word in IndexedBook.words(of: book) {
                if !shape.isEmpty { shape.append(UInt8(ascii: " ")) }
                let start = shape.count
                OpticalShape.append(word.letters, to: &shape)
                let hash = WordSketch.hash(shape[start...])
                hashes.insert(hash)
                if word.field.author != nil { names.insert(hash) }
            }
            for hash in hashes { wordCounts[hash, default: 0] += 1 }
            for hash in names { nameCounts[hash, default: 0] += 1 }
            Gram.forEach(in: shape) { gram in
                guard lastBooks[gram] != number else { return }
                VariableLength.append(UInt64(number - lastBooks[gram]), to: &postings[gram])
                lastBooks[gram] = number
                bookCounts[gram] += 1
            }
        }
    }

    /// Writes the tables, which must not be there yet.
    ///
    /// - Throws: GRDB's error when the database refuses.
    func write(to db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE matchGram (gram INTEGER PRIMARY KEY, books INTEGER NOT NULL, postings BLOB NOT NULL);
                CREATE TABLE matchBook (number INTEGER PRIMARY KEY, popularity INTEGER NOT NULL, words BLOB NOT NULL,
                    fields BLOB NOT NULL, levels BLOB NOT NULL);
                CREATE TABLE matchPart (name TEXT PRIMARY KEY, data BLOB NOT NULL);
                """
        )
        let gramInsertion = try db.makeStatement(sql: "INSERT INTO matchGram VALUES (?, ?, ?)")
        for (gram, bytes) in postings.enumerated() where !bytes.isEmpty {
            try gramInsertion.execute(arguments: [gram, bookCounts[gram], Data(bytes)])
        }
        let bookInsertion = try db.makeStatement(sql: "INSERT INTO matchBook VALUES (?, ?, ?, ?, ?)")
        for (number, (book, rank)) in zip(books, popularityRanks()).enumerated() {
            let words = IndexedBook.words(of: book)
            let levels = words.map { word in
                let count = wordCounts[WordSketch.hash(OpticalShape.of(word.letters))] ?? 0
                return IndexedBook.level(WordWeight.bits(books: Double(count), of: books.count))
            }
            try bookInsertion.execute(arguments: [
                number, rank, Data(words.map(\.letters).joined(separator: [UInt8(ascii: " ")])),
                Data(words.map(\.field.rawValue)), Data(levels),
            ])
        }
        for (name, data) in [
            ("gramWeights", gramWeights()), ("words", WordSketch(wordCounts).levels),
            ("names", WordSketch(nameCounts).levels),
        ] {
            try db.execute(sql: "INSERT INTO matchPart VALUES (?, ?)", arguments: [name, Data(data)])
        }
    }

    /// Returns the rank of every book among the popularities: 255 the most popular, 1 the least, 0 unknown.
    private func popularityRanks() -> [Int] {
        let known = books.indices.filter { books[$0].popularity != nil }
            .sorted { (books[$0].popularity ?? 0, $0) < (books[$1].popularity ?? 0, $1) }
        var ranks = [Int](repeating: 0, count: books.count)
        for (rank, number) in known.enumerated() { ranks[number] = 1 + rank * 255 / known.count }
        return ranks
    }

    /// Returns the sum of the grams' bits of every book, as a byte.
    private func gramWeights() -> [UInt8] {
        var sums = [Float](repeating: 0, count: books.count)
        for (gram, bytes) in postings.enumerated() where !bytes.isEmpty {
            let bits = Float(GramWeight.bits(books: bookCounts[gram], of: books.count))
            bytes.withUnsafeBytes { bytes in
                var (index, number) = (0, UInt64(0))
                while let gap = VariableLength.read(bytes, at: &index) {
                    number += gap
                    sums[Int(number) - 1] += bits
                }
            }
        }
        return sums.map(GramWeight.level)
    }
}
