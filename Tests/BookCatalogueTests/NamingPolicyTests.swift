import BookCatalogue
import Testing

@Suite struct NamingPolicyTests {
    private static func match(_ confidence: Double) -> BookMatch {
        BookMatch(book: BookRecord(title: "Dune"), confidence: confidence)
    }

    private enum Decision { case named, review, possible, none }

    private func decision(_ confidence: Double?, _ lines: [String], _ subject: NamingPolicy.Subject) -> Decision {
        let candidates = confidence.map { [Self.match($0), Self.match(0.05)] } ?? []
        return switch NamingPolicy.standard.naming(candidates, of: lines, on: subject) {
        case .named: .named
        case .review: .review
        case .possible: .possible
        case .none: .none
        }
    }

    private static let two = ["FRANK", "HERBERT"]

    /// Documented thresholds: 0.6 and 0.8, 0.1, 0.8 alone on a cover, and 0.45 on a spine with a word of the title
    /// and no other book near; a single word is a spine's text only.
    @Test func theLikeliestBookIsNamedByWhereItWasRead() {
        let rows: [(Double?, [String], NamingPolicy.Subject, Decision)] = [
            (0.95, Self.two, .spine, .named), (0.8, Self.two, .spine, .named), (0.79, Self.two, .spine, .review),
            (0.6, Self.two, .spine, .review), (0.59, Self.two, .spine, .possible), (0.1, Self.two, .spine, .possible),
            (0.09, Self.two, .spine, .none), (nil, Self.two, .spine, .none), (0.95, ["DUNE"], .spine, .named),
            (0.95, Self.two, .shelf, .named), (0.6, Self.two, .shelf, .review), (0.59, Self.two, .shelf, .possible),
            (0.95, ["DUNE"], .shelf, .possible), (0.95, [], .shelf, .possible), (nil, [], .shelf, .none),
            (0.5, ["DUNE", "HERBERT"], .spine, .review), (0.44, ["DUNE", "HERBERT"], .spine, .possible),
            (0.5, ["DUNE", "HERBERT"], .shelf, .possible), (0.5, ["DUNE", "HERBERT"], .cover, .possible),
            (0.8, Self.two, .cover, .named), (0.79, Self.two, .cover, .possible), (0.95, ["DUNE"], .cover, .possible),
        ]
        for (confidence, lines, subject, expected) in rows {
            let row = "\(confidence.map { "\($0)" } ?? "-") \(lines) \(subject)"
            #expect(decision(confidence, lines, subject) == expected, "\(row)")
        }
    }

    @Test func theDecisionHasItsBook() {
        let match = Self.match(0.9)
        let cases: [(BookNaming, BookMatch?, BookMatch?, Bool)] = [
            (.named(match), match, match, true), (.review(match), match, match, false),
            (.possible(match), nil, match, false),
            (BookNaming.none, nil, nil, false),
        ]
        for (naming, answer, guess, isSure) in cases {
            #expect(naming.answer == answer && naming.guess == guess && naming.isSure == isSure)
        }
    }

    @Test(arguments: [
        (["DUNE"], false), (["DUNE", "II"], false), (["DUNE", "MESSIAH"], true), (["DUNEMESSIAH"], false),
        (["THECASTLEOFOTRANTO"], true), (["R41", "RESET"], false), (["RESET 1984", "978"], false), (["", " "], false),
        (["le nom de la rose"], true), ([], false),
    ])
    func awayFromASpineOneWordIsNotEnough(_ lines: [String], _ isEnough: Bool) {
        #expect(NamingPolicy.isEnough(lines, on: .spine))
        for subject in [NamingPolicy.Subject.shelf, .cover] {
            #expect(NamingPolicy.isEnough(lines, on: subject) == isEnough)
        }
    }
}
