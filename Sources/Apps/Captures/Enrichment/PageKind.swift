import Basics

/// Kind of a page's subject, by its structured data (schema.org).
enum PageKind: Equatable {
    case product, music, film
    /// Page of interest itself, such as an article, a book or a recipe.
    case page

    /// Creates the first kind in a page's data; nil without any.
    init?(structuredData text: String) {
        let value = Array(text.utf8).withUnsafeBufferPointer { try? JSONParser.parse($0) }
        guard let value, let kind = Self.types(in: value).lazy.compactMap({ Self.kinds[$0] }).first else { return nil }
        self = kind
    }

    /// Kind of an item.
    var itemKind: ItemKind {
        switch self {
        case .product: .product
        case .music, .film: .media
        case .page: .web
        }
    }

    /// Types of the things of a page, without the address of their vocabulary.
    private static func types(in value: JSONValue) -> [String] {
        switch value {
        case .array(let values): return values.prefix(50).flatMap(types)
        case .object(let object):
            if let graph = object["@graph"] { return types(in: graph) }
            return names(object["@type"]).map { String($0.split { $0 == "/" || $0 == ":" }.last ?? "") }
        default: return []
        }
    }

    private static func names(_ type: JSONValue?) -> [String] {
        switch type {
        case .string(let name): [name]
        case .array(let names): names.compactMap { if case .string(let name) = $0 { name } else { nil } }
        default: []
        }
    }

    private static let kinds: [String: PageKind] = [
        "Product": .product, "ProductGroup": .product, "ProductModel": .product, "IndividualProduct": .product,
        "MusicRecording": .music, "MusicAlbum": .music, "MusicRelease": .music, "MusicComposition": .music,
        "MusicPlaylist": .music, "Movie": .film, "TVSeries": .film, "TVSeason": .film, "TVEpisode": .film,
        "VideoObject": .film, "Article": .page, "NewsArticle": .page, "BlogPosting": .page, "TechArticle": .page,
        "ScholarlyArticle": .page, "Book": .page, "Recipe": .page, "Event": .page, "QAPage": .page,
        "DiscussionForumPosting": .page,
    ]
}
