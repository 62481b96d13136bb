import Foundation

/// Ranking of items for a text, raised by the user's concepts.
///
/// A concept has an effect when it is boosted (weight above ``ConceptWeight/boostedAbove``) and related to the query (a
/// cosine of ``leastRelated``). It raises an item that is near to both: the item's cosine with the query grows by the
/// factor 1 + ``pull`` × ``ConceptWeight/gain(_:)`` of the weight × the item's cosine with the concept above
/// ``leastNear``. A heavier concept always adds more. For example, "java" has other results for a user who roasts
/// coffee than for a programmer.
///
/// The constants were chosen on `Datasets/context-retrieval`, and on notes about coffee, code and volcanoes of Java.
package struct CaptureRanking: Sendable {
    /// What raised an item's score.
    package struct Raise: Sendable, Codable, Equatable {
        package var concept: String
        /// Difference of the score.
        package var by: Float
    }

    package let embedder: MiniLM
    /// Factor of a concept of weight 10; 0 omits concepts.
    var pull: Float
    /// Cosine with the query from which a concept is related to it.
    static let leastRelated: Float = 0.22
    /// Cosine with a concept above which an item is near to it.
    static let leastNear: Float = 0.2
    /// Concepts that may draw, the nearest ones by cosine times weight: as many as the original pipeline names.
    static let mostConcepts = 5

    package init(embedder: MiniLM, pull: Float = 5) { (self.embedder, self.pull) = (embedder, pull) }

    /// Returns an index of texts.
    package func index<ID>(_ texts: [(id: ID, text: String)]) throws -> CaptureIndex<ID> {
        var index = CaptureIndex<ID>()
        for (id, text) in texts { try index.update(id, vector: embedder.embed(text)) }
        return index
    }

    /// Returns the items of the highest score for a text, the best first.
    package func rank<ID>(
        _ query: String,
        items: CaptureIndex<ID>,
        concepts: CaptureIndex<String>? = nil,
        count: Int = 10,
        where isWanted: (ID, _ cosine: Float) -> Bool = { _, _ in true }
    ) throws -> [CaptureIndex<ID>.Match] {
        let question = embedder.embed(query)
        let draws = try concepts.map { try related(to: question, of: $0) } ?? []
        var ranked = try items.nearest(to: question, where: isWanted)
        for place in ranked.indices where ranked[place].cosine > 0 && !draws.isEmpty {
            guard let vector = items.vector(of: ranked[place].id) else { continue }
            let raised = draws.map { draw in
                let near = max(0, VectorMath.dot(draw.vector, vector) - Self.leastNear)
                return Raise(concept: draw.name, by: ranked[place].cosine * draw.weight * near)
            }
            ranked[place].score += raised.reduce(0) { $0 + $1.by }
            ranked[place].raised = raised.filter { abs($0.by) >= 0.000_5 }.sorted { abs($0.by) > abs($1.by) }
        }
        // Sorting is stable: of equals, the one that was added first stays first.
        return Array(ranked.sorted { $0.score > $1.score }.prefix(count))
    }

    /// Returns the boosted concepts that are related to a question, with their factors as weights.
    private func related(
        to question: [Float],
        of concepts: CaptureIndex<String>
    ) throws(CaptureSpaceError) -> [(name: String, weight: Float, vector: [Float])] {
        guard pull > 0 else { return [] }
        return try concepts.nearest(to: question, count: Self.mostConcepts).compactMap { near in
            guard near.isBoosted, near.cosine >= Self.leastRelated, let vector = concepts.vector(of: near.id) else {
                return nil
            }
            return (near.id, pull * ConceptWeight.gain(near.weight), vector)
        }
    }
}

/// Weights of the user's concepts.
///
/// Source of the weights and of the limit: the pipeline that this one is built after
/// (voxels/VisualIntelligencePipelineDemo), which gives a product 3, a purpose 2 and all else 1, and names concepts
/// above 1.2 first.
package enum ConceptWeight {
    package enum Origin: String, Sendable, Codable, CaseIterable {
        case product, purpose, other

        package var weight: Double {
            switch self {
            case .product: 3
            case .purpose: 2
            case .other: 1
            }
        }
    }

    /// A concept of a weight above this is boosted; one of this very weight is not.
    static let boostedAbove = 1.2
    /// Factor of a concept of home for a capture at home.
    package static let home = 1.5
    /// Share of its weight above 1 with which an automatic concept counts in a search: of those, products alone are
    /// boosted.
    package static let automatic = 0.15
    /// Factor of a boosted concept's score, beside its weight.
    ///
    /// Our choice: a quarter is enough for a visible step between 1.2 and its neighbour, and less than the distance
    /// of the automatic weights.
    static let boost = 1.25

    /// Returns the effect of a boosted weight: its decimal logarithm, 1 for the largest weight of 10; 0 for others.
    static func gain(_ weight: Float) -> Float { isBoosted(Double(weight)) ? log10(weight) : 0 }

    /// Returns whether a weight is boosted.
    ///
    /// Compared as 32-bit numbers, as which an index keeps weights.
    package static func isBoosted(_ weight: Double) -> Bool { Float(weight) > Float(boostedAbove) }
}

/// Concept of the user's own: a word or phrase with a weight.
package struct UserConcept: Codable, Sendable, Equatable {
    /// Name, unique ignoring case.
    package var name: String
    /// Meaning in a sentence; "" for none.
    package var definition: String
    /// Weight, 1.0 for one like any other; above 1.2 it is boosted.
    package var weight: Double
    /// Whether it came from captures, and its owner has not saved it; nil where that is not known.
    package var isAutomatic: Bool?

    package init(name: String, definition: String = "", weight: Double = 1) {
        (self.name, self.definition, self.weight) = (name, definition, weight)
    }
}

extension UserConcept {
    /// Text to embed: the name, and the meaning if there is one.
    package var embeddedText: String { definition.allSatisfy(\.isWhitespace) ? name : "\(name): \(definition)" }
}
