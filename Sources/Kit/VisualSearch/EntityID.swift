public import Basics
public import BookCatalogue
internal import Foundation

/// Identifier of an answer's item, and the URL that opens it.
///
/// It contains the name of the item, not a row of a file: it is equal with another catalogue, on another day and on
/// another machine.
public enum EntityID: Sendable, Hashable {
    /// A book by its number: `spinebench://book/isbn/9780439023481`.
    case isbn(ISBN)
    /// A book without a number, by its main title and its first author's surname, both folded; the surname is empty
    /// without an author: `spinebench://book/title/hobbit/tolkien`.
    case title(String, surname: String)
    /// A photo of shelves, by the SHA-256 of its file or pixels as 64 hexadecimal digits: `spinebench://shelf/photo/…`.
    case photo(String)
    /// The books by one author, whose whole name is folded: `spinebench://shelf/author/j%20r%20r%20tolkien`.
    case author(String)
    /// The books of a series, whose name is folded: `spinebench://shelf/series/…`.
    case series(String)
    /// Books scanned on one day, in Coordinated Universal Time: `spinebench://shelf/scanned/2026-03-12`.
    case scanned(String)

    /// Scheme of the URLs.
    public static let scheme = "spinebench"
    /// Maximum number of bytes of a processed URL.
    public static let longestURL = 2_048

    /// Creates the book's number, else its title and author.
    public init(_ book: BookRecord) {
        if let isbn = book.isbn {
            self = .isbn(isbn)
        } else {
            let identity = BookIdentity(book)
            // A title that is nothing but signs is its own name.
            self = .title(identity.mainTitle ?? book.title, surname: identity.surname)
        }
    }

    private var parts: [String] {
        switch self {
        case .isbn(let isbn): ["book", "isbn", isbn.digits]
        case .title(let title, let surname): ["book", "title", title] + (surname.isEmpty ? [] : [surname])
        case .photo(let digest): ["shelf", "photo", digest]
        case .author(let name): ["shelf", "author", name]
        case .series(let name): ["shelf", "series", name]
        case .scanned(let day): ["shelf", "scanned", day]
        }
    }
}

extension EntityID: CustomStringConvertible {
    /// The URL that opens it.
    public var description: String {
        Self.scheme + "://" + parts.map { Self.escaped($0) }.joined(separator: "/")
    }

    private static let plain = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~"
    )

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}

extension EntityID {
    /// Creates the item that a URL names.
    ///
    /// - Throws: ``EntityError/url(_:problem:)`` when it names none.
    public init(url: String) throws(EntityError) {
        func refusal(_ problem: String) -> EntityError { .url(String(url.prefix(120)), problem: problem) }
        guard url.utf8.count <= Self.longestURL else { throw refusal("is longer than \(Self.longestURL) bytes") }
        let start = Self.scheme + "://"
        guard url.lowercased().hasPrefix(start) else { throw refusal("does not begin with \(start)") }
        let parts = url.dropFirst(start.count).split(separator: "/", omittingEmptySubsequences: false)
            .map { String($0).removingPercentEncoding }
        let names = parts.compactMap(\.self)
        guard names.count == parts.count else { throw refusal("has a percent sign without two hexadecimal digits") }
        guard names.count >= 3 else { throw refusal("names no item; expected \(start)book/… or \(start)shelf/…") }
        guard !names.contains(where: \.isEmpty) else { throw refusal("has an empty part") }
        let most = names[1] == "title" ? 4 : 3
        guard names.count <= most else { throw refusal("has more than \(most) parts") }
        switch (names[0], names[1]) {
        case ("book", "isbn"):
            guard let isbn = ISBN(names[2]) else { throw refusal("has no valid ISBN") }
            self = .isbn(isbn)
        case ("book", "title"): self = .title(names[2], surname: names.count > 3 ? names[3] : "")
        case ("shelf", "photo"):
            let isDigest = names[2].utf8.count == 64 && names[2].allSatisfy { $0.isASCII && $0.isHexDigit }
            guard isDigest else { throw refusal("has no digest of a photo: 64 hexadecimal digits") }
            self = .photo(names[2].lowercased())
        case ("shelf", "author"): self = .author(names[2])
        case ("shelf", "series"): self = .series(names[2])
        case ("shelf", "scanned"):
            guard let day = Self.day(names[2]) else { throw refusal("has no date; expected one like 2026-03-12") }
            self = .scanned(day)
        default:
            throw refusal(
                "names no kind of item; expected book/isbn, book/title, shelf/photo, shelf/author, shelf/series or shelf/scanned"
            )
        }
    }

    static let days = Date.ISO8601FormatStyle().year().month().day()

    /// Returns the day of a time, in Coordinated Universal Time.
    static func day(of date: Date) -> String { date.formatted(days) }

    private static func day(_ text: String) -> String? {
        guard let date = try? days.parse(text), day(of: date) == text else { return nil }
        return text
    }
}

extension EntityID: Codable {
    /// Decodes the URL.
    public init(from decoder: any Decoder) throws {
        try self.init(url: decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the URL.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Reason why an item cannot be opened.
public enum EntityError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The URL names no item.
    case url(String, problem: String)
    /// Missing from the library and the catalogue, and never shown before.
    case unknown(EntityID)

    /// Message with the problem and its solution.
    public var description: String {
        switch self {
        case .url(let url, let problem):
            "\"\(url)\" \(problem); 'spinebench find --json' prints the URLs of its results"
        case .unknown(let id):
            "\(id) is neither in the library nor in the catalogue, and was not shown from this library; specify the original ones with --library and --catalogue"
        }
    }
}
