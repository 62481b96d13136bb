import CaptureReading
import ContextSpace

extension ConceptWeight {
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
