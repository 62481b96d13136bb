package import Foundation

/// What a person did with an item.
package enum Interaction: String, Sendable, Codable, CaseIterable {
    /// Opened it; opened it from the results of a search.
    case opened, searched
    /// Renamed it, or its session.
    case renamed
    /// Kept or answered it.
    case kept
    case deleted, archived

    /// Effect on the concepts of the item; below 0 for one that is avoided.
    ///
    /// Our choice: an explicit action counts more than a look, and archiving says nothing.
    var amount: Double {
        switch self {
        case .opened: 1
        case .searched: 1.5
        case .renamed: 2
        case .kept: 3
        case .archived: 0
        case .deleted: -2
        }
    }
}

/// What a person seeks and avoids, from use.
package struct Taste: Sendable, Codable, Equatable {
    package struct Concept: Sendable, Codable, Equatable {
        package var name: String
        /// -1 (avoided) to 1 (sought).
        package var weight: Double
        /// Whether the person set the weight.
        package var isEdited: Bool
        /// Number of uses that it comes from.
        package var uses: Int
    }

    package var isOn: Bool
    /// The strongest first.
    package var concepts: [Concept]

    /// Time after which a use counts half.
    static let halfLife: TimeInterval = 30 * 86_400
    /// Concepts that take part in the ranking.
    package static let mostRanked = 30
    /// Concepts of one item.
    package static let mostOfItem = 8

    /// A use: its action, its time, and the concepts of its item.
    package struct Use: Sendable {
        var action: Interaction
        var at: Date
        var concepts: [String]

        package init(action: Interaction, at: Date, concepts: [String]) {
            (self.action, self.at, self.concepts) = (action, at, concepts)
        }
    }

    /// Creates the taste of uses and edits at a moment.
    ///
    /// A use adds its amount, halved every ``halfLife``, to the concepts of its item, divided by the square root of
    /// their number; the weight is the hyperbolic tangent of a third of the sum.
    package init(uses: [Use], edits: [String: Double], isOn: Bool, at now: Date) {
        var sums: [String: (name: String, sum: Double, uses: Int)] = [:]
        for use in uses where !use.concepts.isEmpty {
            let age = max(0, now.timeIntervalSince(use.at))
            let amount = use.action.amount * pow(0.5, age / Self.halfLife) / Double(use.concepts.count).squareRoot()
            for name in use.concepts {
                sums[name.lowercased(), default: (name, 0, 0)].sum += amount
                sums[name.lowercased()]?.uses += 1
            }
        }
        for name in edits.keys where sums[name.lowercased()] == nil { sums[name.lowercased()] = (name, 0, 0) }
        let edited = Dictionary(edits.map { ($0.key.lowercased(), $0.value) }) { $1 }
        concepts = sums.map { key, value in
            Concept(
                name: value.name,
                weight: edited[key] ?? tanh(value.sum / 3),
                isEdited: edited[key] != nil,
                uses: value.uses
            )
        }
        .filter { abs($0.weight) >= 0.01 }
        .sorted { (abs($1.weight), $0.name) < (abs($0.weight), $1.name) }
        self.isOn = isOn
        if !isOn { concepts = [] }
    }
}

/// Concept of a taste with its vector.
package struct TastedConcept: Sendable {
    package var name: String
    /// -1 to 1.
    package var weight: Float
    package var vector: [Float]

    package init(name: String, weight: Float, vector: [Float]) {
        (self.name, self.weight, self.vector) = (name, weight, vector)
    }
}
