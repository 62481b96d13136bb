import Basics

enum Intent: String, Sendable, Codable, CaseIterable {
    case shopping = "Shopping"
    case researching = "Researching"
    case reading = "Reading"
    case broadcasting = "Broadcasting"
    case travelling = "Travelling"
    case dining = "Dining"
    case coding = "Coding"
    case listening = "Listening"

    var purpose: String? { rawValue }

    /// Words that indicate it, folded.
    private var words: Set<String> {
        switch self {
        case .shopping:
            [
                "price", "buy", "sale", "discount", "cart", "shop", "store", "offer", "checkout", "shipping", "product",
                "receipt", "total", "eur", "usd", "market", "voucher", "coupon", "stock",
            ]
        case .researching:
            [
                "abstract", "paper", "study", "research", "journal", "doi", "arxiv", "university", "thesis",
                "experiment",
                "results", "method", "references", "conference", "survey", "dataset", "science", "encyclopedia",
            ]
        case .reading:
            [
                "book", "novel", "chapter", "author", "bookshelf", "books", "library", "isbn", "edition", "publisher",
                "poems",
                "stories", "newspaper", "magazine",
            ]
        case .broadcasting:
            [
                "live", "stream", "podcast", "episode", "channel", "subscribe", "broadcast", "studio", "microphone",
                "radio",
                "followers", "video", "premiere",
            ]
        case .travelling:
            [
                "train", "flight", "gate", "boarding", "station", "platform", "airport", "ticket", "hotel", "museum",
                "departure", "arrival", "passport", "tram", "bus", "ferry", "map", "tour",
            ]
        case .dining:
            [
                "menu", "restaurant", "cafe", "coffee", "breakfast", "lunch", "dinner", "dessert", "wine", "bar",
                "recipe",
                "espresso", "pizza", "starter", "bakery", "kitchen", "soup",
            ]
        case .coding:
            [
                "swift", "python", "code", "compiler", "error", "function", "debug", "github", "api", "terminal", "git",
                "commit", "class", "struct", "docs", "documentation", "programming", "javascript", "rust",
            ]
        case .listening:
            [
                "album", "song", "artist", "concert", "playlist", "track", "music", "vinyl", "band", "guitar", "lyrics",
                "orchestra", "spotify",
            ]
        }
    }

    /// Minimum number of words for one intent, which must also exceed that of any other.
    static let leastEvidence = 2.0

    /// Returns the intent with the most evidence of all items; nil without evidence, or for a tie.
    ///
    /// A word counts once; a book that was named, music, and a class that a provider gave count as two.
    static func of(_ input: NarrativeInput) -> Intent? {
        var scores: [Intent: Double] = [:]
        var words: Set<String> = []
        for item in input.items {
            let texts = [item.title, item.text, item.transcription, item.label, item.site]
            for text in texts { words.formUnion(FoldedText.words(of: text.bounded(to: 20_000))) }
            let classes = Set(item.categories.flatMap { FoldedText.words(of: $0) })
            for intent in allCases where !intent.words.isDisjoint(with: classes) { scores[intent, default: 0] += 2 }
            if item.book != nil || item.bookCount > 0 { scores[.reading, default: 0] += 2 }
            if item.music != nil { scores[.listening, default: 0] += 2 }
        }
        for intent in allCases { scores[intent, default: 0] += Double(intent.words.intersection(words).count) }
        let ranked = scores.sorted { $0.value > $1.value }
        guard let first = ranked.first, first.value >= leastEvidence, ranked.dropFirst().first?.value != first.value
        else { return nil }
        return first.key
    }
}
