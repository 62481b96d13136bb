import Statistics

/// The samples that both sides of a comparison read.
package struct SamplePairs: Sendable, Equatable {
    package struct Pair: Sendable, Equatable {
        package var a: ReadingSet.Entry
        package var b: ReadingSet.Entry
    }

    package var pairs: [Pair]
    package var onlyA: [String]
    package var onlyB: [String]

    package init(_ a: ReadingSet, _ b: ReadingSet) {
        let byID = Dictionary(first: b.entries.map { ($0.id, $0) })
        pairs = a.entries.compactMap { entry in byID[entry.id].map { Pair(a: entry, b: $0) } }
        let both = Set(pairs.map(\.a.id))
        onlyA = a.entries.map(\.id).filter { !both.contains($0) }
        onlyB = b.entries.map(\.id).filter { !both.contains($0) }
    }

    /// Resamples of the photos that the pairs come from.
    static func bootstrap(_ pairs: [Pair], resamples: Int = 2_000) -> GroupBootstrap {
        GroupBootstrap(photos: pairs.map(\.a.group), resamples: resamples)
    }
}

extension GroupBootstrap {
    /// Of samples by their photos; nil is a photo of its own.
    init(photos: [String?], resamples: Int = 2_000) {
        self.init(groups: RateEstimate.numbered(photos).groups, resamples: resamples)
    }
}
