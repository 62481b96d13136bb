/// Vectors of one space with their weights, and the nearest of them to a vector.
///
/// A value: a copy is independent, and shares its memory until one of both changes. Every vector is compared, which
/// for 100,000 of 384 values takes some ten milliseconds; their values are contiguous.
package struct CaptureIndex<ID: Hashable & Sendable>: Sendable {
    package struct Match: Sendable, Equatable {
        package var id: ID
        /// Cosine with the query, -1 to 1.
        package var cosine: Float
        /// Weight, above 0.
        package var weight: Float
        /// Score for ranking: the cosine times the weight, times ``ConceptWeight/boost`` for a boosted one, and all of
        /// ``raised``.
        package var score: Float
        /// Effects of concepts, the largest first.
        package var raised: [CaptureRanking.Raise] = []
        /// Whether the weight is above ``ConceptWeight/boostedAbove``.
        var isBoosted: Bool { ConceptWeight.isBoosted(Double(weight)) }

        /// Creates a match by its cosine and weight.
        ///
        /// A cosine below 0 is not increased by a boost: distant items are not moved further.
        package init(id: ID, cosine: Float, weight: Float = 1) {
            (self.id, self.cosine, self.weight) = (id, cosine, weight)
            let boost = ConceptWeight.isBoosted(Double(weight)) && cosine > 0 ? Float(ConceptWeight.boost) : 1
            score = cosine * weight * boost
        }
    }

    /// Values of a vector.
    package let dimensions: Int
    package var count: Int { entries.count }

    private var entries: [(id: ID, weight: Float)] = []
    /// `count` rows of `dimensions`, each of length 1 or 0.
    private var values: [Float] = []
    private var rows: [ID: Int] = [:]

    /// Creates an empty index.
    ///
    /// - Precondition: A vector has a value or more.
    package init(dimensions: Int = MiniLM.dimensions) {
        precondition(dimensions > 0, "a vector has values")
        self.dimensions = dimensions
    }

    /// Puts a vector in; one that is here of the same id is replaced.
    package mutating func update(_ id: ID, vector: [Float], weight: Double = 1) throws(CaptureSpaceError) {
        guard vector.count == dimensions else { throw .dimensionsDiffer(expected: dimensions, found: vector.count) }
        guard weight > 0, Float(weight).isFinite, vector.allSatisfy(\.isFinite) else { throw .notFinite }
        let unit = VectorMath.normalized(vector)
        // Values whose squares are beyond a float have no length.
        guard unit.allSatisfy(\.isFinite) else { throw .notFinite }
        if let row = rows[id] {
            entries[row].weight = Float(weight)
            values.replaceSubrange(row * dimensions..<(row + 1) * dimensions, with: unit)
        } else {
            rows[id] = entries.count
            entries.append((id, Float(weight)))
            values.append(contentsOf: unit)
        }
    }

    /// Returns the vector of an id, of length 1 or 0; nil when there is none.
    package func vector(of id: ID) -> [Float]? {
        rows[id].map { Array(values[$0 * dimensions..<($0 + 1) * dimensions]) }
    }

    /// Returns the nearest by cosine times weight, boosted above 1.2.
    ///
    /// - Returns: The `count` of the highest score, the highest first, of equals the first one here; fewer where there
    ///   are fewer.
    package func nearest(
        to vector: [Float],
        count: Int = .max,
        where isWanted: (ID, _ cosine: Float) -> Bool = { _, _ in true }
    ) throws(CaptureSpaceError) -> [Match] {
        guard vector.count == dimensions else { throw .dimensionsDiffer(expected: dimensions, found: vector.count) }
        let unit = VectorMath.normalized(vector)
        guard unit.allSatisfy(\.isFinite) else { throw .notFinite }
        let cosines = VectorMath.dots(of: values, with: unit)
        let matches = zip(entries, cosines).compactMap { entry, cosine in
            isWanted(entry.id, cosine)
                ? Match(id: entry.id, cosine: max(-1, min(1, cosine)), weight: entry.weight) : nil
        }
        // Sorting is stable.
        return Array(matches.sorted { $0.score > $1.score }.prefix(max(0, count)))
    }
}
