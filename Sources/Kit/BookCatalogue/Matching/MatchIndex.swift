import Foundation
import GRDB

/// The part of the index in memory, 2 to 4 bytes a book, and the look-ups in the part on disk.
struct MatchIndex: Sendable {
    /// About how many of them have each word.
    let words: WordSketch
    /// About how many of them have it in an author's name.
    let names: WordSketch
    private let gramCounts: [UInt32]
    private let gramWeights: [UInt8]

    /// A book that shares grams with a text.
    struct Candidate {
        /// Counted from 0 in the order of adding.
        var number: Int
        var sharedBits: Float
        var bits: Float
    }

    /// Maximum number of postings that one look-up reads; the rarest grams' come first.
    static let postingBudget = 500_000
    /// Number of the rarest grams, which are always read.
    private static let gramsAlwaysRead = 6
    private static let unitsPerBit: Float = 16

    /// Loads it.
    ///
    /// - Throws: GRDB's error when the catalogue has no index or a damaged one.
    init(from db: Database) throws {
        func part(_ name: String) throws -> [UInt8] {
            let data = try Data.fetchOne(db, sql: "SELECT data FROM matchPart WHERE name = ?", arguments: [name])
            return Array(try data ?? { throw Self.damaged }())
        }
        gramWeights = try part("gramWeights")
        guard let words = WordSketch(levels: try part("words")), let names = WordSketch(levels: try part("names"))
        else {
            throw Self.damaged
        }
        (self.words, self.names) = (words, names)
        var counts = [UInt32](repeating: 0, count: Gram.count)
        let rows = try Row.fetchCursor(db, sql: "SELECT gram, books FROM matchGram")
        while let row = try rows.next() {
            let gram: Int = row[0]
            guard counts.indices.contains(gram) else { throw Self.damaged }
            counts[gram] = row[1]
        }
        gramCounts = counts
    }

    /// Number of books.
    var books: Int { gramWeights.count }

    private static let damaged = DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "the catalogue's match index is missing or damaged; build the catalogue again"
    )

    /// Bits that name one of its books.
    var sizeBits: Double { log2(Double(max(1, books))) }

    /// Returns the rarity of a word with that shape: log2 of all books over those that have it; nil when none has it.
    func bits(_ shape: some Collection<UInt8>) -> Double? {
        let count = words.count(WordSketch.hash(shape))
        return count == 0 ? nil : WordWeight.bits(books: count, of: books)
    }

    /// Returns the share of a word's use that is in authors' names, 0…1.
    func nameShare(_ shape: some Collection<UInt8>) -> Double {
        let hash = WordSketch.hash(shape)
        return min(1, names.count(hash) / max(1, words.count(hash)))
    }

    /// Returns whether three books or more have a word elsewhere than in an author's name, and one of 32,000: rarer
    /// ones may be others, as the counts are approximate.
    func isFrequentInTitles(_ shape: some Collection<UInt8>) -> Bool {
        let hash = WordSketch.hash(shape)
        return words.count(hash) - names.count(hash) >= max(3, Double(books) / 32_000)
    }

    /// Returns the books that share the most with a text, by several measures, in no order; and the bits of the
    /// text's grams.
    func candidates(for shape: [UInt8], in db: Database) throws -> (candidates: [Candidate], bits: Float) {
        var grams: [(gram: Int, books: Int)] = []
        var seen = Set<Int>()
        Gram.forEach(in: shape) { gram in
            if gramCounts[gram] > 0, seen.insert(gram).inserted { grams.append((gram, Int(gramCounts[gram]))) }
        }
        grams.sort { ($0.books, $0.gram) < ($1.books, $1.gram) }
        var shared = [UInt16](repeating: 0, count: books)
        var budget = Self.postingBudget
        var bits: Float = 0
        let statement = try db.cachedStatement(sql: "SELECT postings FROM matchGram WHERE gram = ?")
        for (rank, gram) in grams.enumerated() {
            try Task.checkCancellation()
            guard rank < Self.gramsAlwaysRead || gram.books <= budget else { break }
            budget -= gram.books
            let weight = Float(GramWeight.bits(books: gram.books, of: books))
            bits += weight
            let units = UInt16(weight * Self.unitsPerBit)
            guard let postings = try Data.fetchOne(statement, arguments: [gram.gram]) else { throw Self.damaged }
            try postings.withUnsafeBytes { try Self.add(units, to: &shared, postings: $0) }
        }
        return (best(shared), bits)
    }

    private static func add(_ units: UInt16, to shared: inout [UInt16], postings: UnsafeRawBufferPointer) throws {
        var (index, number) = (0, -1)
        while index < postings.count {
            guard let gap = VariableLength.read(postings, at: &index) else { throw damaged }
            number &+= Int(truncatingIfNeeded: gap)
            guard shared.indices.contains(number) else { throw damaged }
            let (sum, overflow) = shared[number].addingReportingOverflow(units)
            shared[number] = overflow ? .max : sum
        }
    }

    private func best(_ shared: [UInt16]) -> [Candidate] {
        var byCosine = TopList(count: 96)
        var byCoverage = TopList(count: 64)
        let sums = (0...255).map { GramWeight.sum(UInt8($0)) }
        for (number, (units, weight)) in zip(shared, gramWeights).enumerated() where units != 0 {
            let common = Float(units) / Self.unitsPerBit
            let sum = sums[Int(weight)]
            byCosine.add(number, common * common / (sum + 30))
            let coverage = common / sum
            byCoverage.add(number, common * coverage * coverage)
        }
        let numbers = Set(byCosine.numbers).union(byCoverage.numbers)
        return numbers.sorted().map { number in
            Candidate(
                number: number,
                sharedBits: Float(shared[number]) / Self.unitsPerBit,
                bits: sums[Int(gramWeights[number])]
            )
        }
    }

    /// Returns the words of a book.
    ///
    /// - Throws: GRDB's error when it cannot be read or is damaged.
    func book(_ number: Int, in db: Database) throws -> IndexedBook {
        let statement = try db.cachedStatement(sql: "SELECT * FROM matchBook WHERE number = ?")
        guard let book = try Row.fetchOne(statement, arguments: [number]).flatMap(IndexedBook.init) else {
            throw Self.damaged
        }
        return book
    }
}
