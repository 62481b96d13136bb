/// A text that something may read, with its probability.
public struct PossibleText: Sendable, Equatable, Codable {
    /// Without spaces at its ends.
    public var text: String
    /// 0…1; calibrated only where its owner says so.
    public var probability: Double

    /// A text with its probability.
    public init(text: String, probability: Double) { (self.text, self.probability) = (text, probability) }
}

extension PossibleText {
    /// The likeliest combinations of one text of each list, likeliest first, `count` at most; the lists are independent.
    ///
    /// Exact: what is left out of a combination's beginning is less likely than `count` others with any end. Without lists
    /// there is one combination of no texts, with probability 1.
    package static func combinations(
        of lists: [[PossibleText]],
        count: Int
    ) -> [(texts: [String], probability: Double)] {
        lists.reduce([(texts: [], probability: 1)]) { found, list in
            let longer = found.flatMap { combination in
                list.map {
                    (texts: combination.texts + [$0.text], probability: combination.probability * $0.probability)
                }
            }
            return Array(longer.sorted { $0.probability > $1.probability }.prefix(count))
        }
    }
}
