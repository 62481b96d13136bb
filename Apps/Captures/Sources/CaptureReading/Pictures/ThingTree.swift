import Foundation

/// A name for what a picture shows.
package struct ThingAnswer: Codable, Sendable, Equatable {
    /// A name of `things.tsv`, in English, singular: "mug", "tabby cat", "musical instrument".
    package var name: String
    /// How often answers like it are right, 0 to 1: see ``ThingTree/confidence(ofShare:)``.
    package var confidence: Double

    package init(name: String, confidence: Double) { (self.name, self.confidence) = (name, confidence) }
}

/// English names of the 1,000 classes of ImageNet, and of the kinds above them: a tabby cat is a cat, a mammal, an animal.
///
/// Shares of classes are added up along the tree: a picture may surely show a dog whose breed is open. Classes that people
/// call by one name have one name.
///
/// Sources: ILSVRC 2012 (Russakovsky et al. 2015) for the classes, WordNet 3.0 for the tree; see `Resources/CARD.md`.
package struct ThingTree: Sendable {
    private struct Node {
        var name: String
        var kind: Int?
        /// Bits of information that the name has about 1,000 classes: 10 for one class, 0 for all.
        var information: Float = 0
    }

    private let nodes: [Node]
    private let leaves: [Int]
    private let places: [String: Int]

    /// The names that the program has.
    package static let standard = ThingTree(String(decoding: PackageResources.things_tsv, as: UTF8.self))

    /// Number of classes of the network.
    package static let classes = 1_000

    /// Reads `things.tsv`: a line per class in the network's order with its name and its kind, an empty line, and a line
    /// per kind with the kind above it.
    init(_ table: String) {
        var nodes: [Node] = []
        var places: [String: Int] = [:]
        func node(_ name: Substring) -> Int {
            if let known = places[String(name)] { return known }
            places[String(name)] = nodes.count
            nodes.append(Node(name: String(name)))
            return nodes.count - 1
        }
        let lines = table.split(separator: "\n", omittingEmptySubsequences: false)
        var leaves: [Int] = []
        for (number, line) in lines.enumerated() where !line.isEmpty {
            let names = line.split(separator: "\t")
            let place = node(names[0])
            if number < Self.classes { leaves.append(place) }
            if names.count > 1 { nodes[place].kind = node(names[1]) }
        }
        for leaf in leaves {
            var next: Int? = leaf
            while let place = next {
                nodes[place].information += 1
                next = nodes[place].kind
            }
        }
        for place in nodes.indices {
            nodes[place].information = log2(Float(leaves.count) / max(1, nodes[place].information))
        }
        (self.nodes, self.leaves, self.places) = (nodes, leaves, places)
    }

    /// Returns whether there is such a name.
    package func has(_ name: String) -> Bool { places[name] != nil }

    /// Returns the kinds above a name, the nearest first; empty for a name that is not here.
    package func kinds(of name: String) -> [String] {
        sequence(first: places[name]) { place in place.map { nodes[$0].kind } }
            .prefix { $0 != nil }.dropFirst().compactMap { $0.map { nodes[$0].name } }
    }

    /// Returns the names below a kind.
    package func names(below kind: String) -> [String] {
        guard let place = places[kind] else { return [] }
        return nodes.indices.filter { $0 != place && path(from: $0).contains(place) }.map { nodes[$0].name }
    }

    /// Returns the names that say most and are likely, none above or below another.
    ///
    /// A name's worth is its share times one more than its bits of information: Deng et al., "Hedging your bets: optimizing
    /// accuracy-specificity trade-offs", CVPR 2012.
    ///
    /// - Parameters:
    ///   - shares: a share per class, together 1.
    ///   - count: how many.
    /// - Returns: `count` answers, the most worth first.
    package func answers(_ shares: [Float], count: Int = 3) -> [ThingAnswer] {
        precondition(shares.count == leaves.count, "every class has a share")
        let sums = sums(of: shares)
        var isOut = [Bool](repeating: false, count: nodes.count)
        var answers: [ThingAnswer] = []
        while answers.count < count {
            let worth = nodes.indices.map { isOut[$0] ? -1 : sums[$0] * (nodes[$0].information + 1) }
            guard let best = worth.indices.max(by: { worth[$0] < worth[$1] }), worth[best] >= 0 else { break }
            answers.append(ThingAnswer(name: nodes[best].name, confidence: Self.confidence(ofShare: sums[best])))
            let above = Set(path(from: best))
            for place in nodes.indices where above.contains(place) || path(from: place).contains(best) {
                isOut[place] = true
            }
        }
        return answers
    }

    /// Returns the most likely answer, made more general until it is sure enough; nil when no kind of it is.
    package func label(_ shares: [Float]) -> ThingAnswer? {
        let sums = sums(of: shares)
        guard let first = answers(shares, count: 1).first, let place = places[first.name] else { return nil }
        for name in path(from: place) {
            let confidence = Self.confidence(ofShare: sums[name])
            if confidence >= Self.leastConfidence {
                return ThingAnswer(name: nodes[name].name, confidence: confidence)
            }
        }
        return nil
    }

    /// A label that is less sure is not given.
    package static let leastConfidence = 0.5

    /// Returns how often an answer of such a share is right, 0 to 1: a logistic curve of the share's log odds (Platt 1999).
    ///
    /// Fitted to the half of the photographs of `Datasets/things-1` that is for rules.
    static func confidence(ofShare share: Float) -> Double {
        let share = min(max(Double(share), 1e-4), 1 - 1e-4)
        return 1 / (1 + exp(-(slope * log(share / (1 - share)) + offset)))
    }

    private static let (slope, offset) = (0.80, -0.94)

    private func path(from place: Int) -> [Int] {
        sequence(first: place) { nodes[$0].kind }.map(\.self)
    }

    private func sums(of shares: [Float]) -> [Float] {
        var sums = [Float](repeating: 0, count: nodes.count)
        for (leaf, share) in zip(leaves, shares) { for place in path(from: leaf) { sums[place] += share } }
        return sums
    }
}
