/// Vectors of one space with their weights, and the nearest of them to a vector.
///
/// A value: a copy is independent, and shares its memory until one of both changes. Every vector is compared, which
/// for 100,000 of 384 values takes some ten milliseconds; their values are contiguous.
public struct ContextIndex<ID: Hashable & Sendable>: Sendable {
    /// Similar entry.
    public struct Match: Sendable, Equatable {
        /// Identifier of the vector.
        public var id: ID
        /// Cosine with the query, -1 to 1.
        public var cosine: Float
        /// Weight, above 0.
        public var weight: Float
        /// Score for ranking: the cosine times the weight, times ``ConceptWeight/boost`` for a boosted one.
        public var score: Float
        /// Whether the weight is above ``ConceptWeight/boostedAbove``.
        public var isBoosted: Bool { ConceptWeight.isBoosted(Double(weight)) }

        /// Creates a match by its cosine and weight.
        ///
        /// A cosine below 0 is not increased by a boost: distant items are not moved further.
        public init(id: ID, cosine: Float, weight: Float) {
            (self.id, self.cosine, self.weight) = (id, cosine, weight)
            let boost = ConceptWeight.isBoosted(Double(weight)) && cosine > 0 ? Float(ConceptWeight.boost) : 1
            score = cosine * weight * boost
        }
    }

    /// Name of the space of all vectors: ``TextEmbedder/name``.
    public let space: String
    /// Values of a vector.
    public let dimensions: Int
    /// How many are here.
    public var count: Int { entries.count }

    private struct Entry: Sendable {
        var id: ID
        var weight: Float
        /// Sequence number of the addition: of equals the first is named first.
        var sequence: Int
    }

    private var entries: [Entry] = []
    /// `count` rows of `dimensions`, each of length 1 or 0.
    private var values: [Float] = []
    private var rows: [ID: Int] = [:]
    private var added = 0

    /// Creates an empty index.
    ///
    /// - Precondition: A vector has a value or more.
    public init(space: String, dimensions: Int) {
        precondition(dimensions > 0, "a vector has values")
        self.space = space
        self.dimensions = dimensions
    }

    /// Puts a vector in; one that is here of the same id is replaced.
    ///
    /// - Parameters:
    ///   - id: Whose vector.
    ///   - vector: Values of the index's space; their length does not count.
    ///   - weight: Above 0; 1 for one like any other.
    /// - Throws: ``ContextSpaceError``: `dimensionsDiffer`, or `notFinite` for values or a weight that are none; the
    ///   index is then as it was.
    public mutating func update(_ id: ID, vector: [Float], weight: Double = 1) throws(ContextSpaceError) {
        guard vector.count == dimensions else {
            throw .dimensionsDiffer(expected: dimensions, found: vector.count)
        }
        guard weight > 0, Float(weight).isFinite, vector.allSatisfy(\.isFinite) else { throw .notFinite }
        let unit = VectorMath.normalized(vector)
        // Values whose squares are beyond a float have no length.
        guard unit.allSatisfy(\.isFinite) else { throw .notFinite }
        if let row = rows[id] {
            entries[row].weight = Float(weight)
            values.replaceSubrange(row * dimensions..<(row + 1) * dimensions, with: unit)
        } else {
            rows[id] = entries.count
            entries.append(Entry(id: id, weight: Float(weight), sequence: added))
            values.append(contentsOf: unit)
            added += 1
        }
    }

    /// Puts a stored vector in, as ``update(_:vector:weight:)``.
    ///
    /// - Throws: ``ContextSpaceError``; `spacesDiffer` for one of another space.
    public mutating func update(_ id: ID, stored: StoredVector, weight: Double = 1) throws(ContextSpaceError) {
        guard stored.space == space else { throw .spacesDiffer(expected: space, found: stored.space) }
        try update(id, vector: stored.values, weight: weight)
    }

    /// Takes a vector out.
    ///
    /// - Returns: false when there is none of this id.
    @discardableResult
    public mutating func remove(_ id: ID) -> Bool {
        guard let row = rows.removeValue(forKey: id) else { return false }
        let last = entries.count - 1
        if row != last {
            entries[row] = entries[last]
            rows[entries[row].id] = row
            for index in 0..<dimensions { values[row * dimensions + index] = values[last * dimensions + index] }
        }
        entries.removeLast()
        values.removeLast(dimensions)
        return true
    }

    /// Returns the vector of an id, of length 1 or 0; nil when there is none.
    public func vector(of id: ID) -> [Float]? {
        rows[id].map { Array(values[$0 * dimensions..<($0 + 1) * dimensions]) }
    }

    /// Returns the nearest by cosine times weight, boosted above 1.2.
    ///
    /// - Parameters:
    ///   - vector: Values of the index's space; their length does not count.
    ///   - count: How many at most, 0 or more.
    ///   - admitted: Ids that may be named; nil admits all.
    /// - Returns: The `count` of the highest score, the highest first, of equals the one that was added first; fewer
    ///   where there are fewer.
    /// - Throws: ``ContextSpaceError``: `dimensionsDiffer`, or `notFinite`.
    public func nearest(
        to vector: [Float],
        count: Int,
        among admitted: Set<ID>? = nil
    ) throws(ContextSpaceError) -> [Match] {
        guard vector.count == dimensions else {
            throw .dimensionsDiffer(expected: dimensions, found: vector.count)
        }
        let unit = VectorMath.normalized(vector)
        guard unit.allSatisfy(\.isFinite) else { throw .notFinite }
        guard count > 0 else { return [] }
        let cosines = dots(with: unit)
        var best = BestOf(count)
        for (row, entry) in entries.enumerated() {
            let cosine = max(-1, min(1, cosines[row]))
            let score = Match(id: entry.id, cosine: cosine, weight: entry.weight).score
            guard best.mayTake(score) else { continue }
            if let admitted, !admitted.contains(entry.id) { continue }
            best.offer(.init(score: score, sequence: entry.sequence, row: row))
        }
        return best.sorted().map { found in
            let entry = entries[found.row]
            return Match(id: entry.id, cosine: max(-1, min(1, cosines[found.row])), weight: entry.weight)
        }
    }

    private func dots(with unit: [Float]) -> [Float] { VectorMath.dots(of: values, with: unit) }
}

extension VectorMath {
    /// Returns the product of each row of `rows` with a vector.
    ///
    /// - Parameters:
    ///   - rows: Any number of rows of as many values as the vector has, one after the other.
    ///   - vector: One value or more.
    /// - Returns: A product for each row.
    static func dots(of rows: [Float], with vector: [Float]) -> [Float] {
        let size = vector.count
        return [Float](unsafeUninitializedCapacity: rows.count / size) { products, count in
            count = rows.count / size
            rows.withUnsafeBufferPointer { rows in
                vector.withUnsafeBufferPointer { vector in
                    for row in 0..<count {
                        let values = UnsafeBufferPointer(rebasing: rows[row * size..<(row + 1) * size])
                        products.initializeElement(at: row, to: dot(vector, values))
                    }
                }
            }
        }
    }
}

/// The highest few of many scores: a heap with the worst of them on top.
private struct BestOf {
    struct Candidate {
        var score: Float
        var sequence: Int
        var row: Int

        /// Returns whether another one is before this one.
        func isWorse(than other: Candidate) -> Bool {
            score != other.score ? score < other.score : sequence > other.sequence
        }
    }

    private let limit: Int
    private var heap: [Candidate] = []

    init(_ limit: Int) { self.limit = limit }

    /// Returns false for most, without further work.
    func mayTake(_ score: Float) -> Bool { heap.count < limit || score >= heap[0].score }

    mutating func offer(_ candidate: Candidate) {
        if heap.count < limit {
            heap.append(candidate)
            var child = heap.count - 1
            while child > 0, heap[child].isWorse(than: heap[(child - 1) / 2]) {
                heap.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
        } else if heap[0].isWorse(than: candidate) {
            heap[0] = candidate
            sink()
        }
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var worst = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].isWorse(than: heap[worst]) {
                worst = child
            }
            if worst == parent { return }
            heap.swapAt(parent, worst)
            parent = worst
        }
    }

    func sorted() -> [Candidate] { heap.sorted { $1.isWorse(than: $0) } }
}
