package import Basics
package import Foundation

/// Relevant contents of a web page, without markup.
///
/// A page's own metadata for links takes precedence (OpenGraph, ogp.me), then metadata for cards of Twitter, then
/// structured data (schema.org as JSON-LD), then HTML's own elements.
package struct WebPage: Sendable, Equatable {
    /// Address of the page, after redirections.
    package var url: URL
    package var title: String?
    package var description: String?
    package var siteName: String?
    package var image: String?
    package var favicon: String?
    package var author: String?
    /// Kind, as OpenGraph or schema.org calls it ("article", "Product").
    package var kind: String?
    package var keywords: [String] = []
    /// Price, in the page's currency.
    package var price: Double?
    /// Code of the price's currency (ISO 4217); nil where the page has none.
    package var currency: String?
    /// Rating of users, scaled to 0…5.
    package var rating: Double?
    package var isbn: ISBN?
    /// Structured data (schema.org), as JSON.
    package var structuredData: String?
    /// Readable text, paragraphs separated by an empty line; nil without any.
    package var text: String?

    /// Maximum number of processed bytes of a page; the rest is ignored.
    package static let mostBytes = 4 << 20
    /// Bytes of the longest structured data that are kept.
    static let mostStructuredBytes = 64 << 10
    package static let mostText = 200_000

    package init(html bytes: [UInt8], contentType: String?, url: URL) {
        self.url = url
        var bytes = Charset.utf8(Array(bytes.prefix(Self.mostBytes)), contentType: contentType)
        let type = contentType?.lowercased() ?? ""
        if type.hasPrefix("text/plain") {
            let whole = String(decoding: bytes, as: UTF8.self)
            text = whole.contains { !$0.isWhitespace } ? String(whole.prefix(Self.mostText)) : nil
            title = whole.split(whereSeparator: \.isNewline).lazy.compactMap { SafeText.line(String($0)) }.first
            return
        }
        if type.contains("xml"), !type.contains("html") {
            // The texts of feeds, which a parser of HTML takes for comments.
            bytes = Array(String(decoding: bytes, as: UTF8.self).replacing(/<!\[CDATA\[|\]\]>/, with: "").utf8)
        }
        guard let root = HTMLTree.parse(bytes) else { return }
        let nodes = root.descendants()
        let meta = MetaTags(nodes)
        let data = StructuredData(nodes)
        let base = Self.base(nodes, url)
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
        let code = first(data.currency, meta["product:price:currency"], meta["og:price:currency"])?.uppercased()
        currency = code.flatMap { $0.wholeMatch(of: /[A-Z]{3}/) == nil ? nil : $0 }
        rating = data.rating
        isbn =
            [data.text("isbn"), meta["book:isbn"], meta["og:isbn"]].lazy.compactMap { $0 }.compactMap { ISBN($0) }.first
        structuredData = data.json
        text = ReadableText.text(of: root).flatMap { $0.isEmpty ? nil : String($0.prefix(Self.mostText)) }
    }
}

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
    private var thing = JSONValue.null
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
        var things: [JSONValue] = []
        for node in nodes where node.name == "script" {
            guard node.attributes["type"]?.lowercased().hasPrefix("application/ld+json") == true, blocks.count < 20
            else { continue }
            let text = node.wholeText.trimmingCharacters(in: .whitespacesAndNewlines)
            guard text.utf8.count <= WebPage.mostStructuredBytes, let value = try? JSONParser.parse(Array(text.utf8))
            else { continue }
            blocks.append(text)
            things += Self.things(in: value)
        }
        let whole = "[\(blocks.joined(separator: ","))]"
        json = blocks.isEmpty || whole.utf8.count > WebPage.mostStructuredBytes ? nil : whole
        let main = things.first { Self.kinds(of: $0).contains(where: Self.mainKinds.contains) }
        thing = main ?? things.first { !Self.kinds(of: $0).contains(where: Self.siteKinds.contains) } ?? .null
    }

    private static func things(in value: JSONValue) -> [JSONValue] {
        if let values = value.list { return values.prefix(50).flatMap { things(in: $0) } }
        guard value.isObject else { return [] }
        return value["@graph"]?.list.map { $0.prefix(50).filter(\.isObject) } ?? [value]
    }

    private static func kinds(of thing: JSONValue) -> [String] { thing["@type"]?.texts ?? [] }

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
        let image = Self.first(thing["image"])
        return Self.text(image?.isObject == true ? image?["url"] : image)
    }

    var price: Double? {
        let offer = Self.first(thing["offers"])
        return (Self.text(offer?["price"]) ?? Self.text(offer?["lowPrice"])).flatMap(Self.number)
    }

    var currency: String? { Self.text(Self.first(thing["offers"])?["priceCurrency"]) }

    /// Returns the first element of a list; any other value as it is.
    private static func first(_ value: JSONValue?) -> JSONValue? {
        if let list = value?.list { list.first } else { value }
    }

    /// Returns a number that is not negative; nil for one with an ambiguous comma.
    static func number(_ text: String) -> Double? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard text.wholeMatch(of: /[0-9]{1,15}(?:\.[0-9]{1,15}|,[0-9]{1,2})?/) != nil else { return nil }
        return Double(text.replacing(",", with: "."))
    }

    var rating: Double? {
        let rating = thing["aggregateRating"]
        guard let value = Self.text(rating?["ratingValue"]).flatMap(Self.number) else { return nil }
        let best = Self.text(rating?["bestRating"]).flatMap(Self.number) ?? 5
        guard best > 0, value >= 0, value <= best else { return nil }
        return value / best * 5
    }
}
