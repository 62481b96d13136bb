import Foundation

/// Known facts of a subject beyond its picture: the carrier of all provider results (S4-48).
///
/// Every field is optional or may be empty; ``merge(_:)`` never loses one that was known.
public struct EnrichmentData: Codable, Sendable, Equatable {
    /// Name or heading.
    public var title: String?
    /// Abstract or description, plain text.
    public var descriptionText: String?
    /// URL or path of a representative picture.
    public var image: String?
    /// Classes ("Restaurant", "Song"), in the order in which they were found, each once.
    public var categories: [String] = []
    /// Address or name of a place.
    public var location: String?
    /// Price in the currency of the source.
    public var price: Double?
    /// Rating of users, 0 to 5.
    public var rating: Double?
    /// Questions that this raises.
    public var questions: [String] = []
    /// Metadata of a web page.
    public var webContext: WebContext?
    /// A venue.
    public var placeContext: PlaceContext?
    /// A file or document.
    public var documentContext: DocumentContext?
    /// Content of a QR or bar code.
    public var qrContext: QRCodeContext?
    /// Weather at the time of the capture.
    public var weatherContext: WeatherContext?
    /// Activity of the person.
    public var activityContext: ActivityContext?
    /// A book that the catalogue or the back end named.
    public var bookContext: BookContext?
    /// A piece of music.
    public var musicContext: MusicContext?

    /// Creates empty data.
    public init() {}

    /// Merges the facts of `newer`; others are kept.
    ///
    /// A text or number of `newer` replaces an older one, but an empty text never does, a weak title ("Untitled", a
    /// bare address, a host) never replaces a better one, and a street address never replaces a venue's name. A page
    /// that is worse than the known one only fills missing fields. The first weather is kept: a later one is that of
    /// another time. Lists are united: earlier elements stay first.
    public mutating func merge(_ newer: EnrichmentData) {
        let newer = newer.isWorsePage(than: self) ? newer.additions(to: self) : newer
        if let text = newer.title?.known,
            title?.known == nil || !Self.isWeak(title: text) || Self.isWeak(title: title ?? "")
        {
            title = text
        }
        descriptionText = newer.descriptionText?.known ?? descriptionText
        image = newer.image?.known ?? image
        categories.unite(newer.categories)
        if let place = newer.location?.known,
            location?.known == nil || !Self.isAddress(place) || Self.isAddress(location ?? "")
        {
            location = place
        }
        price = newer.price ?? price
        rating = newer.rating ?? rating
        questions.unite(newer.questions)
        webContext.merge(newer.webContext) { $0.merge($1) }
        placeContext.merge(newer.placeContext) { $0.merge($1) }
        documentContext.merge(newer.documentContext) { $0.merge($1) }
        qrContext = newer.qrContext ?? qrContext
        weatherContext = weatherContext ?? newer.weatherContext
        activityContext = newer.activityContext ?? activityContext
        bookContext.merge(newer.bookContext) { $0.merge($1) }
        musicContext.merge(newer.musicContext) { $0.merge($1) }
    }

    /// Returns whether a title is so weak that any other is better: empty, a placeholder, a web address, a date, the
    /// title of a challenge or an error.
    public static func isWeak(title: String) -> Bool {
        let text = title.trimmingSpace.lowercased()
        if text.isEmpty || weakTitles.contains(text) { return true }
        if text.hasPrefix("http://") || text.hasPrefix("https://") || text.hasPrefix("www.") { return true }
        if !text.contains(" "), text.contains("."), text.allSatisfy({ $0.isASCII && !$0.isWhitespace }) { return true }
        return !text.contains(where: \.isLetter) || isAddress(text) || Interstitial.isTitle(text)
    }

    /// Returns whether a text is a street address that begins with its number ("12 Rue Cler, Paris").
    public static func isAddress(_ text: String) -> Bool {
        text.firstMatch(of: /^\d+[A-Za-z]?\s[^,]*,/) != nil
    }

    private static let weakTitles: Set<String> = [
        "untitled", "unknown", "image", "photo", "picture", "screenshot", "document", "home", "link", "qr code", "scan",
        "new item", "item", "page not found", "404", "403 forbidden", "access denied", "just a moment...", "index",
    ]
}

/// Metadata of a web page (S4-49).
public struct WebContext: Codable, Sendable, Equatable {
    /// Name of the site.
    public var siteName: String?
    /// The site's icon.
    public var faviconURL: String?
    /// Readable text, paragraphs separated by an empty line.
    public var textContent: String?
    /// Structured data of the page (schema.org) as JSON.
    public var structuredData: String?
    /// The page's address, after redirections.
    public var url: String?

    /// Creates an empty context.
    public init() {}

    mutating func merge(_ newer: WebContext) {
        // A page without a site name has its host as the site, which is weaker than the known name.
        if let name = newer.siteName?.known,
            siteName?.known == nil || name != newer.url.flatMap({ URL(string: $0)?.host() })
        {
            siteName = name
        }
        faviconURL = newer.faviconURL?.known ?? faviconURL
        textContent = newer.textContent?.known ?? textContent
        structuredData = newer.structuredData?.known ?? structuredData
        url = newer.url?.known ?? url
    }
}

/// A venue (S4-50).
public struct PlaceContext: Codable, Sendable, Equatable {
    /// Name of the venue.
    public var name: String?
    /// Full address.
    public var address: String?
    /// Telephone number.
    public var phoneNumber: String?
    /// Official address in the web.
    public var website: String?
    /// Rating of users, 0 to 5.
    public var rating: Double?
    /// Addresses of pictures.
    public var photos: [String] = []
    /// Short reviews or hints of users.
    public var tips: [String] = []
    /// Classes of the venue.
    public var categories: [String] = []
    /// The service's own id.
    public var placeID: String?
    /// Degrees north.
    public var latitude: Double?
    /// Degrees east.
    public var longitude: Double?

    /// Creates an empty context.
    public init() {}

    /// Name of the place where the user lives.
    package static let homeName = "Home"

    /// Whether the place is the user's home, which is never disclosed.
    package var isHome: Bool { name == Self.homeName && placeID == nil }

    mutating func merge(_ newer: PlaceContext) {
        if let text = newer.name?.known, name?.known == nil || !EnrichmentData.isAddress(text) { name = text }
        address = newer.address?.known ?? address
        phoneNumber = newer.phoneNumber?.known ?? phoneNumber
        website = newer.website?.known ?? website
        rating = newer.rating ?? rating
        photos.unite(newer.photos)
        tips.unite(newer.tips)
        categories.unite(newer.categories)
        placeID = newer.placeID?.known ?? placeID
        latitude = newer.latitude ?? latitude
        longitude = newer.longitude ?? longitude
    }
}

/// A file or document (S4-54).
public struct DocumentContext: Codable, Sendable, Equatable {
    /// Kind of the file ("jpeg", "page").
    public var fileType: String?
    /// Number of pages.
    public var pageCount: Int?
    /// Author.
    public var author: String?

    /// Creates an empty context.
    public init() {}

    mutating func merge(_ newer: DocumentContext) {
        fileType = newer.fileType?.known ?? fileType
        pageCount = newer.pageCount ?? pageCount
        author = newer.author?.known ?? author
    }
}

/// Content of a QR or bar code (S4-54).
public struct QRCodeContext: Codable, Sendable, Equatable {
    /// The content as text.
    public var payload: String
    /// The code's kind ("QR-Code", "EAN-13").
    public var symbology: String?
    /// The content as lists show it, without its secrets; nil where it has none.
    public var redacted: String?
    /// Whether the content is a part of a text whose other parts are missing; nil where it is whole.
    public var isPartial: Bool?

    /// Creates a code's content.
    public init(payload: String, symbology: String? = nil) {
        self.payload = payload
        self.symbology = symbology
    }
}

/// Weather at a time and place (S4-51).
public struct WeatherContext: Codable, Sendable, Equatable {
    /// Description ("Rainy").
    public var condition: String
    /// Degrees Celsius.
    public var temperatureCelsius: Double
    /// Name of Apple's symbol for it.
    public var symbolName: String

    /// Creates the weather of a kind.
    public init(condition: String, temperatureCelsius: Double, symbolName: String) {
        self.condition = condition
        self.temperatureCelsius = temperatureCelsius
        self.symbolName = symbolName
    }
}

/// Activity of a person (S4-52).
public struct ActivityContext: Codable, Sendable, Equatable {
    /// Confidence of the activity.
    public enum Confidence: String, Codable, Sendable, CaseIterable {
        case high, medium, low
    }

    /// Source of the activity.
    public enum Basis: String, Codable, Sendable {
        /// An accelerometer.
        case measured
        /// Claim of the capturing user: a simulated state.
        case claimed
    }

    /// Kind of motion ("stationary", "walking", "automotive").
    public var type: String
    /// Confidence of the activity.
    public var confidence: Confidence
    /// Source of the activity; nil when it is unknown.
    public var basis: Basis?

    /// Creates an activity.
    public init(type: String, confidence: Confidence, basis: Basis? = nil) {
        (self.type, self.confidence, self.basis) = (type, confidence, basis)
    }
}

/// A book, as catalogue or back end named it.
public struct BookContext: Codable, Sendable, Equatable {
    /// Title.
    public var title: String?
    /// Authors, in their order.
    public var authors: [String] = []
    /// ISBN-13, digits alone.
    public var isbn: String?
    /// Publisher.
    public var publisher: String?
    /// Year of publication.
    public var year: Int?
    /// Calibrated confidence of the name, 0 to 1.
    public var confidence: Double?

    /// Creates an empty context.
    public init() {}

    mutating func merge(_ newer: BookContext) {
        title = newer.title?.known ?? title
        if !newer.authors.isEmpty { authors = newer.authors }
        isbn = newer.isbn?.known ?? isbn
        publisher = newer.publisher?.known ?? publisher
        year = newer.year ?? year
        confidence = newer.confidence ?? confidence
    }
}

/// A piece of music.
public struct MusicContext: Codable, Sendable, Equatable {
    /// Title of the track or record.
    public var title: String?
    /// Artists, in their order.
    public var artists: [String] = []
    /// Record that it is on.
    public var album: String?
    /// Address where it can be heard.
    public var url: String?

    /// Creates an empty context.
    public init() {}

    mutating func merge(_ newer: MusicContext) {
        title = newer.title?.known ?? title
        if !newer.artists.isEmpty { artists = newer.artists }
        album = newer.album?.known ?? album
        url = newer.url?.known ?? url
    }
}

extension String {
    /// Text without space at its ends.
    package var trimmingSpace: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// Itself; nil where it is empty or nothing but space.
    package var known: String? { contains { !$0.isWhitespace } ? self : nil }
}

extension StringProtocol {
    /// Returns the beginning, limited to a number of characters, and to four bytes of UTF-8 for each, as one may
    /// carry any number of marks.
    package func bounded(to characters: Int) -> String {
        var bytes = 4 * characters
        let scalars = String(self).unicodeScalars.prefix { scalar in
            bytes -= scalar.utf8.count
            return bytes >= 0
        }
        return String(String(String.UnicodeScalarView(scalars)).prefix(characters))
    }
}

extension [String] {
    /// Adds the missing elements, ignoring case.
    package mutating func unite(_ more: [String]) {
        var seen = Set(map { $0.lowercased() })
        for text in more where text.known != nil && seen.insert(text.lowercased()).inserted { append(text) }
    }
}

extension Optional where Wrapped: Sendable {
    mutating func merge(_ newer: Wrapped?, _ merge: (inout Wrapped, Wrapped) -> Void) {
        guard let newer else { return }
        guard var known = self else {
            self = newer
            return
        }
        merge(&known, newer)
        self = known
    }
}
