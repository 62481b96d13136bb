/// Ranking of items for a text, drawn towards the user's concepts.
///
/// A concept has an effect when it is boosted (weight above ``ConceptWeight/boostedAbove``) and related to the query:
/// its vector, times its weight and its cosine with the query, is added to the query's. For example, "java" has other
/// results for a user who roasts coffee than for a programmer.
///
/// Source: Rocchio, "Relevance feedback in information retrieval", in Salton (ed.), The SMART Retrieval System
/// (1971), with concepts in the place of documents that were found relevant; ``pull`` as in Manning, Raghavan and
/// Schütze, "Introduction to Information Retrieval" (2008), section 9.1.1.
public struct ContextRanking: Sendable {
    /// Embedder of texts.
    public let embedder: any TextEmbedder
    /// Share of the concepts in the query vector, the query itself being 1; 0 omits them.
    public var pull: Float
    /// Minimum cosine of a result.
    public var leastCosine: Float { embedder.leastCosine }
    /// Concepts that may draw, the nearest ones by cosine times weight: as many as the original pipeline names.
    public static let mostConcepts = 5

    /// Creates a ranking by an embedder's vectors.
    public init(embedder: any TextEmbedder, pull: Float = 0.75) {
        self.embedder = embedder
        self.pull = pull
    }

    /// Returns an index of texts.
    ///
    /// - Throws: The embedder's errors.
    public func index<ID>(_ texts: [(id: ID, text: String)]) throws -> ContextIndex<ID> {
        var index = ContextIndex<ID>(space: embedder.name, dimensions: embedder.dimensions)
        for (id, text) in texts { try index.update(id, vector: embedder.embed(text)) }
        return index
    }

    /// Returns an index of concepts by their names.
    ///
    /// - Throws: The embedder's errors; ``ContextSpaceError/notFinite`` for a weight that is not above 0.
    public func index(concepts: [UserConcept]) throws -> ContextIndex<String> {
        var index = ContextIndex<String>(space: embedder.name, dimensions: embedder.dimensions)
        for concept in concepts {
            try index.update(concept.name, vector: embedder.embed(concept.embeddedText), weight: concept.weight)
        }
        return index
    }

    /// Returns the items nearest to a text.
    ///
    /// - Parameters:
    ///   - query: The search text.
    ///   - items: Index of items.
    ///   - concepts: Index of the user's concepts; nil or an empty one leaves the question as it is.
    ///   - count: Items at most.
    /// - Returns: The nearest, the best first.
    /// - Throws: The embedder's errors; ``ContextSpaceError/spacesDiffer(expected:found:)`` for an index of another
    ///   embedder.
    public func rank<ID>(
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
    /// - Parameters:
    ///   - question: A vector of the embedder's space, of length 1.
    ///   - concepts: Index of the user's concepts.
    /// - Returns: The question plus ``pull`` times the mean of the concepts' vectors times their cosines, by weight;
    ///   itself where no concept draws.
    /// - Throws: ``ContextSpaceError`` for a vector of another size.
    public func drawn(
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

/// The rule that the original pipeline calls a vector search, as the baseline: items that hold the whole question.
public enum SubstringRule {
    /// Items that the original takes at most.
    public static let mostItems = 5

    /// Returns the newest items whose text contains the whole query, ignoring case.
    ///
    /// - Parameters:
    ///   - query: The search text, without space at its ends. No item contains an empty one.
    ///   - items: Ids and texts, the oldest first.
    ///   - count: Items at most.
    /// - Returns: Ids, the newest first.
    public static func rank<ID>(_ query: String, items: [(id: ID, text: String)], count: Int = mostItems) -> [ID] {
        let wanted = query.trimmingSpace.lowercased()
        guard !wanted.isEmpty else { return [] }
        return Array(items.reversed().lazy.filter { $0.text.lowercased().contains(wanted) }.prefix(count).map(\.id))
    }
}
