/// Options of a synthetic dataset: the same values, fonts and libraries give the same bytes.
package struct SynthesisOptions: Sendable, Equatable, Codable {
    /// Decides everything that is left to chance.
    package var seed: UInt64 = 1
    package var spines = 240
    package var shelves = 0
    /// Frequency of each category, relative to the others; one that is not in it never comes.
    package var categories = usualCategories
    /// Widths of spines in their pictures, in pixels.
    package var widths = 30...300
    package var booksPerShelf = 0...25
    /// SHA-256 of the list of titles; nil for the project's own books.
    package var titlesDigest: String?

    package static let usual = SynthesisOptions()

    /// Frequencies of the categories: enough of the first three that a score separates a good reader from a fair one.
    private static let usualCategories: [SampleCategory: Int] = [
        .vertical: 62, .inverted: 62, .stylized: 62, .horizontal: 30, .mixed: 24,
    ]

    /// Contradiction in the options, with the value and an alternative; nil for valid ones.
    package var problem: String? {
        func outside(_ name: String, _ range: ClosedRange<Int>, _ limits: ClosedRange<Int>) -> String? {
            limits.contains(range.lowerBound) && limits.contains(range.upperBound)
                ? nil
                : "\(name) are \(range.lowerBound)...\(range.upperBound); expected a range within "
                    + "\(limits.lowerBound)...\(limits.upperBound)"
        }
        if !(0...100_000).contains(spines) { return "\(spines) spines; expected 0 to 100000" }
        if !(0...10_000).contains(shelves) { return "\(shelves) shelves; expected 0 to 10000" }
        if spines == 0 && shelves == 0 { return "0 spines and 0 shelves; expected at least 1 of either" }
        if let (category, share) = categories.first(where: { !(0...1_000_000).contains($0.value) }) {
            return "the share of \(category.rawValue) is \(share); expected 0 to 1000000"
        }
        if !categories.values.contains(where: { $0 > 0 }) { return "every category has a share of 0" }
        return outside("widths", widths, 20...600) ?? outside("books on a shelf", booksPerShelf, 0...130)
    }

    /// Categories in the form of the command line: "vertical=62,inverted=62".
    package var categoriesText: String {
        SampleCategory.allCases.compactMap { category in
            categories[category].flatMap { $0 > 0 ? "\(category.rawValue)=\($0)" : nil }
        }.joined(separator: ",")
    }
}

extension SampleCategory: CodingKeyRepresentable {}
