import Foundation

extension MatchEvidence {
    /// What ``features`` are called.
    package static let featureNames = [
        "titleShare", "titleBits", "authorShare", "authorBits", "hasAuthor", "furtherBits", "explained", "unexplained",
        "likeness", "label",
    ]

    /// The evidence as numbers.
    package var features: [Double] {
        [
            titleShare, titleBits, authorShare, authorBits, hasAuthor ? 1 : 0, furtherBits, explained, unexplainedBits,
            likeness, hasLabel ? 1 : 0,
        ]
    }
}
