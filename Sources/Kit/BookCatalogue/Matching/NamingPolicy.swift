internal import Basics

/// Policy by which a text names a book: all thresholds about books, in one place.
///
/// Every command, the back end and the harness decide by it, so that all of them name the same books on the same
/// picture. Its probabilities are those of ``BookMatch/confidence``, which is calibrated on labelled spines.
public struct NamingPolicy: Sendable {
    /// Source of a text, which determines the required certainty of a name.
    public enum Subject: String, Sendable, Codable, CaseIterable {
        /// A picture with the shape of one spine, or a text without a picture: the user aimed at it.
        case spine
        /// One of the spines on a photo of shelves: not aimed at, and photos of shelves show more than books.
        case shelf
        /// A picture of another shape: a cover, a page, or a thing that is not a book.
        case cover
    }

    /// Policy of the app, the back end and the harness.
    public static let standard = NamingPolicy()

    /// Minimum probability of a book that is named.
    ///
    /// On the texts on which ``MatchModel`` was fitted, cross-validated by photo, 80 to 95 % are rightly named, and 1
    /// to 2 % are named although their book was removed from the catalogue.
    public var answer = 0.6

    /// Least probability of a book that is named without its owner's review, on any subject.
    ///
    /// On a photo of shelves, a spine whose book is so probable is not read a second time.
    public var sure = 0.8

    /// Minimum probability of a book that is named for review on a spine because no other one comes near it: `title`
    /// if its whole title was read, of two words at least, `other` if a word of its title was.
    public var unrivalled = (title: 0.15, other: 0.45)

    /// Multiple of the next book's probability that such a book has at least.
    public var lead = 10.0

    /// Least probability of a book for its text to count as a book's on a photo of shelves: below it, the more of two
    /// readings of a spine is kept, and a stretch without a whole word is not a spine.
    ///
    /// Not fitted.
    public var known = 0.3

    /// Least probability of a book that is listed for a person: as the guess of a spine that is not named, and behind
    /// the one that is.
    public var possible = 0.1

    /// Least confidence of the back end in its own book for that to count before the device's (§2.3 of the seed).
    public var remote = 0.9

    /// Minimum similarity of the back end's title to the text for its book to count before the device's (§2.3 of the
    /// seed).
    public var remoteTitle = 0.8

    /// Creates a policy with the app's thresholds.
    public init() {}
}

// MARK: - Decisions

/// Decision about the book that a text names.
public enum BookNaming: Sendable, Equatable {
    /// The book is named, and is sure.
    case named(BookMatch)
    /// The book is named, and its owner should check it.
    case review(BookMatch)
    /// No book is named; this one requires a person's check.
    case possible(BookMatch)
    /// No similar book.
    case none

    /// The book that is named, sure or for review; nil when none is.
    public var answer: BookMatch? {
        switch self {
        case .named(let match), .review(let match): match
        case .possible, .none: nil
        }
    }

    /// The book that is named or possible; nil for none.
    public var guess: BookMatch? { if case .possible(let match) = self { match } else { answer } }

    /// Whether a book is named that needs no review.
    public var isSure: Bool { if case .named = self { true } else { false } }
}

extension NamingPolicy {
    /// Decides about the likeliest book of a text; `candidates` begin with it.
    public func naming(_ candidates: [BookMatch], of lines: [String], on subject: Subject) -> BookNaming {
        guard let first = candidates.first else { return .none }
        let least = subject == .cover ? sure : answer
        if first.confidence >= least, Self.isEnough(lines, on: subject) {
            return first.confidence >= sure ? .named(first) : .review(first)
        }
        if subject == .spine, isUnrivalled(candidates, lines) { return .review(first) }
        return first.confidence >= possible ? .possible(first) : .none
    }

    /// Returns whether no other book comes near the likeliest one, and its title was read.
    private func isUnrivalled(_ candidates: [BookMatch], _ lines: [String]) -> Bool {
        guard let first = candidates.first, first.confidence >= unrivalled.title else { return false }
        let rival = candidates.dropFirst().first { !BookIdentity.isSame($0.book, first.book) }?.confidence ?? 0
        guard first.confidence >= lead * rival else { return false }
        let titles = [BookIdentity(first.book).mainTitle ?? "", BookIdentity.foldedWhole(first.book.title)]
        let texts = (lines + [lines.joined(separator: " ")]).map(BookIdentity.foldedWhole)
        if texts.contains(where: { $0.contains(" ") && titles.contains($0) }) { return true }
        let words = Set(FoldedText(first.book.title).words.filter { $0.count >= 4 })
        return first.confidence >= unrivalled.other
            && lines.contains { FoldedText($0).words.contains(where: words.contains) }
    }

    /// Returns whether a text is enough to name a book by.
    ///
    /// Any text of a single spine is. Elsewhere, two words of three letters are, or twelve letters in one piece, as
    /// words that are set closely are read as one: a catalogue has a book for almost any single word. A word with
    /// digits in it may be a part's number.
    public static func isEnough(_ lines: [String], on subject: Subject) -> Bool {
        if subject == .spine { return true }
        let words = lines.flatMap { FoldedText($0).words.filter(isWord) }
        return words.count >= 2 || words.contains { $0.count >= 12 }
    }

    private static func isWord(_ word: ArraySlice<UInt8>) -> Bool {
        word.count >= 3 && !word.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
