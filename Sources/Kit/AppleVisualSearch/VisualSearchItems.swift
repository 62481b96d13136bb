#if canImport(VisualIntelligence)
public import AppIntents
import Foundation
public import VisualSearch

/// A book in the system's sheet.
@available(iOS 26.0, macOS 27.0, *)
public struct BookItem: AppEntity {
    /// Named in the app's string catalogue: a plural for each language, as `EntityWords` has them.
    public static let typeDisplayRepresentation = TypeDisplayRepresentation(
        name: "Book",
        numericFormat: "\(placeholder: .int) books"
    )
    /// Query that finds a tapped item again.
    public static let defaultQuery = BookItemQuery()

    /// The URL that opens it.
    public let id: String
    let card: DisplayCard
    let thumbnail: [UInt8]?

    /// Representation for the sheet: symbols stay empty there, a PNG does not.
    public var displayRepresentation: DisplayRepresentation { DisplayRepresentation(card, thumbnail) }
}

/// A shelf in the system's sheet.
@available(iOS 26.0, macOS 27.0, *)
public struct ShelfItem: AppEntity {
    /// Named in the app's string catalogue: a plural for each language, as `EntityWords` has them.
    public static let typeDisplayRepresentation = TypeDisplayRepresentation(
        name: "Shelf",
        numericFormat: "\(placeholder: .int) shelves"
    )
    /// Query that finds a tapped item again.
    public static let defaultQuery = ShelfItemQuery()

    /// The URL that opens it.
    public let id: String
    let card: DisplayCard
    let thumbnail: [UInt8]?

    /// Representation for the sheet.
    public var displayRepresentation: DisplayRepresentation { DisplayRepresentation(card, thumbnail) }
}

/// Possible answer of a query.
@available(iOS 26.0, macOS 27.0, *)
@UnionValue
public enum VisualSearchItem: Sendable {
    case book(BookItem)
    case shelf(ShelfItem)
}

@available(iOS 26.0, macOS 27.0, *)
extension DisplayRepresentation {
    init(_ card: DisplayCard, _ thumbnail: [UInt8]?) {
        let image = thumbnail.map { Image(data: Data($0)) }
        self.init(title: "\(card.title)", subtitle: "\(card.subtitle)", image: image)
    }
}

/// Books by the identifiers that they were shown with.
@available(iOS 26.0, macOS 27.0, *)
public struct BookItemQuery: EntityQuery {
    @Dependency private var search: ContentQuery
    /// Creates the query, as the system requires.
    public init() {}
    /// Returns the existing books; the others are omitted.
    public func entities(for identifiers: [String]) async throws -> [BookItem] {
        try await search.items(identifiers).compactMap { if case .book(let item) = $0 { item } else { nil } }
    }
}

/// Shelves by the identifiers that they were shown with.
@available(iOS 26.0, macOS 27.0, *)
public struct ShelfItemQuery: EntityQuery {
    @Dependency private var search: ContentQuery
    /// Creates the query, as the system requires.
    public init() {}
    /// Returns the existing shelves; the others are omitted.
    public func entities(for identifiers: [String]) async throws -> [ShelfItem] {
        try await search.items(identifiers).compactMap { if case .shelf(let item) = $0 { item } else { nil } }
    }
}

@available(iOS 26.0, macOS 27.0, *)
extension ContentQuery {
    func items(_ identifiers: [String]) async throws -> [VisualSearchItem] {
        var items: [VisualSearchItem] = []
        for identifier in identifiers {
            do { items.append(try await item(of: item(EntityID(url: identifier)))) } catch is EntityError { continue }
        }
        return items
    }

    func item(of result: VisualSearchResult) async throws -> VisualSearchItem {
        let card = DisplayCard(result, language: Locale.current.language.languageCode?.identifier ?? "en")
        let thumbnail = try await thumbnail(of: result.id)
        let id = result.id.description
        return switch result {
        case .book: .book(BookItem(id: id, card: card, thumbnail: thumbnail))
        case .shelf: .shelf(ShelfItem(id: id, card: card, thumbnail: thumbnail))
        }
    }
}
#endif
