import Basics
package import Foundation

/// Kind of a page's subject, by its structured data (schema.org).
package enum PageKind: Equatable {
    case product, music, film
    /// Page of interest itself, such as an article, a book or a recipe.
    case page

    /// Creates the first kind in a page's data; nil without any.
    package init?(structuredData text: String) {
        guard let value = try? JSONParser.parse(Array(text.utf8)),
            let kind = Self.types(in: value).lazy.compactMap({ Self.kinds[$0] }).first
        else { return nil }
        self = kind
    }

    /// Types of the things of a page, without the address of their vocabulary.
    private static func types(in value: JSONValue) -> [String] {
        if let values = value.list { return values.prefix(50).flatMap(types) }
        if let graph = value["@graph"] { return types(in: graph) }
        return (value["@type"]?.texts ?? []).map { String($0.split { $0 == "/" || $0 == ":" }.last ?? "") }
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

/// Kind of a place of the web where pieces are played.
package enum MediaSite: Sendable, Equatable {
    /// Music and nothing else, or little.
    case music
    /// Films, and music among them.
    case films

    /// Creates the site of a piece, by its address; nil for any other address, and for the first page of such a site.
    package init?(_ url: URL) {
        guard var host = url.host()?.lowercased(), url.pathComponents.count > 1 else { return nil }
        for prefix in ["www.", "m."] where host.hasPrefix(prefix) { host.removeFirst(prefix.count) }
        if Self.musicHosts.contains(host) || host.hasSuffix(".bandcamp.com") {
            self = .music
        } else if Self.filmHosts.contains(host) {
            self = .films
        } else {
            return nil
        }
    }

    private static let musicHosts: Set<String> = [
        "open.spotify.com", "music.apple.com", "music.youtube.com", "music.amazon.com", "soundcloud.com", "deezer.com",
        "tidal.com", "listen.tidal.com",
    ]

    private static let filmHosts: Set<String> = [
        "youtube.com", "youtu.be", "vimeo.com", "dailymotion.com", "netflix.com", "twitch.tv", "tv.apple.com",
    ]
}
