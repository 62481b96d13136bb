package import CaptureSpace
package import Foundation
import SpineReaders

/// User's own space: vectors of captures, concepts, and a search for words and for similar texts.
///
/// Vectors and concepts are saved in the store; a copy is kept here for search, and updated when the store has
/// changed. Words are found in the store, from the moment a capture is saved.
package actor CaptureMemory {
    package struct Hit: Sendable, Codable, Equatable {
        /// How an item was found: it has the query's words, has them but for the end of the last one, or is near to it.
        package enum Match: String, Sendable, Codable { case words, beginning, meaning }

        package var item: UUID
        package var session: UUID
        package var title: String
        package var match: Match
        /// Cosine of its text and the question, -1 to 1; 0 for an item without a vector yet.
        package var cosine: Float
        /// Score by which hits of one kind of match are ordered: the cosine and all that raised it.
        package var score: Float
        /// Concepts that raised it, the largest effect first.
        package var raised: [CaptureRanking.Raise]
    }

    private let store: CaptureStore
    /// Nil without the model: then captures are found by their words.
    private let ranking: CaptureRanking?
    /// Why there is no model, and what to do; nil where there is one.
    package nonisolated let problem: String?
    private var items = CaptureIndex<UUID>()
    private var concepts = CaptureIndex<String>()
    private var conceptVectors: [String: [Float]] = [:]
    private lazy var classifier = try? IntentClassifier()
    private var revision = -1
    /// The last vector of the store that is here.
    private var sequence = 0
    /// The place of the last item that is known to have a vector, as all before it.
    private var place = 0

    /// Creates the memory of a store; without the model, captures are found by their words alone.
    package init(over store: CaptureStore) {
        do {
            self.init(store, ranking: CaptureRanking(embedder: try MiniLM(folder: Installation.modelDirectory)))
        } catch {
            self.init(store, ranking: nil, problem: "\(error)")
        }
    }

    package init(_ store: CaptureStore, ranking: CaptureRanking?, problem: String? = nil) {
        (self.store, self.ranking, self.problem) = (store, ranking, problem)
    }

    /// Keeps an item's vector, and the concepts that it adds.
    func remember(_ item: CapturedItem) throws {
        try keepVectors(of: [item])
        try store.keep(automatic: ConceptWeight.automatic(from: item), of: item.id)
    }

    /// Gives items that have none yet their vectors of this space, `most` in one go: until then, they are found by
    /// words alone.
    ///
    /// - Returns: how many have none yet.
    package func prepare(most: Int = 100) throws -> Int {
        guard ranking != nil else { return 0 }
        let (found, last, more) = try store.itemsWithoutVector(of: MiniLM.name, after: place, limit: most)
        if !found.isEmpty { try keepVectors(of: found) }
        place = last
        return more
    }

    /// Returns the items with all words of a query, then those in which the last one only begins so, then those near
    /// to it by meaning, each the nearest first.
    ///
    /// Near are those above ``MiniLM/leastCosine``; for a query without a known word, they are nearer still or
    /// have one of its words. Of items that were found in one another, the first counts.
    package func find(_ query: String, count: Int = 10, archived: Bool = false) throws -> [Hit] {
        try refresh()
        let whole = try Set(store.items(with: query, beginnings: false))
        let newest = try store.items(with: query, beginnings: true)
        let begun = whole.union(newest)
        var ranked: [CaptureIndex<UUID>.Match] = []
        if let ranking {
            let least = ranking.embedder.leastCosine(of: query)
            let some = try least > MiniLM.leastCosine ? store.items(with: query, all: false, beginnings: true) : []
            ranked = try ranking.rank(query, items: items, concepts: concepts, count: .max) {
                [some = Set(some)] id, cosine in
                begun.contains(id) || cosine > least || cosine > MiniLM.leastCosine && some.contains(id)
            }
        }
        // What was just captured has no vector yet.
        ranked += newest.filter { items.vector(of: $0) == nil }.map { CaptureIndex.Match(id: $0, cosine: 0) }
        let steps: [(Hit.Match, [CaptureIndex<UUID>.Match])] = [
            (.words, ranked.filter { whole.contains($0.id) }),
            (.beginning, ranked.filter { begun.contains($0.id) && !whole.contains($0.id) }),
            (.meaning, ranked.filter { !begun.contains($0.id) }),
        ]
        var (families, hits): (Set<UUID>, [Hit]) = ([], [])
        for (match, found) in steps {
            for one in found {
                guard hits.count < count else { return hits }
                // It may be deleted since.
                guard let item = try store.item(one.id), archived || item.state != .archived,
                    families.insert(item.parentID ?? item.id).inserted
                else { continue }
                hits.append(
                    Hit(
                        item: item.id,
                        session: item.sessionID,
                        title: item.title,
                        match: match,
                        cosine: one.cosine,
                        score: one.score,
                        raised: one.raised
                    )
                )
            }
        }
        return hits
    }

    /// Returns the intent of a text by its meaning; nil for none, and without the model.
    func intent(of text: String, isPhotographed: Bool) -> Intent? {
        guard text.known != nil, let embedder = ranking?.embedder else { return nil }
        return classifier?.intent(of: embedder.embed(text), isPhotographed: isPhotographed)
    }

    /// Returns the names, of some concepts', of those that an item is near to by meaning.
    func concepts(near item: CapturedItem, of names: Set<String>) throws -> Set<String> {
        guard let embedder = ranking?.embedder, !names.isEmpty else { return [] }
        let vector = embedder.embed(item.searchText)
        let near = try store.concepts().filter { concept in
            names.contains(concept.name) && concept.weight > 0
                && VectorMath.dot(self.vector(of: concept, embedder), vector) >= MiniLM.leastAlike
        }
        return Set(near.map(\.name))
    }

    private func vector(of concept: UserConcept, _ embedder: MiniLM) -> [Float] {
        let text = concept.embeddedText
        let vector = conceptVectors[text] ?? embedder.embed(text)
        conceptVectors[text] = vector
        return vector
    }

    private func keepVectors(of items: [CapturedItem]) throws {
        guard let embedder = ranking?.embedder else { return }
        try store.keep(vectors: items.map { ($0.id, embedder.embed($0.searchText)) }, space: MiniLM.name)
    }

    private func refresh() throws {
        let now = try store.revision()
        guard let ranking, now != revision else { return }
        for (number, id, values) in try store.vectors(of: MiniLM.name, after: sequence) {
            sequence = number
            // A damaged one is made again when its item is processed.
            try? items.update(id, vector: values)
        }
        var concepts = CaptureIndex<String>()
        for concept in try store.concepts() where concept.weight > 0 {
            let vector = vector(of: concept, ranking.embedder)
            let share = concept.isAutomatic == true ? ConceptWeight.automatic : 1
            let weight = concept.weight > 1 ? 1 + (concept.weight - 1) * share : concept.weight
            try concepts.update(concept.name, vector: vector, weight: weight)
        }
        self.concepts = concepts
        revision = now
    }
}
