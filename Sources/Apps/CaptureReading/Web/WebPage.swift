public import Basics
public import Foundation

/// Relevant contents of a web page, without markup.
///
/// A page's own metadata for links takes precedence (OpenGraph, ogp.me), then metadata for cards of Twitter, then
/// structured data (schema.org as JSON-LD), then HTML's own elements.
public struct WebPage: Sendable, Equatable {
    /// Address of the page, after redirections.
    public var url: URL
    /// Name.
    public var title: String?
    /// Description.
    public var description: String?
    /// Name of the site.
    public var siteName: String?
    /// Address of a picture of it.
    public var image: String?
    /// Address of the site's icon.
    public var favicon: String?
    /// Author.
    public var author: String?
    /// Kind, as OpenGraph or schema.org calls it ("article", "Product").
    public var kind: String?
    /// Keywords.
    public var keywords: [String] = []
    /// Price, in the page's currency.
    public var price: Double?
    /// Rating of users, scaled to 0…5.
    public var rating: Double?
    /// Number of the book that it is about.
    public var isbn: ISBN?
    /// Structured data (schema.org), as JSON.
    public var structuredData: String?
    /// Readable text, paragraphs separated by an empty line; nil without any.
    public var text: String?

    /// Maximum number of processed bytes of a page; the rest is ignored.
    public static let mostBytes = 4 << 20
    /// Bytes of the longest structured data that are kept.
    public static let mostStructuredBytes = 64 << 10
    /// Characters of the longest text.
    public static let mostText = 200_000

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - bytes: the page, in any encoding.
    ///   - contentType: the header of that name, for the encoding.
    ///   - url: where it was found.
    public init(html bytes: [UInt8], contentType: String?, url: URL) {
        self.url = url
        let bytes = Array(bytes.prefix(Self.mostBytes))
        guard let root = HTMLTree.parse(Charset.utf8(bytes, contentType: contentType)) else { return }
        let nodes = root.descendants()
        let meta = MetaTags(nodes)
        let data = StructuredData(nodes)
        let base =
            nodes.first { $0.name == "base" }?.attributes["href"].flatMap { URL(string: $0, relativeTo: url) } ?? url
        func first(_ texts: String?...) -> String? { texts.lazy.compactMap { $0.flatMap { SafeText.line($0) } }.first }
        func address(_ texts: String?...) -> String? {
            texts.lazy.compactMap { $0.flatMap { SafeText.address($0, relativeTo: base) } }.first
        }
        let heading = nodes.first { $0.name == "h1" }?.wholeText
        let titleElement = nodes.first { $0.name == "title" }?.wholeText
        title = first(
            meta["og:title"],
            meta["twitter:title"],
            data.text("name"),
            data.text("headline"),
            titleElement,
            heading
        )
        description = first(
            meta["og:description"],
            meta["twitter:description"],
            data.text("description"),
            meta["description"]
        )
        siteName = first(meta["og:site_name"], meta["application-name"])
        image = address(meta["og:image:secure_url"], meta["og:image"], meta["twitter:image"], data.image)
        let icon = nodes.first { node in
            node.name == "link"
                && (node.attributes["rel"] ?? "").lowercased().split(separator: " ").contains { $0 == "icon" }
        }
        favicon = address(icon?.attributes["href"])
        author = first(meta["author"], data.author, meta["article:author"].flatMap { $0.contains("://") ? nil : $0 })
        kind = first(data.kind, meta["og:type"])
        keywords = (meta["keywords"] ?? "").split(separator: ",").prefix(20).compactMap { SafeText.line(String($0)) }
        price =
            data.price ?? meta["product:price:amount"].flatMap(StructuredData.number)
            ?? meta["og:price:amount"].flatMap(StructuredData.number)
        rating = data.rating
        isbn =
            [data.text("isbn"), meta["book:isbn"], meta["og:isbn"]].lazy.compactMap { $0 }.compactMap { ISBN($0) }.first
        structuredData = data.json
        text = ReadableText.text(of: root).flatMap { $0.isEmpty ? nil : String($0.prefix(Self.mostText)) }
    }
}

/// Meta elements of a page by their names.
struct MetaTags {
    private var values: [String: String] = [:]

    init(_ nodes: [HTMLNode]) {
        for node in nodes where node.name == "meta" && values.count < 500 {
            guard let name = node.attributes["property"] ?? node.attributes["name"] ?? node.attributes["itemprop"],
                let content = node.attributes["content"], !content.isEmpty
            else { continue }
            let key = name.lowercased()
            if values[key] == nil { values[key] = content }
        }
    }

    subscript(name: String) -> String? { values[name] }
}

/// Structured data of a page: its blocks of JSON-LD.
struct StructuredData {
    /// The main thing, else the first one that is not of the site.
    private var thing: [String: JSONValue] = [:]
    /// All blocks that are JSON, as a list.
    private(set) var json: String?

    /// Kinds that a page is mostly about.
    private static let mainKinds: Set<String> = [
        "Article", "NewsArticle", "BlogPosting", "Product", "Book", "Recipe", "Event", "Movie", "MusicAlbum",
        "MusicRecording", "Restaurant", "LocalBusiness", "Place", "TechArticle", "ScholarlyArticle", "VideoObject",
    ]

    /// Kinds that describe the site, not the page.
    private static let siteKinds: Set<String> = [
        "WebSite", "Organization", "NewsMediaOrganization", "Corporation", "BreadcrumbList", "SiteNavigationElement",
        "ImageObject", "Person",
    ]

    init(_ nodes: [HTMLNode]) {
        var blocks: [String] = []
        var things: [[String: JSONValue]] = []
        for node in nodes where node.name == "script" {
            guard node.attributes["type"]?.lowercased().hasPrefix("application/ld+json") == true, blocks.count < 20
            else { continue }
            let text = node.wholeText.trimmingCharacters(in: .whitespacesAndNewlines)
            guard text.utf8.count <= WebPage.mostStructuredBytes,
                let value = Self.json(text)
            else { continue }
            blocks.append(text)
            things += Self.things(in: value)
        }
        let whole = "[\(blocks.joined(separator: ","))]"
        json = blocks.isEmpty || whole.utf8.count > WebPage.mostStructuredBytes ? nil : whole
        let main = things.first { thing in Self.kinds(of: thing).contains(where: Self.mainKinds.contains) }
        thing = main ?? things.first { thing in !Self.kinds(of: thing).contains(where: Self.siteKinds.contains) } ?? [:]
    }

    private static func json(_ text: String) -> JSONValue? {
        Array(text.utf8).withUnsafeBufferPointer { try? JSONParser.parse($0) }
    }

    private static func things(in value: JSONValue) -> [[String: JSONValue]] {
        switch value {
        case .array(let values): return values.prefix(50).flatMap { things(in: $0) }
        case .object(let object):
            guard case .array(let graph)? = object["@graph"] else { return [object] }
            return graph.prefix(50).compactMap { if case .object(let thing) = $0 { thing } else { nil } }
        default: return []
        }
    }

    private static func kinds(of thing: [String: JSONValue]) -> [String] {
        switch thing["@type"] {
        case .string(let kind): [kind]
        case .array(let kinds): kinds.compactMap { if case .string(let kind) = $0 { kind } else { nil } }
        default: []
        }
    }

    var kind: String? { Self.kinds(of: thing).first }

    func text(_ key: String) -> String? { Self.text(thing[key]) }

    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number):
            number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
        case .array(let values): text(values.first)
        case .object(let object): text(object["name"]) ?? text(object["@value"])
        default: nil
        }
    }

    var author: String? { text("author") }

    var image: String? {
        var value = thing["image"]
        if case .array(let values) = value { value = values.first }
        if case .object(let object) = value { value = object["url"] }
        return Self.text(value)
    }

    var price: Double? {
        var value = thing["offers"]
        if case .array(let values) = value { value = values.first }
        guard case .object(let offer) = value else { return nil }
        let price = Self.text(offer["price"]) ?? Self.text(offer["lowPrice"])
        return price.flatMap(Self.number)
    }

    /// Returns a number that is not negative; nil for one with an ambiguous comma.
    static func number(_ text: String) -> Double? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard text.wholeMatch(of: /[0-9]{1,15}(?:\.[0-9]{1,15}|,[0-9]{1,2})?/) != nil else { return nil }
        return Double(text.replacing(",", with: "."))
    }

    var rating: Double? {
        guard case .object(let rating) = thing["aggregateRating"],
            let value = Self.text(rating["ratingValue"]).flatMap(Self.number)
        else { return nil }
        let best = Self.text(rating["bestRating"]).flatMap(Self.number) ?? 5
        guard best > 0, value >= 0, value <= best else { return nil }
        return value / best * 5
    }
}
