import Basics
package import Statistics

/// Which engine reads better than which, on one set.
package struct EngineRanking: Sendable, Equatable, Codable {
    package var set: String
    /// Best first; of equal rates, in the order given.
    package var engines: [String]
    package var titleRead: [String: Proportion]

    /// `rates`: Title read of each engine.
    package init(set: String, rates: [(engine: String, titleRead: Proportion)]) {
        self.set = set
        engines =
            rates.enumerated()
            .sorted { a, b in
                let (x, y) = (a.element.titleRead.rate.value ?? -1, b.element.titleRead.rate.value ?? -1)
                return x == y ? a.offset < b.offset : x > y
            }
            .map(\.element.engine)
        titleRead = Dictionary(rates.map { ($0.engine, $0.titleRead) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether `a` reads better than `b` (true) or worse (false); nil while their 95 % intervals overlap.
    package func isBetter(_ a: String, than b: String) -> Bool? {
        guard let x = titleRead[a]?.interval, let y = titleRead[b]?.interval, !x.overlaps(y) else { return nil }
        return x.lowerBound > y.upperBound
    }

    /// "accurate ≈ fast > tesseract": > where the intervals of neighbours are apart, ≈ where they overlap.
    package var text: String {
        zip(engines, engines.dropFirst()).reduce(engines.first ?? "") { text, pair in
            text + (isBetter(pair.0, than: pair.1) == nil ? " ≈ " : " > ") + pair.1
        }
    }
}

/// Whether engines stand in the same order on several sets.
package struct EngineOrder: Sendable, Equatable, Codable {
    /// Two engines that the sets do not agree on, or do not all decide.
    package struct Pair: Sendable, Equatable, Codable {
        package var first: String
        package var second: String
        /// The sets on which `first` reads better.
        package var firstBetter: [String]
        /// The sets on which `second` does.
        package var secondBetter: [String]
        /// The sets on which their intervals overlap.
        package var undecided: [String]

        package var isContradicted: Bool { !firstBetter.isEmpty && !secondBetter.isEmpty }
    }

    package var rankings: [EngineRanking]
    /// Every two engines, in the order given.
    package var pairs: [Pair]

    /// `rankings`: One for each set.
    package init(_ rankings: [EngineRanking], engines: [String]) {
        self.rankings = rankings
        pairs = engines.indices.flatMap { i in
            engines.indices.dropFirst(i + 1).map { j in
                func sets(_ better: Bool?) -> [String] {
                    rankings.filter { $0.isBetter(engines[i], than: engines[j]) == better }.map(\.set)
                }
                return Pair(
                    first: engines[i],
                    second: engines[j],
                    firstBetter: sets(true),
                    secondBetter: sets(false),
                    undecided: sets(nil)
                )
            }
        }
    }

    /// Pairs on which sets contradict each other.
    package var contradictions: [Pair] { pairs.filter(\.isContradicted) }
    /// Pairs that nobody contradicts and not every set decides.
    package var undecided: [Pair] { pairs.filter { !$0.isContradicted && !$0.undecided.isEmpty } }
}
