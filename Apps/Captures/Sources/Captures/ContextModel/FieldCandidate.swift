import Basics
import CaptureReading

/// Value of a field, as a search service answered it.
///
/// It is not a fact until something else agrees: a search service answers any question.
package struct FieldCandidate: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable, CaseIterable {
        /// Nothing else says so, and nothing else says otherwise.
        case candidate
        /// Words of the picture or page, or the code's number, are in the answer.
        case agrees
        /// The picture or page has words, and the answer's heading has none of them.
        case disagrees
    }

    /// "title", "description", "site" or "address".
    package var field: String
    package var value: String
    /// Name of the provider.
    package var source: String
    package var state = State.candidate

    package init(field: String, value: String, source: String) {
        (self.field, self.value, self.source) = (field, value, source)
    }
}

/// What is known of an item independently of the search services, for the comparison with their answers.
struct Evidence {
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
    func state(heading: String, text: String) -> FieldCandidate.State {
        let heading = Self.words([heading])
        let all = Self.words([text]).union(heading)
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

extension EnrichmentData {
    /// Fields that know their sources: the text by which a change of each is seen.
    static let fields: [String: @Sendable (EnrichmentData) -> String?] = [
        "title": { $0.title }, "description": { $0.descriptionText }, "image": { $0.image },
        "categories": { $0.categories.joined(separator: "\n") }, "location": { $0.location },
        "price": { $0.price.map { "\($0)" } }, "rating": { $0.rating.map { "\($0)" } },
        "site": { $0.webContext?.siteName }, "text": { $0.webContext?.textContent },
        "address": { $0.webContext?.url }, "place": { $0.placeContext?.name ?? $0.placeContext?.address },
        "book": { $0.bookContext?.title ?? $0.bookContext?.isbn }, "music": { $0.musicContext?.title },
        "weather": { $0.weatherContext?.condition },
    ]

    /// Returns the facts with a provider as the source of each field that has none.
    func credited(to source: String) -> EnrichmentData {
        var data = self
        for (name, text) in Self.fields where text(self)?.known != nil && sources[name] == nil {
            data.sources[name] = source
        }
        return data
    }

    /// Decides which candidates agree with the evidence; those that do fill fields that have no value of another
    /// source: the title and the description.
    mutating func weigh(by evidence: Evidence) {
        for (source, answer) in Dictionary(grouping: candidates, by: \.source) {
            let heading = answer.first { $0.field == "title" }?.value ?? ""
            let state = evidence.state(heading: heading, text: answer.map(\.value).joined(separator: "\n"))
            for index in candidates.indices where candidates[index].source == source {
                candidates[index].state = state
            }
            guard state == .agrees else { continue }
            if Self.isWeak(title: title ?? ""), !heading.isEmpty { (title, sources["title"]) = (heading, source) }
            if let text = answer.first(where: { $0.field == "description" })?.value,
                descriptionText?.known == nil || sources["description"] == source
            {
                (descriptionText, sources["description"]) = (text, source)
            }
        }
    }
}
