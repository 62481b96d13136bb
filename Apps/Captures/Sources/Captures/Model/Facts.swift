import Basics
import CaptureReading
import Foundation

/// Known facts of a subject beyond its picture (S4-48): what one source said, or the fold of all answers.
///
/// Every field is optional or may be empty.
package struct Facts: Codable, Sendable, Equatable {
    var title: String?
    var descriptionText: String?
    /// URL or path of a representative picture.
    var image: String?
    /// Classes ("Restaurant", "Song"), each once, those of the most trusted source first.
    var categories: [String] = []
    /// Address or name of a place.
    var location: String?
    /// Price in ``currency``.
    package var price: Double?
    /// Code of the price's currency (ISO 4217), such as "EUR"; nil where the source has none.
    package var currency: String?
    /// Rating of users, 0 to 5.
    var rating: Double?
    /// Name of what a picture shows, by a person, or by a picture like it of which a person said it.
    var thing: ThingAnswer?
    var webContext: WebContext?
    var placeContext: PlaceContext?
    var documentContext: DocumentContext?
    var qrContext: QRCodeContext?
    var weatherContext: WeatherContext?
    /// A book that a person, the catalogue or a back end named.
    package var bookContext: BookContext?
    var musicContext: MusicContext?

    /// Facts of a page that has no content: a placeholder for its title, and empty contexts.
    package static let placeholders = Facts(
        title: "Untitled",
        descriptionText: "",
        webContext: WebContext(),
        bookContext: BookContext()
    )

    /// Returns whether a title is so weak that any other is better: empty, a placeholder, a web address, a date, the
    /// title of a challenge or an error.
    static func isWeak(title: String?) -> Bool {
        let text = (title ?? "").trimmingSpace.lowercased()
        if text.isEmpty || weakTitles.contains(text) { return true }
        if text.hasPrefix("http://") || text.hasPrefix("https://") || text.hasPrefix("www.") { return true }
        if !text.contains(" "), text.contains("."), text.allSatisfy({ $0.isASCII && !$0.isWhitespace }) { return true }
        return !text.contains(where: \.isLetter) || isAddress(text) || Interstitial.isTitle(text)
    }

    /// Returns whether a text is a street address that begins with its number ("12 Rue Cler, Paris").
    fileprivate static func isAddress(_ text: String?) -> Bool {
        text?.firstMatch(of: /^\d+[A-Za-z]?\s[^,]*,/) != nil
    }

    private static let weakTitles: Set<String> = [
        "untitled", "unknown", "image", "photo", "picture", "screenshot", "document", "home", "link", "qr code", "scan",
        "new item", "item", "index",
    ]
}

// MARK: - Contexts

/// Metadata of a web page (S4-49).
struct WebContext: Codable, Sendable, Equatable {
    var siteName: String?
    var faviconURL: String?
    /// Readable text, paragraphs separated by an empty line.
    var textContent: String?
    /// Structured data of the page (schema.org) as JSON.
    var structuredData: String?
    /// The page's address, after redirections.
    var url: String?
}

/// A venue (S4-50).
struct PlaceContext: Codable, Sendable, Equatable {
    var name: String?
    var address: String?
    var phoneNumber: String?
    var website: String?
    /// Rating of users, 0 to 5.
    var rating: Double?
    /// Addresses of pictures.
    var photos: [String] = []
    /// Short reviews or hints of users.
    var tips: [String] = []
    var categories: [String] = []
    var placeID: String?
    /// Whether it was open when the service was asked.
    var isOpen: Bool?
    /// Level of its prices, 1 (cheap) to 4.
    var priceLevel: Int?

    /// Name of the place where the user lives.
    static let homeName = "Home"

    /// Whether the place is the user's home, which is never disclosed.
    var isHome: Bool { name == Self.homeName && placeID == nil }
}

/// A file or document (S4-54).
struct DocumentContext: Codable, Sendable, Equatable {
    /// Kind of the file ("jpeg", "page").
    var fileType: String?
    var pageCount: Int?
    var author: String?
}

/// Content of a QR or bar code (S4-54).
struct QRCodeContext: Codable, Sendable, Equatable {
    /// Content, with ``TextSecrets/mark`` in place of its secrets once it is stored.
    var payload: String
    /// The code's kind ("QR-Code", "EAN-13").
    var symbology: String?
    /// Content as phones understand it; nil for another text, and for an address.
    var meaning: CodeMeaning?
    /// Whether the content is a part of a text whose other parts are missing; nil where it is whole.
    var isPartial: Bool?
}

/// Weather at a time and place (S4-51).
struct WeatherContext: Codable, Sendable, Equatable {
    /// Description ("Rainy").
    var condition: String
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

    /// Returns whether it is another book: by its number or its title, where both have one.
    func differs(from other: BookContext) -> Bool {
        if isbn != nil, isbn == other.isbn { return false }
        guard let title = title?.known, let name = other.title?.known else { return isbn != nil && other.isbn != nil }
        return FoldedText.key(title) != FoldedText.key(name)
    }
}

struct MusicContext: Codable, Sendable, Equatable {
    var title: String?
    var artists: [String] = []
    var album: String?
    /// Address where it can be heard.
    var url: String?
}

// MARK: - Completing

/// Facts that less trusted ones complete.
protocol CompletedFacts {
    /// Adds what these facts lack and less trusted ones have.
    mutating func fill(from other: Self)
}

extension CompletedFacts {
    /// Adds the values that are missing or blank.
    fileprivate mutating func fill<each Value>(_ other: Self, _ path: repeat WritableKeyPath<Self, (each Value)?>) {
        func fill<One>(_ path: WritableKeyPath<Self, One?>) {
            let value = self[keyPath: path]
            let isKnown = (value as? String).map { $0.known != nil } ?? (value != nil)
            if !isKnown { self[keyPath: path] = other[keyPath: path] ?? value }
        }
        repeat fill(each path)
    }
}

extension Optional where Wrapped: CompletedFacts {
    fileprivate mutating func fill(from other: Wrapped?) {
        if let other, self?.fill(from: other) == nil { self = other }
    }
}

extension Facts: CompletedFacts {
    /// Adds what less trusted facts have.
    ///
    /// A weak title ("Untitled", a bare address, a host) loses to a better one, and a street address to a venue's name.
    /// A price has its own currency. Lists are united. Facts about another book are left out.
    mutating func fill(from other: Facts) {
        var other = other
        if let book = bookContext, other.bookContext?.differs(from: book) == true {
            (other.title, other.descriptionText, other.image, other.bookContext) = (nil, nil, nil, nil)
            (other.price, other.rating) = (nil, nil)
        }
        if let text = other.title?.known, Self.isWeak(title: title), title?.known == nil || !Self.isWeak(title: text) {
            title = text
        }
        if let place = other.location?.known,
            location?.known == nil || Self.isAddress(location) && !Self.isAddress(place)
        {
            location = place
        }
        if price == nil { (price, currency) = (other.price, other.currency) }
        categories.unite(other.categories)
        fill(other, \.descriptionText, \.image, \.rating, \.thing, \.qrContext, \.weatherContext)
        webContext.fill(from: other.webContext)
        placeContext.fill(from: other.placeContext)
        documentContext.fill(from: other.documentContext)
        bookContext.fill(from: other.bookContext)
        musicContext.fill(from: other.musicContext)
    }
}

extension WebContext: CompletedFacts {
    mutating func fill(from other: WebContext) {
        // A page without a site name has its host as the site, which is weaker than a known name.
        if let name = other.siteName?.known, siteName == url.flatMap({ URL(string: $0)?.host() }) { siteName = name }
        fill(other, \.siteName, \.faviconURL, \.textContent, \.structuredData, \.url)
    }
}

extension PlaceContext: CompletedFacts {
    mutating func fill(from other: PlaceContext) {
        if let text = other.name?.known, Facts.isAddress(name), !Facts.isAddress(text) { name = text }
        fill(other, \.name, \.address, \.phoneNumber, \.website, \.placeID, \.rating, \.isOpen, \.priceLevel)
        photos.unite(other.photos)
        tips.unite(other.tips)
        categories.unite(other.categories)
    }
}

extension DocumentContext: CompletedFacts {
    mutating func fill(from other: DocumentContext) { fill(other, \.fileType, \.author, \.pageCount) }
}

extension BookContext: CompletedFacts {
    mutating func fill(from other: BookContext) {
        fill(other, \.title, \.isbn, \.publisher, \.year, \.confidence)
        if authors.isEmpty { authors = other.authors }
    }
}

extension MusicContext: CompletedFacts {
    mutating func fill(from other: MusicContext) {
        fill(other, \.title, \.album, \.url)
        if artists.isEmpty { artists = other.artists }
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
