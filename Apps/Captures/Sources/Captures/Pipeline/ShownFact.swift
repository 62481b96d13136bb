import Foundation

/// A known fact as it is shown.
package struct ShownFact: Codable, Sendable, Equatable {
    package var name: String
    package var text: String
    /// The most trusted source that says the same, in words; nil where none does.
    package var source: String?

    /// What a source may have said, in the order in which it is shown.
    fileprivate static let fields: [(name: String, text: @Sendable (Facts) -> String?)] = [
        ("Title", { first($0.bookContext?.title, $0.title) }),
        ("Authors", { list($0.bookContext?.authors) }),
        ("ISBN", { $0.bookContext?.isbn }),
        ("Publisher", { $0.bookContext?.publisher }),
        ("Year", { $0.bookContext?.year.map { "\($0)" } }),
        ("Confidence", { $0.bookContext?.confidence.map { "\(min(99, Int(($0 * 100).rounded()))) % sure" } }),
        ("Site", { $0.webContext?.siteName }),
        ("Description", { $0.descriptionText }),
        ("Place", { first($0.placeContext?.name, $0.location) }),
        ("Address", { $0.placeContext?.address }),
        ("Telephone", { $0.placeContext?.phoneNumber }),
        ("Website", { $0.placeContext?.website }),
        ("Tips", { list($0.placeContext?.tips) }),
        ("Kinds", { first(list($0.categories), list($0.placeContext?.categories)) }),
        ("Price", { facts in number(facts.price).map { "\($0) \(facts.currency ?? "")".trimmingSpace } }),
        ("Rating", { number($0.rating ?? $0.placeContext?.rating) }),
        ("Music", { $0.musicContext?.title }),
        ("Artists", { list($0.musicContext?.artists) }),
        ("Album", { $0.musicContext?.album }),
        ("Pages", { $0.documentContext?.pageCount.map { "\($0)" } }),
        ("Picture", { $0.image }),
        (
            "Weather",
            { facts in
                facts.weatherContext.map { "\($0.condition), \(number($0.temperatureCelsius) ?? "") °C" }
            }
        ),
    ]

    private static func first(_ texts: String?...) -> String? { texts.lazy.compactMap { $0?.known }.first }

    private static func list(_ texts: [String]?) -> String? { texts?.joined(separator: ", ") }

    private static func number(_ value: Double?) -> String? { value.map { String(format: "%.15g", $0) } }
}

extension CapturedItem {
    /// Its known facts, without its own title, and without the address of a picture that is kept.
    package var shownFacts: [ShownFact] {
        let facts = enrichment
        return ShownFact.fields.compactMap { name, field in
            let isShown = name == "Title" ? title : name == "Picture" && pictures[.preview] != nil ? facts.image : nil
            guard let text = field(facts)?.known, text != isShown else { return nil }
            let source = answers.first { field($0.facts) == text }?.source
            return ShownFact(name: name, text: text, source: source?.words)
        }
    }
}

extension SourceID {
    /// Who said a fact.
    fileprivate var words: String {
        switch self {
        case .user: "your answer"
        case .remembered: "like a picture that you named"
        case .catalogue: "from the catalogue of this device"
        case .link: "from the page"
        case .books: "from the book service"
        case .home: "your home"
        case .place: "from the place service"
        case .weather: "from the weather service"
        case .music: "from the music service"
        case .picture: "read off the picture"
        case .search: "from the web search"
        }
    }
}
