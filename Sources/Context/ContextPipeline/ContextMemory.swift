import ContextModel
public import ContextSpace
public import ContextStore
public import Foundation

/// The user's own space: vectors of what was captured, concepts, and what is near to a text.
///
/// Vectors and concepts are kept in the store; here is a copy for search, to which what came since is added when the store has
/// changed.
public actor ContextMemory {
    /// Something that was found.
    public struct Hit: Sendable, Codable, Equatable {
        /// The item.
        public var item: UUID
        /// Its session.
        public var session: UUID
        /// Its name.
        public var title: String
        /// Cosine of its text and the question, the latter drawn towards concepts; -1 to 1.
        public var cosine: Float
    }

    private let store: ContextStore
    private let ranking: ContextRanking
    private var items: ContextIndex<UUID>
    private var concepts: ContextIndex<String>
    private var conceptVectors: [String: [Float]] = [:]
    private var revision = -1
    /// The last vector of the store that is here.
    private var sequence = 0
    /// The place of the last item that is known to have a vector, as all before it.
    private var place = 0

    /// Name of the space: the model's, or that of hashed n-grams.
    public nonisolated var space: String { ranking.embedder.name }

    /// A memory over a store.
    public init(_ store: ContextStore, ranking: ContextRanking) {
        (self.store, self.ranking) = (store, ranking)
        items = ContextIndex(space: ranking.embedder.name, dimensions: ranking.embedder.dimensions)
        concepts = items.ofNames
    }

    /// Keeps an item's vector, and the concepts that it adds.
    ///
    /// - Throws: `StoreError`, and what the embedder throws.
    func remember(_ item: CapturedItem) throws {
        try keepVectors(of: [item])
        for concept in ConceptWeight.automatic(from: item, known: try store.concepts()) { try store.keep(concept) }
    }

    /// The items nearest to a text.
    ///
    /// Items that have no vector of this space yet get one first.
    ///
    /// - Parameters:
    ///   - query: what is asked for.
    ///   - count: items at most.
    /// - Throws: `StoreError`, and what the embedder throws.
    /// - Returns: the nearest first; of items that were found in one another, the nearer.
    public func find(_ query: String, count: Int = 10) throws -> [Hit] {
        try refresh()
        while true {
            var families: Set<UUID> = []
            var hits: [Hit] = []
            var gone: [UUID] = []
            for match in try ranking.rank(query, items: items, concepts: concepts, count: 3 * count) {
                guard hits.count < count, match.cosine > 0 else { break }
                guard let item = try store.item(match.id) else {
                    gone.append(match.id)
                    continue
                }
                guard families.insert(item.parentID ?? item.id).inserted else { continue }
                hits.append(Hit(item: item.id, session: item.sessionID, title: item.title, cosine: match.cosine))
            }
            if gone.isEmpty { return hits }
            // What was deleted since makes room for others.
            for id in gone { items.remove(id) }
        }
    }

    private func keepVectors(of items: [CapturedItem]) throws {
        let vectors = try items.map { item in
            (item.id, StoredVector(space: space, values: try ranking.embedder.embed(item.searchText)).bytes)
        }
        try store.keep(vectors: vectors, space: space)
    }

    private func refresh() throws {
        guard try store.revision() != revision else { return }
        // Short transactions: whoever captures meanwhile does not wait for all of them.
        while case let rest = try store.itemsWithoutVector(of: space, after: place, limit: 100), let last = rest.last {
            try keepVectors(of: rest.map(\.item))
            place = last.place
        }
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
            try concepts.update(concept.name, vector: vector, weight: concept.weight)
        }
        self.concepts = concepts
        revision = try store.revision()
    }
}

extension ContextIndex {
    /// An empty index of names in the same space.
    fileprivate var ofNames: ContextIndex<String> { ContextIndex<String>(space: space, dimensions: dimensions) }
}
