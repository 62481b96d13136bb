import ContextModel
public import ContextSpace
public import ContextStore
public import Foundation

/// The user's own space: vectors of what was captured, concepts, and what is near to a text.
///
/// Vectors and concepts are kept in the store; here is a copy for search, which is made anew when the store has changed.
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
        try keepVector(of: item)
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
        var families: Set<UUID> = []
        var hits: [Hit] = []
        for match in try ranking.rank(query, items: items, concepts: concepts, count: 3 * count) {
            guard hits.count < count, match.cosine > 0, let item = try store.item(match.id),
                families.insert(item.parentID ?? item.id).inserted
            else { continue }
            hits.append(Hit(item: item.id, session: item.sessionID, title: item.title, cosine: match.cosine))
        }
        return hits
    }

    private func keepVector(of item: CapturedItem) throws {
        let vector = StoredVector(space: space, values: try ranking.embedder.embed(item.searchText))
        try store.keep(vector: vector.bytes, of: item.id)
    }

    private func refresh() throws {
        guard try store.revision() != revision else { return }
        var items = ContextIndex<UUID>(space: space, dimensions: ranking.embedder.dimensions)
        for (id, bytes) in try store.vectors() {
            // One of another space, or a damaged one, is made anew.
            if let known = try? StoredVector(bytes: bytes), (try? items.update(id, stored: known)) != nil { continue }
            if let item = try store.item(id) {
                try keepVector(of: item)
                try items.update(id, vector: ranking.embedder.embed(item.searchText))
            }
        }
        while case let rest = try store.itemsWithoutVector(limit: 500), !rest.isEmpty {
            for item in rest {
                try keepVector(of: item)
                try items.update(item.id, vector: ranking.embedder.embed(item.searchText))
            }
        }
        var concepts = self.items.ofNames
        for concept in try store.concepts() where concept.weight > 0 {
            let text = concept.embeddedText
            let vector = try conceptVectors[text] ?? ranking.embedder.embed(text)
            conceptVectors[text] = vector
            try concepts.update(concept.name, vector: vector, weight: concept.weight)
        }
        (self.items, self.concepts) = (items, concepts)
        revision = try store.revision()
    }
}

extension ContextIndex {
    /// An empty index of names in the same space.
    fileprivate var ofNames: ContextIndex<String> { ContextIndex<String>(space: space, dimensions: dimensions) }
}
