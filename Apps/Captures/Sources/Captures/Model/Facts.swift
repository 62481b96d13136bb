import Basics
package import CaptureReading
import Foundation

/// Known facts of a subject beyond its picture (S4-48): what one source said, or the fold of all answers.
///
/// Every field is optional or may be empty.
package struct Facts: Codable, Sendable, Equatable {
    package var title: String?
    package var descriptionText: String?
    /// URL or path of a representative picture.
    package var image: String?
    /// Classes ("Restaurant", "Song"), each once, those of the most trusted source first.
    package var categories: [String] = []
    /// Address or name of a place.
    package var location: String?
    /// Price in ``currency``.
    package var price: Double?
    /// Code of the price's currency (ISO 4217), such as "EUR"; nil where the source has none.
    package var currency: String?
    /// Rating of users, 0 to 5.
    package var rating: Double?
    /// Name of what a picture shows, by a person, or by a picture like it of which a person said it.
    package var thing: ThingAnswer?
    package var webContext: WebContext?
    package var placeContext: PlaceContext?
    var documentContext: DocumentContext?
    package var qrContext: QRCodeContext?
    package var weatherContext: WeatherContext?
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
    static func isWeak(title: String) -> Bool {
        let text = title.trimmingSpace.lowercased()
        if text.isEmpty || weakTitles.contains(text) { return true }
        if text.hasPrefix("http://") || text.hasPrefix("https://") || text.hasPrefix("www.") { return true }
        if !text.contains(" "), text.contains("."), text.allSatisfy({ $0.isASCII && !$0.isWhitespace }) { return true }
        return !text.contains(where: \.isLetter) || isAddress(text) || Interstitial.isTitle(text)
    }

    /// Returns whether a text is a street address that begins with its number ("12 Rue Cler, Paris").
    fileprivate static func isAddress(_ text: String) -> Bool { text.firstMatch(of: /^\d+[A-Za-z]?\s[^,]*,/) != nil }

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

    /// Returns whether it is another book: by its number or its title, where both have one.
    func differs(from other: BookContext) -> Bool {
        if isbn != nil, isbn == other.isbn { return false }
        guard let title = title?.known, let name = other.title?.known else { return isbn != nil && other.isbn != nil }
        return FoldedText.key(title) != FoldedText.key(name)
    }
}

package struct MusicContext: Codable, Sendable, Equatable {
    var title: String?
    var artists: [String] = []
    var album: String?
    /// Address where it can be heard.
    var url: String?
}

// MARK: - Completing

/// Facts that less trusted ones complete.
protocol CompletedFacts {
    func filled(by other: Self) -> Self
}

extension CompletedFacts {
    /// Takes the values that it lacks, and those whose text is blank.
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
    fileprivate func filled(by other: Wrapped?) -> Wrapped? {
        guard let self, let other else { return self ?? other }
        return self.filled(by: other)
    }
}

extension Facts: CompletedFacts {
    /// Returns these facts, completed by less trusted ones.
    ///
    /// A weak title ("Untitled", a bare address, a host) loses to a better one, and a street address to a venue's name.
    /// A price has its own currency. Lists are united. Facts about another book are left out.
    func filled(by other: Facts) -> Facts {
        var (all, other) = (self, other)
        if let book = bookContext, other.bookContext?.differs(from: book) == true {
            (other.title, other.descriptionText, other.image, other.bookContext) = (nil, nil, nil, nil)
            (other.price, other.rating) = (nil, nil)
        }
        if let text = other.title?.known, Self.isWeak(title: title ?? ""),
            title?.known == nil || !Self.isWeak(title: text)
        {
            all.title = text
        }
        if let place = other.location?.known,
            location?.known == nil || Self.isAddress(location ?? "") && !Self.isAddress(place)
        {
            all.location = place
        }
        if price == nil { (all.price, all.currency) = (other.price, other.currency) }
        all.categories.unite(other.categories)
        all.fill(other, \.descriptionText, \.image, \.rating, \.thing, \.qrContext, \.weatherContext)
        all.webContext = webContext.filled(by: other.webContext)
        all.placeContext = placeContext.filled(by: other.placeContext)
        all.documentContext = documentContext.filled(by: other.documentContext)
        all.bookContext = bookContext.filled(by: other.bookContext)
        all.musicContext = musicContext.filled(by: other.musicContext)
        return all
    }
}

extension WebContext: CompletedFacts {
    func filled(by other: WebContext) -> WebContext {
        var all = self
        // A page without a site name has its host as the site, which is weaker than a known name.
        if siteName == url.flatMap({ URL(string: $0)?.host() }) { all.siteName = other.siteName?.known ?? siteName }
        all.fill(other, \.siteName, \.faviconURL, \.textContent, \.structuredData, \.url)
        return all
    }
}

extension PlaceContext: CompletedFacts {
    func filled(by other: PlaceContext) -> PlaceContext {
        var all = self
        if let text = other.name?.known, Facts.isAddress(name ?? ""), !Facts.isAddress(text) { all.name = text }
        all.fill(other, \.name, \.address, \.phoneNumber, \.website, \.placeID, \.rating)
        all.fill(other, \.isOpen, \.priceLevel)
        all.photos.unite(other.photos)
        all.tips.unite(other.tips)
        all.categories.unite(other.categories)
        return all
    }
}

extension DocumentContext: CompletedFacts {
    func filled(by other: DocumentContext) -> DocumentContext {
        var all = self
        all.fill(other, \.fileType, \.author, \.pageCount)
        return all
    }
}

extension BookContext: CompletedFacts {
    func filled(by other: BookContext) -> BookContext {
        var all = self
        all.fill(other, \.title, \.isbn, \.publisher, \.year, \.confidence)
        if authors.isEmpty { all.authors = other.authors }
        return all
    }
}

extension MusicContext: CompletedFacts {
    func filled(by other: MusicContext) -> MusicContext {
        var all = self
        all.fill(other, \.title, \.album, \.url)
        if artists.isEmpty { all.artists = other.artists }
        return all
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
