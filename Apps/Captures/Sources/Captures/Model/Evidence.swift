import Basics

/// What is known of an item independently of the search services, for the comparison with their answers.
struct Evidence {
    /// Agreement of an answer with the evidence.
    enum Agreement: String, Codable, Sendable, CaseIterable {
        /// Nothing else says so, and nothing else says otherwise.
        case candidate
        /// Words of the picture or page, or the code's number, are in the answer.
        case agrees
        /// The picture or page has words, and the answer's heading has none of them.
        case disagrees
    }

    /// Folded words of the picture or page.
    private var words: Set<String> = []
    /// Digits of codes.
    private var numbers: [String] = []
    /// Folded words of the place's name, and of its address and classes.
    private var place: (name: [String], others: Set<String>) = ([], [])

    /// Texts are bounded, as a page may have any number of words.
    init(texts: [String], numbers: [String], place: PlaceContext? = nil) {
        words = Self.words(texts)
        self.numbers = numbers.filter { $0.count >= 8 && $0.allSatisfy(\.isNumber) }
        guard let place, !place.isHome else { return }
        self.place = (Array(Self.words([place.name ?? ""])), Self.words([place.address ?? ""] + place.categories))
    }

    /// Creates the evidence of an item: texts that were read off its picture and off the one in which it was found,
    /// its page, and its numbers.
    init(_ item: CapturedItem, in parent: CapturedItem?) {
        let known = Facts(folding: item.answers.filter { $0.source != .search })
        let texts = [
            item.media.transcription, parent?.media.transcription, known.webContext?.textContent, known.title,
            known.descriptionText,
        ]
        let numbers = [known.qrContext?.payload, known.bookContext?.isbn]
        self.init(texts: texts.compactMap(\.self), numbers: numbers.compactMap(\.self), place: known.placeContext)
    }

    private static func words(_ texts: [String]) -> Set<String> {
        Set(texts.flatMap { FoldedText.words(of: $0.bounded(to: 20_000)) }.filter(isTelling))
    }

    /// Returns whether a word may identify something: of three characters, one of them a letter.
    private static func isTelling(_ word: String) -> Bool { word.count > 2 && word.contains(where: \.isLetter) }

    /// Compares an answer of a search service with the evidence.
    ///
    /// It agrees when it contains a code's number; when at least half of its heading's words, two or all of them, are
    /// on the picture or page; or when its heading has the place's name, and its text a word of the place's address,
    /// its classes or the picture.
    func agreement(of said: Facts) -> Agreement {
        let heading = Self.words([said.title ?? ""])
        let texts = [said.title, said.descriptionText, said.webContext?.siteName, said.webContext?.url]
        let text = texts.compactMap(\.self).joined(separator: "\n")
        let all = Self.words([text])
        let digits = text.split { !$0.isNumber && $0 != "-" && $0 != " " }.map { $0.filter(\.isNumber) }
        if numbers.contains(where: { number in digits.contains(number) }) { return .agrees }
        let hits = heading.count(where: words.contains)
        if hits * 2 >= heading.count, hits > 1 || hits == heading.count, hits > 0 { return .agrees }
        if !place.name.isEmpty, heading.isSuperset(of: place.name) {
            let others = place.others.union(words).subtracting(place.name)
            return all.isDisjoint(with: others) ? .candidate : .agrees
        }
        return hits == 0 && !heading.isEmpty && words.count > 1 ? .disagrees : .candidate
    }
}
