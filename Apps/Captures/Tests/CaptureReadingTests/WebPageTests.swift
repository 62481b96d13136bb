import Basics
import Foundation
import Testing

@testable import CaptureReading

@Suite struct WebPageTests {
    /// Returns a page found at https://example.org/a/b.html.
    static func page(_ html: String, contentType: String? = "text/html; charset=utf-8") throws -> WebPage {
        let url = try #require(URL(string: "https://example.org/a/b.html"))
        return WebPage(html: Array(html.utf8), contentType: contentType, url: url)
    }

    /// The sources of a title from the first to the last; each row lacks the first of the row before.
    static let titles: [(expected: String, from: Int)] = [
        ("from OpenGraph", 0), ("from Twitter", 1), ("from the name", 2), ("from the headline", 3),
        ("from title", 4), ("from h1", 5),
    ]

    @Test(arguments: titles) func titleComesFromTheFirstSourceThatHasOne(expected: String, from: Int) throws {
        // The last in the page has the first rank, so that the order in the page cannot decide.
        let sources = [
            #"<meta property="og:title" content="from OpenGraph">"#,
            #"<meta name="twitter:title" content="from Twitter">"#,
            Self.data(#"{"@type": "Book", "name": "from the name"}"#),
            Self.data(#"{"@type": "Article", "headline": "from the headline"}"#),
            "<title>from title</title>",
            "<h1>from h1</h1>",
        ]
        var kept = Array(sources[from...])
        // The first of two blocks of structured data counts.
        if from <= 2 { kept.removeAll { $0.contains("headline") } }
        #expect(try Self.page(kept.reversed().joined(separator: "\n")).title == expected)
    }

    private static func data(_ json: String) -> String { #"<script type="application/ld+json">\#(json)</script>"# }

    private static let html = #"<meta name="description" content="of HTML">"#
    private static let schema = data(#"{"@type":"Book","description":"of schema.org"}"#)
    private static let card = #"<meta name="twitter:description" content="of Twitter">"#
    private static let graph = #"<meta property="og:description" content="of OpenGraph">"#
    private static let empty =
        #"<meta property="og:title" content="  "><meta property="og:image" content=""><title>T</title>"#
    private static let profile = #"<meta property="article:author" content="https://example.org/people/7">"#

    /// Pages with a field: the first source of a description counts, empty texts are none, and a profile is no author.
    static let fields: [(html: String, field: any KeyPath<WebPage, String?> & Sendable, value: String?)] = [
        (html, \.description, "of HTML"), (html + schema, \.description, "of schema.org"),
        (html + schema + card, \.description, "of Twitter"),
        (html + schema + card + graph, \.description, "of OpenGraph"), (empty, \.title, "T"), (empty, \.image, nil),
        (empty, \.author, nil),
        (#"<meta property="og:title" content="one"><meta property="OG:Title" content="two">"#, \.title, "one"),
        (profile, \.author, nil),
        (profile + data(#"{"@type": "Article", "author": "A. Writer"}"#), \.author, "A. Writer"),
        (data(#"{"name": "#) + data(#"{"name": "N"}"#), \.structuredData, #"[{"name": "N"}]"#),
        (data(#"{"name": "#) + data(#"{"name": "N"}"#), \.title, "N"),
        (
            #"<meta property="og:image" content="javascript:x"><meta name="twitter:image" content="t.png">"#, \.image,
            "https://example.org/a/t.png"
        ),
    ]

    @Test(arguments: fields)
    func fieldsHaveTheirSources(html: String, field: any KeyPath<WebPage, String?> & Sendable, value: String?) throws {
        #expect(try Self.page(html)[keyPath: field] == value)
    }

    /// A site's structured data about itself does not describe the page.
    @Test func whatIsSaidOfTheSiteIsNotSaidOfThePage() throws {
        let page = try Self.page(
            """
            <title>Bread</title><script type="application/ld+json">
            [{"@type": "Organization", "name": "The Site"}, {"@type": "WebSite", "name": "Site"}]</script>
            """
        )
        #expect(page.title == "Bread")
        #expect(page.kind == nil)
    }

    @Test func mainThingIsFoundInAGraph() throws {
        let page = try Self.page(
            """
            <script type="application/ld+json; charset=utf-8">{"@context": "https://schema.org", "@graph": [
            {"@type": "BreadcrumbList", "name": "crumbs"},
            {"@type": ["Thing", "Book"], "name": "The Tin Drum", "author": [{"@type": "Person", "name": "G. Grass"}],
             "isbn": "978-3-16-148410-0", "image": {"url": "/cover.jpg"},
             "offers": [{"price": 12.5}], "aggregateRating": {"ratingValue": "8,4", "bestRating": 10}}]}</script>
            """
        )
        #expect(page.title == "The Tin Drum")
        #expect(page.author == "G. Grass")
        #expect(page.kind == "Thing")
        // The example of the ISBN Users' Manual: 9+21+8+9+1+18+1+12+8+12+1+0 = 100, check digit 0.
        #expect(page.isbn?.digits == "9783161484100")
        #expect(page.image == "https://example.org/cover.jpg")
        #expect(page.price == 12.5 && page.currency == nil)
        // 8.4 of 10 is 4.2 of 5.
        #expect(abs((page.rating ?? 0) - 4.2) < 1e-9)
    }

    /// Prices as they are written; a comma before three digits may part thousands, and is not guessed at.
    static let prices: [(written: String, value: Double?)] = [
        ("12.50", 12.5), ("12,50", 12.5), (" 129 ", 129), ("0", 0), ("1,299", nil), ("1.299,00", nil), ("-3", nil),
        ("nan", nil), ("inf", nil), ("1e9", nil), ("free", nil), ("", nil),
    ]

    @Test(arguments: prices) func priceIsANumberOrNone(written: String, value: Double?) throws {
        #expect(try Self.page(#"<meta property="product:price:amount" content="\#(written)">"#).price == value)
        let offer = #"{"@type": "Product", "offers": {"price": "\#(written)", "priceCurrency": "eur"}}"#
        #expect(try Self.page(Self.data(offer)).currency == "EUR")
        #expect(try Self.page(Self.data(offer)).price == value)
    }

    @Test func ratingBeyondTheBestIsNone() throws {
        #expect(try Self.page(Self.data(#"{"@type": "Product", "aggregateRating": {"ratingValue": 7}}"#)).rating == nil)
    }

    @Test func keywordsAreTrimmedAndFewAtMost() throws {
        let many = (1...30).map { " k\($0) " }.joined(separator: ",")
        let keywords = try Self.page(#"<meta name="keywords" content="a b,, c  d,\#(many)">"#).keywords
        #expect(keywords.prefix(3) == ["a b", "c d", "k1"])
        #expect(keywords.count <= 20)
    }

    /// Addresses of pictures as pages write them, from https://example.org/a/b.html. (RFC 3986, section 5.4)
    static let addresses: [(written: String, whole: String?)] = [
        ("c.png", "https://example.org/a/c.png"),
        ("/c.png", "https://example.org/c.png"),
        ("../c.png", "https://example.org/c.png"),
        ("//cdn.example.net/c.png", "https://cdn.example.net/c.png"),
        ("http://example.net/c.png?x=1&amp;y=2", "http://example.net/c.png?x=1&y=2"),
        ("  c.png\n", "https://example.org/a/c.png"),
        ("javascript:alert(1)", nil),
        ("JavaScript:alert(1)", nil),
        ("java\nscript:alert(1)", nil),
        ("data:image/png;base64,AAAA", nil),
        ("file:///etc/passwd", nil),
        ("https://", nil),
        ("https:///c.png", nil),
        ("", nil),
    ]

    @Test(arguments: addresses) func addressesAreWholeAndOfTheWeb(written: String, whole: String?) throws {
        let page = try Self.page(
            #"<meta property="og:image" content="\#(written)"><link rel="shortcut ICON" href="\#(written)">"#
        )
        #expect(page.image == whole)
        #expect(page.favicon == whole)
    }

    /// Bases of addresses: a base that is not a web address makes the page's addresses invalid.
    static let bases: [(base: String, whole: String?)] = [
        ("https://cdn.example.net/x/", "https://cdn.example.net/x/c.png"),
        ("/y/", "https://example.org/y/c.png"),
        ("javascript:alert(1)//", nil),
        ("data:text/html,", nil),
    ]

    @Test(arguments: bases) func addressesStandOnTheBaseOfThePage(base: String, whole: String?) throws {
        #expect(try Self.page(#"<base href="\#(base)"><meta property="og:image" content="c.png">"#).image == whole)
    }

    @Test(arguments: ["", " ", "\n", "<!-- -->", "<", "</p>", "<html></html>", "<p></p>", "<title></title>"])
    func pageOfNothingHasNothing(html: String) throws {
        let page = try Self.page(html)
        #expect(page.title == nil)
        #expect(page.structuredData == nil)
        #expect(page.text == nil || page.text == "<")
    }

    /// Page with every part, cut after each of its bytes: nothing fails, and complete elements before the cut are
    /// found.
    @Test func truncatedPagesAreReadAsFarAsTheyGo() throws {
        let html = """
            <!DOCTYPE html><html><head><meta charset="utf-8"><title>Über Äpfel</title>\
            <meta property="og:description" content="Kurz &amp; gut"><script type="application/ld+json">{"name": "N"}\
            </script></head><body><article><h1>Äpfel</h1><p>Ein Satz über Äpfel, der lang genug ist.</p>\
            <p>Noch einer, mit &bdquo;Zeichen&ldquo; und <a href="x">Verweis</a>.</p></article></body></html>
            """
        let bytes = Array(html.utf8)
        let url = try #require(URL(string: "https://example.org/"))
        let title = try #require(html.utf8Offset(after: "</title>"))
        let sentence = try #require(html.utf8Offset(after: "genug ist.</p>"))
        for length in bytes.indices {
            let page = WebPage(html: Array(bytes[..<length]), contentType: nil, url: url)
            if length >= title { #expect(page.title == (page.structuredData == nil ? "Über Äpfel" : "N")) }
            if length >= sentence { #expect(page.text?.contains("über Äpfel, der lang genug ist.") == true) }
        }
    }

    @Test func pageIsCutAtItsMost() throws {
        let filler = String(repeating: " ", count: WebPage.mostBytes)
        #expect(try Self.page("<title>a</title>" + filler + "<h1>behind the cut</h1>").title == "a")
        #expect(try Self.page(filler + "<title>behind the cut</title>").title == nil)
    }
}

extension String {
    /// Returns bytes up to the end of the first `text` in it.
    fileprivate func utf8Offset(after text: String) -> Int? {
        range(of: text).map { utf8.distance(from: startIndex, to: $0.upperBound) }
    }
}
