/// Weights of the user's concepts.
///
/// Source of the weights and of the limit: the pipeline that this one is built after
/// (voxels/VisualIntelligencePipelineDemo), which gives a product 3, a purpose 2 and all else 1, and names concepts
/// above 1.2 first.
public enum ConceptWeight {
    /// Origin of a concept.
    public enum Origin: String, Sendable, Codable, CaseIterable {
        case product, purpose, other

        /// Weight that a concept gets by itself.
        public var weight: Double {
            switch self {
            case .product: 3
            case .purpose: 2
            case .other: 1
            }
        }
    }

    /// A concept of a weight above this is boosted; one of this very weight is not.
    public static let boostedAbove = 1.2
    /// Factor of a boosted concept's score, beside its weight.
    ///
    /// Our choice: a quarter is enough for a visible step between 1.2 and its neighbour, and less than the distance
    /// of the automatic weights.
    public static let boost = 1.25

    /// Returns whether a weight is boosted.
    ///
    /// Compared as 32-bit numbers, as which an index keeps weights.
    public static func isBoosted(_ weight: Double) -> Bool { Float(weight) > Float(boostedAbove) }

    /// Returns the concepts that an item adds to those that are known.
    ///
    /// A product's name, or the title of an item of that kind, is a product; purposes are purposes; tags and classes
    /// are other concepts. A name that two of them have counts by the heavier.
    ///
    /// - Parameters:
    ///   - item: Any item.
    ///   - known: The user's concepts.
    /// - Returns: New concepts with their automatic weights, each name once, ignoring case; known names are omitted,
    ///   as their weight is the user's and is never raised.
    public static func automatic(from item: CapturedItem, known: [UserConcept]) -> [UserConcept] {
        var named: [(name: String, origin: Origin)] = []
        // A product with a number alone is not a concept.
        let product = item.enrichment.title ?? item.title
        if item.kind == .product, !EnrichmentData.isWeak(title: product) { named.append((product, .product)) }
        named += item.purposes.map { ($0, .purpose) }
        named += (item.tags + item.enrichment.categories).map { ($0, .other) }
        return automatic(named, known: known)
    }

    /// Returns the concepts of some names that are not known yet, as ``automatic(from:known:)`` of an item.
    public static func automatic(_ named: [(name: String, origin: Origin)], known: [UserConcept]) -> [UserConcept] {
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
    public var embeddedText: String { definition.known == nil ? name : "\(name): \(definition)" }
}
