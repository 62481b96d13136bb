/// Taste in a space of items, as far as uses show it.
///
/// Vectors are compared by their differences from the items' mean, as all captures of one person have something in
/// common. What a person sought is a taste when it is more alike than items by chance: ``evidence`` is 0 up to the mean
/// of squares of cosines (those above 0) of pairs of items, plus ``deviations`` standard errors, and grows beyond it as
/// the positive-part estimator of James and Stein, "Estimation with quadratic loss", 1961. Edited weights need none.
///
/// The constants were chosen on `checks context taste`, with other seeds than the default.
package struct TasteProfile: Sendable {
    /// The strongest concepts, their weights times the evidence; vectors relative to the mean, of length 1.
    private(set) var concepts: [TastedConcept] = []
    /// Mean of the items' vectors; empty without concepts.
    private var mean: [Float] = []
    /// 0 to 1.
    package private(set) var evidence: Float = 0

    package static let none = TasteProfile()

    /// Minimum number of items by which chance is measured; with fewer, edited weights alone count.
    static let leastItems = 20
    private static let mostItems = 128
    /// Standard errors above chance that are not evidence (5 % of chance are beyond), and the deviation of a pair's square
    /// over its mean among the 150 items of the check.
    private static let deviations: Float = 1.65
    private static let deviationOfPair: Float = 3.2
    /// Growth of the evidence with the excess over chance.
    private static let growth: Float = 2.4
    /// Square of the cosine that two uses of one concept count as.
    private static let repetition: Float = 0.1

    private init() {}

    /// `vector`: the vector of a concept's name.
    package init<ID>(
        _ taste: Taste,
        among items: ContextIndex<ID>,
        vector: (String) throws -> [Float]
    ) rethrows {
        let strongest = taste.concepts.prefix(Taste.mostRanked)
        let sample = items.sample(Self.mostItems)
        guard !strongest.isEmpty, !sample.isEmpty else { return }
        mean = sample.reduce([Float](repeating: 0, count: items.dimensions)) { zip($0, $1).map { $0 + $1 } }
            .map { $0 / Float(sample.count) }
        let vectors = try strongest.map { direction(of: VectorMath.normalized(try vector($0.name))) }
        let sought = strongest.indices.filter { strongest[$0].weight > 0 && strongest[$0].uses > 0 }
        let uses = sought.map { (vector: vectors[$0], count: Float(strongest[$0].uses)) }
        if sample.count >= Self.leastItems {
            let chance = Self.meanSquare(sample.map { (direction(of: $0), 1) }).mean
            evidence = Self.evidence(of: Self.meanSquare(uses), chance: chance)
        }
        concepts = zip(strongest, vectors).map { concept, vector in
            let weight = Float(concept.weight) * (concept.isEdited ? 1 : evidence)
            return TastedConcept(name: concept.name, weight: weight, vector: vector)
        }.filter { $0.weight != 0 }
    }

    /// Returns the evidence of a mean square of pairs against that of chance.
    static func evidence(of observed: (mean: Float, pairs: Float), chance: Float) -> Float {
        guard observed.pairs > 0, observed.mean > 0 else { return 0 }
        let most = chance * (1 + deviations * deviationOfPair / observed.pairs.squareRoot())
        return min(1, growth * max(0, 1 - most / observed.mean))
    }

    /// Returns the mean of the squares of cosines above 0 of all pairs of uses, and the number of pairs.
    private static func meanSquare(_ uses: [(vector: [Float], count: Float)]) -> (mean: Float, pairs: Float) {
        var (sum, pairs): (Float, Float) = (0, 0)
        for (number, use) in uses.enumerated() {
            let same = use.count * (use.count - 1) / 2
            sum += same * repetition
            pairs += same
            for other in uses[..<number] {
                let cosine = max(0, VectorMath.dot(use.vector, other.vector))
                sum += use.count * other.count * cosine * cosine
                pairs += use.count * other.count
            }
        }
        return (pairs > 0 ? sum / pairs : 0, pairs)
    }

    private func direction(of vector: [Float]) -> [Float] {
        VectorMath.normalized(zip(vector, mean).map { $0 - $1 })
    }

    /// Returns the effects of the nearest sought and the nearest avoided concept on an item; `share`: the largest one.
    func raised(_ item: [Float], share: Float) -> [ContextRanking.Raise] {
        guard !concepts.isEmpty, share > 0 else { return [] }
        let item = direction(of: item)
        var (best, worst): (ContextRanking.Raise?, ContextRanking.Raise?) = (nil, nil)
        for concept in concepts {
            let effect = share * concept.weight * max(0, VectorMath.dot(concept.vector, item))
            let raise = ContextRanking.Raise(concept: concept.name, by: effect, source: .taste)
            if effect > best?.by ?? 0 { best = raise }
            if effect < worst?.by ?? 0 { worst = raise }
        }
        return [best, worst].compactMap(\.self)
    }
}
