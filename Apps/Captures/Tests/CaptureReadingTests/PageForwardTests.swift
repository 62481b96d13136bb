import Foundation
import Testing

@testable import CaptureReading

/// Pages that lead elsewhere (HTML Standard, "shared declarative refresh steps"), and contents that are no pages.
@Suite struct PageForwardTests {
    private func target(_ html: String, header: String? = nil) throws -> String? {
        let url = try #require(URL(string: "https://example.org/a/b.html"))
        return WebPage.forward(html: Array(html.utf8), contentType: "text/html", refresh: header, url: url)?
            .absoluteString
    }

    @Test(
        arguments: [
            ("0; url=/ok", "https://example.org/ok"), ("0;URL='next'", "https://example.org/a/next"),
            ("5,\n url = \"//other.example/x\" trailing", "https://other.example/x"),
            ("0 https://x.example/", "https://x.example/"),
            ("0; /ok", "https://example.org/ok"), ("  0.5;url=ok", "https://example.org/a/ok"),
            (".5;url=ok", "https://example.org/a/ok"),
            ("0;url='/o'k", "https://example.org/o"), ("0;url=/ok#part", "https://example.org/ok"),
            ("0;url=/o\tk", "https://example.org/ok"),
            // Reloads, long waits, none of the web, and none.
            ("300", nil), ("0", nil), ("0;", nil), ("0;url=", nil), ("0;url=b.html", nil), ("0;url=#part", nil),
            ("31;url=/ok", nil), ("99999999999999999999;url=/ok", nil), ("0;url=javascript:alert(1)", nil),
            ("0;url=mailto:a@b.example", nil), ("0;url=data:text/html,x", nil), ("url=/ok", nil), ("", nil),
            ("-1;url=/ok", nil),
            ("0url=/ok", nil), ("0;url=http://", nil),
        ] as [(String, String?)]
    )
    func aPageLeadsToTheAddressOfItsRefresh(content: String, expected: String?) throws {
        let attribute = content.replacing("\"", with: "&quot;")
        #expect(try target("<title>a</title><META HTTP-EQUIV=Refresh CONTENT=\"\(attribute)\">") == expected)
        #expect(try target("<title>a</title>", header: content) == expected)
    }

    @Test func theElementCountsWhereverItStands() throws {
        let refresh = #"<meta http-equiv="refresh" content="0;url=c">"#
        #expect(try target("<body><p>text</p>\(refresh)</body>") == "https://example.org/a/c")
        #expect(try target("<head><base href='/x/'>\(refresh)</head>") == "https://example.org/x/c")
        #expect(try target("<head><noscript>\(refresh)</noscript></head>") == "https://example.org/a/c")
        // A page that describes itself for links leads only browsers without scripts away.
        let described = "<meta property='og:title' content='Dune'><noscript>\(refresh)</noscript>"
        #expect(try target(described) == nil)
        #expect(try target("\(described)<meta http-equiv=refresh content='1;url=d'>") == "https://example.org/a/d")
        #expect(try target("<!-- \(refresh) --><script>'\(refresh)'</script><p>refresh</p>") == nil)
        #expect(try target("<meta name='refresh' content='0;url=c'>") == nil)
        // The header comes first; one that only loads the page again leaves the element its turn.
        #expect(try target(refresh, header: "0;url=/h") == "https://example.org/h")
        #expect(try target(refresh, header: "300") == "https://example.org/a/c")
    }

    @Test(
        arguments: [
            ("<p>text</p>", nil, nil), ("", nil, nil), ("<p>text</p>", "gzip", nil), ("<p>text</p>", "UTF-8", nil),
            ("<p>text</p>", "identity", nil), ("junk", "br", "compressed with br"),
            ("junk", "gzip, ZSTD", "compressed with zstd"),
            ("%PDF-1.4\n1 0 obj", nil, "PDF file"), ("GIF89a", nil, "GIF file"),
            ("\u{1}\u{2}\u{0}abc", nil, "not text"),
            ("a\u{1B}[0m\u{C}\tb", nil, nil), (String(repeating: "text ", count: 40) + "\u{0}", nil, nil),
        ] as [(String, String?, String?)]
    )
    func contentThatIsNoTextIsNamed(body: String, coding: String?, expected: String?) {
        let problem = WebPage.problem(of: Array(body.utf8), contentType: "text/html; charset=utf-8", coding: coding)
        #expect(expected == nil ? problem == nil : problem?.contains(expected ?? "") == true)
    }

    /// Two bytes a character are text where they are said to be.
    @Test func filesAndWideTextsAreToldApart() {
        let wide = "<title>Dune</title>".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(WebPage.problem(of: wide, contentType: "text/html; charset=utf-16le", coding: nil) == nil)
        #expect(WebPage.problem(of: [0xFF, 0xFE] + wide, contentType: "text/html", coding: nil) == nil)
        #expect(
            WebPage.problem(of: [0x1F, 0x8B, 8, 0], contentType: "text/html", coding: nil)?.contains("gzip") == true
        )
        #expect(
            WebPage.problem(of: [0xFF, 0xD8, 0xFF, 0xE0], contentType: "text/html", coding: nil)?.contains("JPEG")
                == true
        )
    }

    @Test func plainTextsAndFeedsHaveTheirTitles() throws {
        let text = try WebPageTests.page("\n The silver lantern\nA < B & C.", contentType: "text/plain")
        #expect(text.title == "The silver lantern" && text.text?.contains("A < B & C.") == true)
        let feed =
            "<?xml version='1.0'?><rss><channel><title><![CDATA[The lantern & feed]]></title><item><title>x</title></item></channel></rss>"
        #expect(try WebPageTests.page(feed, contentType: "application/rss+xml").title == "The lantern & feed")
    }
}
