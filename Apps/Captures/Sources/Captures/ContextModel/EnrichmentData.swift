import CaptureReading
import Foundation

/// Known facts of a subject beyond its picture: the carrier of all provider results (S4-48).
///
/// Every field is optional or may be empty; ``merge(_:)`` never loses one that was known.
package struct EnrichmentData: Codable, Sendable, Equatable {
    package var title: String?
    package var descriptionText: String?
    /// URL or path of a representative picture.
    package var image: String?
    /// Classes ("Restaurant", "Song"), in the order in which they were found, each once.
    package var categories: [String] = []
    /// Address or name of a place.
    package var location: String?
    /// Price in ``currency``.
    package var price: Double?
    /// Code of the price's currency (ISO 4217), such as "EUR"; nil where the source has none.
    package var currency: String?
    /// Rating of users, 0 to 5.
    package var rating: Double?
    /// Questions that this raises.
    package var questions: [String] = []
    package var webContext: WebContext?
    package var placeContext: PlaceContext?
    var documentContext: DocumentContext?
    package var qrContext: QRCodeContext?
    package var weatherContext: WeatherContext?
    /// A book that the catalogue or the back end named.
    package var bookContext: BookContext?
    var musicContext: MusicContext?
    /// Provider that each field is from, by the names of ``fields``.
    package var sources: [String: String] = [:]
    /// Answers of search services, and whether anything else agrees with them.
    package var candidates: [FieldCandidate] = []

    package static let none = EnrichmentData()
    /// Facts of a page that has no content: a placeholder for its title, and empty contexts.
    package static let placeholders = EnrichmentData(
        title: "Untitled",
        descriptionText: "",
        webContext: WebContext(),
        bookContext: BookContext()
    )

    /// Returns whether a title is so weak that any other is better: empty, a placeholder, a web address, a date, the
    /// title of a challenge or an error.
    static func isWeak(title: String) -> Bool {
        let text = title.trimmingSpace.lowercased()
        if text.isEmpty || weakTitles.contains(text) { return true }
        if text.hasPrefix("http://") || text.hasPrefix("https://") || text.hasPrefix("www.") { return true }
        if !text.contains(" "), text.contains("."), text.allSatisfy({ $0.isASCII && !$0.isWhitespace }) { return true }
        return !text.contains(where: \.isLetter) || isAddress(text) || Interstitial.isTitle(text)
    }

    /// Returns whether a text is a street address that begins with its number ("12 Rue Cler, Paris").
    static func isAddress(_ text: String) -> Bool { text.firstMatch(of: /^\d+[A-Za-z]?\s[^,]*,/) != nil }

    private static let weakTitles: Set<String> = [
        "untitled", "unknown", "image", "photo", "picture", "screenshot", "document", "home", "link", "qr code", "scan",
        "new item", "item", "page not found", "404", "403 forbidden", "access denied", "just a moment...", "index",
    ]
}

// MARK: - Contexts

/// Metadata of a web page (S4-49).
package struct WebContext: Codable, Sendable, Equatable {
    var siteName: String?
    var faviconURL: String?
    /// Readable text, paragraphs separated by an empty line.
    package var textContent: String?
    /// Structured data of the page (schema.org) as JSON.
    package var structuredData: String?
    /// The page's address, after redirections.
    package var url: String?
}

/// A venue (S4-50).
package struct PlaceContext: Codable, Sendable, Equatable {
    package var name: String?
    var address: String?
    var phoneNumber: String?
    var website: String?
    /// Rating of users, 0 to 5.
    package var rating: Double?
    /// Addresses of pictures.
    package var photos: [String] = []
    /// Short reviews or hints of users.
    var tips: [String] = []
    package var categories: [String] = []
    var placeID: String?
    /// Whether it was open when the service was asked.
    package var isOpen: Bool?
    /// Level of its prices, 1 (cheap) to 4.
    package var priceLevel: Int?
    package var latitude: Double?
    package var longitude: Double?

    /// Name of the place where the user lives.
    static let homeName = "Home"

    /// Whether the place is the user's home, which is never disclosed.
    var isHome: Bool { name == Self.homeName && placeID == nil }
}

/// A file or document (S4-54).
package struct DocumentContext: Codable, Sendable, Equatable {
    /// Kind of the file ("jpeg", "page").
    var fileType: String?
    var pageCount: Int?
    var author: String?
}

/// Content of a QR or bar code (S4-54).
package struct QRCodeContext: Codable, Sendable, Equatable {
    /// Content, with ``TextSecrets/mark`` in place of its secrets once it is stored.
    package var payload: String
    /// The code's kind ("QR-Code", "EAN-13").
    var symbology: String?
    /// Content as phones understand it; nil for another text, and for an address.
    package var meaning: CodeMeaning?
    /// Whether the content is a part of a text whose other parts are missing; nil where it is whole.
    var isPartial: Bool?
}

/// Weather at a time and place (S4-51).
package struct WeatherContext: Codable, Sendable, Equatable {
    /// Description ("Rainy").
    package var condition: String
    var temperatureCelsius: Double
    /// Name of Apple's symbol for it.
    var symbolName: String
}

package struct BookContext: Codable, Sendable, Equatable {
    package var title: String?
    package var authors: [String] = []
    /// ISBN-13, digits alone.
    package var isbn: String?
    var publisher: String?
    package var year: Int?
    /// Calibrated confidence of the name, 0 to 1.
    package var confidence: Double?
}

package struct MusicContext: Codable, Sendable, Equatable {
    var title: String?
    var artists: [String] = []
    var album: String?
    /// Address where it can be heard.
    var url: String?
}

// MARK: - Merging

/// Facts that newer ones complete.
protocol MergedFacts {
    mutating func merge(_ newer: Self)
}

extension MergedFacts {
    /// Takes the texts of `newer` that are not blank.
    fileprivate mutating func take(_ newer: Self, _ texts: WritableKeyPath<Self, String?>...) {
        for text in texts { self[keyPath: text] = newer[keyPath: text]?.known ?? self[keyPath: text] }
    }

    /// Takes the values that `newer` has.
    fileprivate mutating func take<Value>(_ newer: Self, values: WritableKeyPath<Self, Value?>...) {
        for value in values { self[keyPath: value] = newer[keyPath: value] ?? self[keyPath: value] }
    }

    fileprivate mutating func unite(_ newer: Self, _ lists: WritableKeyPath<Self, [String]>...) {
        for list in lists { self[keyPath: list].unite(newer[keyPath: list]) }
    }
}

extension Optional where Wrapped: MergedFacts {
    mutating func merge(_ newer: Wrapped?) {
        guard let newer else { return }
        if self == nil { self = newer } else { self?.merge(newer) }
    }
}

extension EnrichmentData: MergedFacts {
    /// Merges the facts of `newer`; others are kept.
    ///
    /// A text or number of `newer` replaces an older one, but an empty text never does, a weak title ("Untitled", a
    /// bare address, a host) never replaces a better one, and a street address never replaces a venue's name. A page
    /// that is worse than the known one only fills missing fields. The first weather is kept: a later one is that of
    /// another time. Lists are united: earlier elements stay first.
    package mutating func merge(_ newer: EnrichmentData) {
        let before = self
        join(newer.isWorsePage(than: self) ? newer.additions(to: self) : newer)
        for (name, text) in Self.fields where text(self)?.known != nil && text(self) != text(before) {
            sources[name] = newer.sources[name]
        }
        for (name, source) in newer.sources where sources[name] == nil {
            if let text = Self.fields[name], text(self) == text(newer) { sources[name] = source }
        }
        // A source's newer answer replaces its earlier one.
        let answered = Set(newer.candidates.map(\.source))
        candidates = candidates.filter { !answered.contains($0.source) } + newer.candidates
    }

    private mutating func join(_ newer: EnrichmentData) {
        if let text = newer.title?.known, !Self.isWeak(title: text) || Self.isWeak(title: title ?? "") { title = text }
        if let place = newer.location?.known,
            location?.known == nil || !Self.isAddress(place) || Self.isAddress(location ?? "")
        {
            location = place
        }
        take(newer, \.descriptionText, \.image)
        // A price without a currency is not one in the earlier price's currency.
        if newer.price != nil { (price, currency) = (newer.price, newer.currency) }
        take(newer, values: \.rating)
        unite(newer, \.categories, \.questions)
        webContext.merge(newer.webContext)
        placeContext.merge(newer.placeContext)
        documentContext.merge(newer.documentContext)
        qrContext = newer.qrContext ?? qrContext
        weatherContext = weatherContext ?? newer.weatherContext
        bookContext.merge(newer.bookContext)
        musicContext.merge(newer.musicContext)
    }
}

extension WebContext: MergedFacts {
    mutating func merge(_ newer: WebContext) {
        // A page without a site name has its host as the site, which is weaker than the known name.
        if let name = newer.siteName?.known,
            siteName?.known == nil || name != newer.url.flatMap({ URL(string: $0)?.host() })
        {
            siteName = name
        }
        take(newer, \.faviconURL, \.textContent, \.structuredData, \.url)
    }
}

extension PlaceContext: MergedFacts {
    mutating func merge(_ newer: PlaceContext) {
        if let text = newer.name?.known, name?.known == nil || !EnrichmentData.isAddress(text) { name = text }
        take(newer, \.address, \.phoneNumber, \.website, \.placeID)
        take(newer, values: \.rating, \.latitude, \.longitude)
        take(newer, values: \.isOpen)
        take(newer, values: \.priceLevel)
        unite(newer, \.photos, \.tips, \.categories)
    }
}

extension DocumentContext: MergedFacts {
    mutating func merge(_ newer: DocumentContext) {
        take(newer, \.fileType, \.author)
        take(newer, values: \.pageCount)
    }
}

extension BookContext: MergedFacts {
    mutating func merge(_ newer: BookContext) {
        take(newer, \.title, \.isbn, \.publisher)
        take(newer, values: \.year)
        take(newer, values: \.confidence)
        if !newer.authors.isEmpty { authors = newer.authors }
    }
}

extension MusicContext: MergedFacts {
    mutating func merge(_ newer: MusicContext) {
        take(newer, \.title, \.album, \.url)
        if !newer.artists.isEmpty { artists = newer.artists }
    }
}

extension String {
    package var trimmingSpace: String { trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Itself; nil where it is empty or nothing but space.
    package var known: String? { contains { !$0.isWhitespace } ? self : nil }
}

extension StringProtocol {
    /// Returns the beginning, limited to a number of characters, and to four bytes of UTF-8 for each, as one may
    /// carry any number of marks.
    package func bounded(to characters: Int) -> String {
        var bytes = PlainText.bytes(of: characters)
        let scalars = String(self).unicodeScalars.prefix { scalar in
            bytes -= scalar.utf8.count
            return bytes >= 0
        }
        return String(String(String.UnicodeScalarView(scalars)).prefix(characters))
    }
}

extension [String] {
    /// Adds the missing elements, ignoring case.
    mutating func unite(_ more: [String]) {
        var seen = Set(map { $0.lowercased() })
        for text in more where text.known != nil && seen.insert(text.lowercased()).inserted { append(text) }
    }
}
