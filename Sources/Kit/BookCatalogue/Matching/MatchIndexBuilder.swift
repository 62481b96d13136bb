import Foundation
package import GRDB

/// Makes the tables in which ``CatalogueMatcher`` finds books.
///
/// It keeps them in memory until they are written: about 100 bytes a book.
package struct MatchIndexBuilder: Sendable {
    private var postings: [[UInt8]]
    private var bookCounts: [UInt32]
    private var lastBooks: [UInt32]
    private var wordCounts = WordCounts()
    private var nameCounts = WordCounts()
    private var blocks: [[UInt8]] = []
    private var popularities: [Double?] = []

    package init() {
        postings = Array(repeating: [], count: Gram.count)
        bookCounts = Array(repeating: 0, count: Gram.count)
        lastBooks = Array(repeating: 0, count: Gram.count)
    }

    package mutating func add(_ book: BookRecord) {
        let words = IndexedBook.words(of: book)
        if popularities.count.isMultiple(of: IndexedBook.booksPerBlock) { blocks.append([]) }
        popularities.append(book.popularity)
        IndexedBook.append(id: book.id, words: words, to: &blocks[blocks.count - 1])
        let number = UInt32(popularities.count)
        var shape: [UInt8] = []
        var hashes: [UInt64] = []
        var names: [UInt64] = []
        for word in words {
            if !shape.isEmpty { shape.append(UInt8(ascii: " ")) }
            let start = shape.count
            OpticalShape.append(word.letters, to: &shape)
            let hash = WordCounts.hash(shape[start...])
            if !hashes.contains(hash) { hashes.append(hash) }
            if case .author = word.field, !names.contains(hash) { names.append(hash) }
        }
        for hash in hashes { wordCounts.add(hash) }
        for hash in names { nameCounts.add(hash) }
        Gram.forEach(in: shape) { gram in
            let last = lastBooks[gram]
            guard last != number else { return }
            VariableLength.append(UInt64(number - last), to: &postings[gram])
            lastBooks[gram] = number
            bookCounts[gram] += 1
        }
    }

    /// Writes the tables, which must not be there yet.
    ///
    /// - Throws: GRDB's error when the database refuses.
    package func write(to db: Database) throws {
        try MatchTables.create(in: db)
        let statement = try db.makeStatement(sql: MatchTables.insertGram)
        for (gram, bytes) in postings.enumerated() where !bytes.isEmpty {
            try statement.execute(arguments: [gram, Int(bookCounts[gram]), Data(bytes)])
        }
        try writeBlocks(to: db)
        try MatchTables.write(.books, Data(String(popularities.count).utf8), to: db)
        try MatchTables.write(.gramWeights, gramWeights(), to: db)
        try MatchTables.write(.words, WordSketch(wordCounts).data, to: db)
        try MatchTables.write(.names, WordSketch(nameCounts).data, to: db)
    }

    private func writeBlocks(to db: Database) throws {
        let ranks = popularityRanks()
        let statement = try db.makeStatement(sql: MatchTables.insertBlock)
        var shape: [UInt8] = []
        for (id, var block) in blocks.enumerated() {
            let first = id * IndexedBook.booksPerBlock
            IndexedBook.complete(&block, popularities: ranks[first...]) { letters in
                shape.removeAll(keepingCapacity: true)
                OpticalShape.append(letters, to: &shape)
                let books = Double(wordCounts[WordCounts.hash(shape)])
                return WordWeight.bits(books: books, of: popularities.count)
            }
            try statement.execute(arguments: [id, Data(block)])
        }
    }

    /// Returns the rank of every book among the popularities: 255 the most popular, 1 the least, 0 unknown.
    private func popularityRanks() -> [UInt8] {
        let known = popularities.enumerated()
            .compactMap { number, popularity in popularity.map { (number: number, popularity: $0) } }
            .sorted { $0.popularity < $1.popularity }
        var ranks = [UInt8](repeating: 0, count: popularities.count)
        for (rank, book) in known.enumerated() { ranks[book.number] = UInt8(1 + rank * 255 / known.count) }
        return ranks
    }

    /// Returns the sum of the grams' bits of every book, as a byte.
    private func gramWeights() -> Data {
        var sums = [Float](repeating: 0, count: popularities.count)
        for (gram, bytes) in postings.enumerated() where !bytes.isEmpty {
            let bits = Float(GramWeight.bits(books: Int(bookCounts[gram]), of: popularities.count))
            bytes.withUnsafeBytes { bytes in
                var index = 0
                var number: UInt64 = 0
                while let gap = VariableLength.read(bytes, at: &index) {
                    number += gap
                    sums[Int(number) - 1] += bits
                }
            }
        }
        return Data(sums.map(GramWeight.level))
    }
}

/// Names of the matcher's index tables in a catalogue.
enum MatchTables {
    /// Part that is kept whole.
    enum Part: String {
        /// Number of books in the index, as decimal digits.
        case books
        /// A byte a book: ``GramWeight``.
        case gramWeights
        case words
        case names
    }

    static func create(in db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE matchGram (gram INTEGER PRIMARY KEY, books INTEGER NOT NULL, postings BLOB NOT NULL);
                CREATE TABLE matchBlock (id INTEGER PRIMARY KEY, books BLOB NOT NULL);
                CREATE TABLE matchPart (name TEXT PRIMARY KEY, data BLOB NOT NULL);
                """
        )
    }

    static let insertGram = "INSERT INTO matchGram (gram, books, postings) VALUES (?, ?, ?)"
    static let insertBlock = "INSERT INTO matchBlock (id, books) VALUES (?, ?)"
    static let selectCounts = "SELECT gram, books FROM matchGram"
    static let selectPostings = "SELECT postings FROM matchGram WHERE gram = ?"
    static let selectBlock = "SELECT books FROM matchBlock WHERE id = ?"

    static func write(_ part: Part, _ data: Data, to db: Database) throws {
        try db.execute(sql: "INSERT INTO matchPart (name, data) VALUES (?, ?)", arguments: [part.rawValue, data])
    }

    static func read(_ part: Part, from db: Database) throws -> Data? {
        try Data.fetchOne(db, sql: "SELECT data FROM matchPart WHERE name = ?", arguments: [part.rawValue])
    }
}
