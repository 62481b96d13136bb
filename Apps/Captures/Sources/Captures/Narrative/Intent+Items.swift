import CaptureSpace

extension Intent {
    /// Returns the purpose that most items have; nil for a tie, or where fewer than a third have it.
    static func of(_ input: NarrativeInput) -> Intent? {
        let counts = Dictionary(grouping: input.items.compactMap(\.intent), by: \.self).mapValues(\.count)
        guard let most = counts.values.max(), 3 * most >= input.items.count,
            counts.values.count(where: { $0 == most }) == 1
        else { return nil }
        return counts.first { $0.value == most }?.key
    }
}
