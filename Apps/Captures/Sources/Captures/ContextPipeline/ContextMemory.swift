package import ContextSpace
package import Foundation

/// User's own space: vectors of captures, concepts, and a search for similar texts.
///
/// Vectors and concepts are saved in the store; a copy is kept here for search, and updated when the store has
/// changed.
package actor ContextMemory {
    package struct Hit: Sendable, Codable, Equatable {
        package var item: UUID
        package var session: UUID
        package var title: String
        /// Cosine of its text and the question, -1 to 1.
        package var cosine: Float
        /// Score by which hits are ordered: the cosine and all that raised it.
        package var score: Float
        /// Concepts that raised it, the largest effect first.
        package var raised: [ContextRanking.Raise]
    }

    private let store: ContextStore
    private let ranking: ContextRanking
    private var items: ContextIndex<UUID>
    private var concepts: ContextIndex<String>
    private var conceptVectors: [String: [Float]] = [:]
    private let classifier: IntentClassifier?
    private var revision = -1
    /// The last vector of the store that is here.
    private var sequence = 0
    /// The place of the last item that is known to have a vector, as all before it.
    private var place = 0

    /// Name of the space: the model's, or that of hashed n-grams.
    public nonisolated var space: String { ranking.embedder.name }

    public init(_ store: ContextStore, ranking: ContextRanking) {
        (self.store, self.ranking) = (store, ranking)
        items = ContextIndex(space: ranking.embedder.name, dimensions: ranking.embedder.dimensions)
        concepts = items.ofNames
        classifier = try? IntentClassifier(ranking.embedder)
    }

    /// Keeps an item's vector, and the concepts that it adds.
    func remember(_ item: CapturedItem) throws {
        try keepVectors(of: [item])
        try store.keep(automatic: ConceptWeight.automatic(from: item), of: item.id)
    }

    /// Gives items that have none yet their vectors of this space, a hundred at most in one go.
    ///
    /// Finding calls it itself; a caller with many vectors can report progress meanwhile.
    ///
    /// - Returns: how many have none yet.
    package func prepare(most: Int = 100) throws -> Int {
        let rest = try store.itemsWithoutVector(of: space, after: place, limit: most)
        guard let last = rest.last else { return 0 }
        try keepVectors(of: rest.compactMap(\.item))
        place = last.place
        return rest.count < most ? 0 : try store.countWithoutVector(of: space, after: place)
    }

    /// Returns the items nearest to a text, of those that are nearer than ``ContextRanking/leastCosine``; for a text
    /// without a known word, they are nearer still or have one of its words.
    ///
    /// Items that have no vector of this space yet get one first, unless `isWhole` is false.
    ///
    /// - Returns: the nearest first; of items that were found in one another, the nearer.
    package func find(_ query: String, count: Int = 10, archived: Bool = false, isWhole: Bool = true) throws -> [Hit] {
        if isWhole { while try prepare() > 0 {} }
        try refresh()
        var looked = 3 * count
        let (least, words) = (ranking.embedder.leastCosine(of: query), WordStem.words(of: query))
        while true {
            var families: Set<UUID> = []
            var hits: [Hit] = []
            var gone: [UUID] = []
            let matches = try ranking.rank(query, items: items, concepts: concepts, count: looked)
            for match in matches where match.cosine > ranking.leastCosine {
                guard hits.count < count else { break }
                guard let item = try store.item(match.id) else {
                    gone.append(match.id)
                    continue
                }
                guard archived || item.state != .archived else { continue }
                guard match.cosine > least || !words.isDisjoint(with: WordStem.words(of: item.searchText)) else {
                    continue
                }
                guard families.insert(item.parentID ?? item.id).inserted else { continue }
                hits.append(
                    Hit(
                        item: item.id,
                        session: item.sessionID,
                        title: item.title,
                        cosine: match.cosine,
                        score: match.score,
                        raised: match.raised
                    )
                )
            }
            // Items that were deleted since, are archived, or belong to another one make room for others.
            let isLast = matches.count < looked || matches.last.map { $0.score <= ranking.leastCosine } ?? true
            let isAll = hits.count == count || isLast
            if gone.isEmpty && isAll { return hits }
            for id in gone { items.remove(id) }
            if !isAll { looked *= 4 }
        }
    }

    /// Returns the intent of a text by its meaning; nil for none, and in a space without a classifier.
    func intent(of text: String, isPhotographed: Bool) throws -> Intent? {
        text.known == nil ? nil : try classifier?.intent(of: text, isPhotographed: isPhotographed)
    }

    /// Returns the names of the concepts that an item is near to by meaning.
    func concepts(near item: CapturedItem) throws -> Set<String> {
        try refresh()
        let near = try concepts.nearest(to: ranking.embedder.embed(item.searchText), count: 20)
        return Set(near.filter { $0.cosine >= ranking.embedder.leastAlike }.map(\.id))
    }

    private func keepVectors(of items: [CapturedItem]) throws {
        let vectors = try items.map { item in
            (item.id, StoredVector(space: space, values: try ranking.embedder.embed(item.searchText)).bytes)
        }
        try store.keep(vectors: vectors, space: space)
    }

    private func refresh() throws {
        let now = try store.revision()
        guard now != revision else { return }
        var damaged: [CapturedItem] = []
        for (number, id, bytes) in try store.vectors(of: space, after: sequence) {
            sequence = number
            if let known = try? StoredVector(bytes: bytes), (try? items.update(id, stored: known)) != nil { continue }
            if let item = try store.item(id) { damaged.append(item) }
        }
        if !damaged.isEmpty {
            try keepVectors(of: damaged)
            for item in damaged { try items.update(item.id, vector: ranking.embedder.embed(item.searchText)) }
        }
        var concepts = self.items.ofNames
        for concept in try store.concepts() where concept.weight > 0 {
            let text = concept.embeddedText
            let vector = try conceptVectors[text] ?? ranking.embedder.embed(text)
            conceptVectors[text] = vector
            let share = concept.isAutomatic == true ? ConceptWeight.automatic : 1
            let weight = concept.weight > 1 ? 1 + (concept.weight - 1) * share : concept.weight
            try concepts.update(concept.name, vector: vector, weight: weight)
        }
        self.concepts = concepts
        // Replacements of damaged vectors may appear twice, which is harmless.
        revision = now
    }
}

extension ContextIndex {
    /// An empty index of names in the same space.
    fileprivate var ofNames: ContextIndex<String> { ContextIndex<String>(space: space, dimensions: dimensions) }
}
