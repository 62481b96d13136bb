/// Ranking of items for a text, drawn towards the user's concepts.
///
/// A concept has an effect when it is boosted (weight above ``ConceptWeight/boostedAbove``) and related to the query:
/// its vector, times its weight and its cosine with the query, is added to the query's. For example, "java" has other
/// results for a user who roasts coffee than for a programmer.
///
/// Source: Rocchio, "Relevance feedback in information retrieval", in Salton (ed.), The SMART Retrieval System
/// (1971), with concepts in the place of documents that were found relevant; ``pull`` as in Manning, Raghavan and
/// Schütze, "Introduction to Information Retrieval" (2008), section 9.1.1.
package struct ContextRanking: Sendable {
    package let embedder: any TextEmbedder
    /// Share of the concepts in the query vector, the query itself being 1; 0 omits them.
    var pull: Float
    var leastCosine: Float { embedder.leastCosine }
    /// Concepts that may draw, the nearest ones by cosine times weight: as many as the original pipeline names.
    static let mostConcepts = 5

    package init(embedder: any TextEmbedder, pull: Float = 0.75) { (self.embedder, self.pull) = (embedder, pull) }

    /// Returns an index of texts.
    package func index<ID>(_ texts: [(id: ID, text: String)]) throws -> ContextIndex<ID> {
        var index = ContextIndex<ID>(space: embedder.name, dimensions: embedder.dimensions)
        for (id, text) in texts { try index.update(id, vector: embedder.embed(text)) }
        return index
    }

    /// Returns an index of concepts by their names.
    package func index(concepts: [UserConcept]) throws -> ContextIndex<String> {
        var index = ContextIndex<String>(space: embedder.name, dimensions: embedder.dimensions)
        for concept in concepts {
            try index.update(concept.name, vector: embedder.embed(concept.embeddedText), weight: concept.weight)
        }
        return index
    }

    /// Returns the items nearest to a text.
    ///
    /// - Returns: The nearest, the best first.
    package func rank<ID>(
        _ query: String,
        items: ContextIndex<ID>,
        concepts: ContextIndex<String>? = nil,
        count: Int = 10
    ) throws -> [ContextIndex<ID>.Match] {
        for space in [items.space, concepts?.space ?? items.space] where space != embedder.name {
            throw ContextSpaceError.spacesDiffer(expected: embedder.name, found: space)
        }
        let question = try embedder.embed(query)
        guard let concepts else { return try items.nearest(to: question, count: count) }
        return try items.nearest(to: drawn(question, towards: concepts), count: count)
    }

    /// Returns a question's vector, drawn towards the boosted concepts that have to do with it.
    ///
    /// - Returns: The question plus ``pull`` times the mean of the concepts' vectors times their cosines, by weight;
    ///   itself where no concept draws.
    package func drawn(
        _ question: [Float],
        towards concepts: ContextIndex<String>
    ) throws(ContextSpaceError) -> [Float] {
        let near = try concepts.nearest(to: question, count: Self.mostConcepts)
            .filter { $0.isBoosted && $0.cosine > 0 }
        let weights = near.reduce(0) { $0 + $1.weight }
        guard weights > 0, pull > 0 else { return question }
        var drawn = question
        for concept in near {
            guard let vector = concepts.vector(of: concept.id) else { continue }
            let share = pull * concept.weight * concept.cosine / weights
            for index in drawn.indices { drawn[index] += share * vector[index] }
        }
        return drawn
    }
}

/// Weights of the user's concepts.
///
/// Source of the weights and of the limit: the pipeline that this one is built after
/// (voxels/VisualIntelligencePipelineDemo), which gives a product 3, a purpose 2 and all else 1, and names concepts
/// above 1.2 first.
enum ConceptWeight {
    enum Origin: String, Sendable, Codable, CaseIterable {
        case product, purpose, other

        var weight: Double {
            switch self {
            case .product: 3
            case .purpose: 2
            case .other: 1
            }
        }
    }

    /// A concept of a weight above this is boosted; one of this very weight is not.
    static let boostedAbove = 1.2
    /// Factor of a boosted concept's score, beside its weight.
    ///
    /// Our choice: a quarter is enough for a visible step between 1.2 and its neighbour, and less than the distance
    /// of the automatic weights.
    static let boost = 1.25

    /// Returns whether a weight is boosted.
    ///
    /// Compared as 32-bit numbers, as which an index keeps weights.
    static func isBoosted(_ weight: Double) -> Bool { Float(weight) > Float(boostedAbove) }

    /// Returns the concepts that an item adds to those that are known.
    ///
    /// A product's name, or the title of an item of that kind, is a product; purposes are purposes; tags and classes
    /// are other concepts. A name that two of them have counts by the heavier.
    ///
    /// - Returns: New concepts with their automatic weights, each name once, ignoring case; known names are omitted,
    ///   as their weight is the user's and is never raised.
    static func automatic(from item: CapturedItem, known: [UserConcept]) -> [UserConcept] {
        var named: [(name: String, origin: Origin)] = []
        // A product with a number alone is not a concept.
        let product = item.enrichment.title ?? item.title
        if item.kind == .product, !EnrichmentData.isWeak(title: product) { named.append((product, .product)) }
        named += item.purposes.map { ($0, .purpose) }
        named += (item.tags + item.enrichment.categories).map { ($0, .other) }
        return automatic(named, known: known)
    }

    /// Returns the concepts of some names that are not known yet, as ``automatic(from:known:)`` of an item.
    static func automatic(_ named: [(name: String, origin: Origin)], known: [UserConcept]) -> [UserConcept] {
        var seen = Set(known.map { $0.name.trimmingSpace.lowercased() })
        let heaviestFirst = Origin.allCases.flatMap { origin in named.filter { $0.origin == origin } }
        return heaviestFirst.compactMap { name, origin in
            guard let name = name.trimmingSpace.known, seen.insert(name.lowercased()).inserted else { return nil }
            return UserConcept(name: name, weight: origin.weight)
        }
    }
}

extension UserConcept {
    /// Text to embed: the name, and the meaning if there is one.
    var embeddedText: String { definition.known == nil ? name : "\(name): \(definition)" }
}
