import Basics
import Foundation
import TestSupport
import Testing

@testable import CaptureReading

/// Pages that are written to take memory, time or the stack, or to bring something in.
///
/// Each page takes a second or two in a debug build; the limit ends hanging tests, on the busiest machine. They run
/// one after the other, because waiting for a thread counts.
@Suite(.serialized, .endsWhatHangs) struct HostilePageTests {
    private static func page(_ html: String) throws -> WebPage { try WebPageTests.page(html) }
    private static func repeated(_ text: String, bytes: Int = 1 << 20) -> String {
        String(repeating: text, count: bytes / text.utf8.count)
    }

    @Test(arguments: ["div", "b", "ul><li", "table><tr><td", "blockquote", "svg", "font", "form", "object", "select"])
    func nestingOfAHundredThousandIsSurvived(name: String) throws {
        let html =
            "<title>T</title><p>Before it, a text of some length.</p>" + String(repeating: "<\(name)>", count: 100_000)
        let page = try Self.page(html + "deep" + String(repeating: "</\(name)>", count: 100_000))
        #expect(page.title == "T")
        #expect(page.text?.contains("Before it, a text of some length.") == true)
    }

    @Test(arguments: [
        "word, ", "<", "<a", "<a ", "<!--", "<![CDATA[", "<?", "&", "&amp;", "&#", "&#x110000;", "&#0;", "</",
        "<p>a, b",
        "<a>", "<a href=x>y", "\"", "='", "<div class='a' ", "<script>", "<p><table>", "\u{0}", "e\u{301}\u{301}",
        "<li>a<ul>", "<td>a", "\u{202E}", "<meta name=a content=b>", "<div class=comments><p>a, b</p></div>",
        "<h1>a</h1>",
        "<div class=meta>", "<title>", "<base href=x>", "<form>", "<svg><a>", "-->", "<x:y z:w=''>",
    ]) func megabytesOfOneThingAreRead(part: String) throws {
        let page = try Self.page("<title>T</title>" + Self.repeated(part))
        #expect((page.text?.count ?? 0) <= WebPage.mostText)
        #expect(page.title == "T")
    }

    /// Took libxml2 2.9.14 more than a minute for 300,000 attributes.
    @Test(arguments: ["<p ", "<!--><p ", "<script></script ><p ", "<a b=\"'><p ", "<a b='\"'><p ", "<a \"b=\"><p "])
    func tagOfManyAttributesIsCut(start: String) throws {
        let attributes = (0..<400_000).map { "a\(String($0, radix: 36))" }.joined(separator: " ")
        let page = try Self.page("<title>T</title><p>Before it, a text of some length.</p>\(start)\(attributes)>")
        #expect(page.title == "T")
        #expect(page.text == "Before it, a text of some length.")
        let values = (0..<300_000).map { "a\(String($0, radix: 36))='>'" }.joined()
        #expect(try Self.page("<title>T</title>\(start)\(values)>").title == "T")
    }

    @Test func entitiesOfADocumentAreNotExpanded() throws {
        var entities = "<!ENTITY a0 \"aaaaaaaaaaaaaaaaaaaa\">"
        for level in 1...9 {
            entities += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        let page = try Self.page(
            "<!DOCTYPE html [\(entities)<!ENTITY file SYSTEM \"file:///etc/passwd\">]>"
                + "<body><p>Before &a9; and &file; after.</p>"
        )
        #expect((page.text?.count ?? 0) < 2_000)
        #expect(page.text?.contains("root:") != true)
        #expect(page.text?.contains("Before &a9; and &file; after.") == true)
    }

    @Test func nothingOfMarkupOrScriptsComesThrough() throws {
        let page = try Self.page(
            """
            <title>A &lt;b&gt;title&lt;/b&gt;</title><body onload="alert(1)"><article>
            <p>Text with a <a href="javascript:alert(2)">link</a>, <img onerror="alert(3)"> a picture and more.</p>
            <script>alert(4)</script><style>p { color: alert5 }</style>
            <p>&lt;script&gt;alert(6)&lt;/script&gt; as text.</p>
            <object data="x">alert(7)</object></article>
            """
        )
        // Escaped text stays text; showing it without escaping is a fault of the viewer.
        #expect(page.title == "A <b>title</b>")
        #expect(page.text == "Text with a link, a picture and more.\n\n<script>alert(6)</script> as text.")
    }

    @Test func controlCharactersAndTurningMarksAreLeftOut() throws {
        let page = try Self.page(
            "<title>a&#27;[2J&#x202E;b\u{7}c</title>"
                + "<article><p>A text&#x2067; with marks\u{9B}31m, of some length&#8203;.</p>"
        )
        #expect(page.title?.unicodeScalars.contains(where: SafeText.isForbidden) == false)
        #expect(page.text == "A text with marks 31m, of some length.")
    }

    /// A zero byte ended the page for the parser.
    @Test func zeroBytesDoNotHideTheRest() throws {
        let page = try Self.page("<p>The first half of a text, of some length,\u{0} and the second half of it.</p>")
        #expect(page.text == "The first half of a text, of some length, and the second half of it.")
    }

    @Test func structuredDataThatIsDeepOrLongIsLeftOut() throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let nested = String(repeating: "{\"author\":", count: 60) + "1" + String(repeating: "}", count: 60)
        let long = "{\"name\": \"" + String(repeating: "a", count: WebPage.mostStructuredBytes) + "\"}"
        for data in [deep, long] {
            let page = try Self.page("<title>T</title><script type=\"application/ld+json\">\(data)</script>")
            #expect(page.title == "T")
            #expect(page.structuredData == nil)
        }
        #expect(try Self.page("<script type=\"application/ld+json\">\(nested)</script>").author == nil)
    }

    @Test func linesOfMetadataAreShort() throws {
        let long = String(repeating: "word ", count: 100_000)
        let page = try Self.page("<meta property=og:title content='\(long)'><meta name=keywords content='\(long)'>")
        #expect(page.title?.count == 500)
        #expect(page.keywords.allSatisfy { $0.count <= 500 })
    }
}

@Suite struct LongTagsTests {
    /// Pages that are left whole: real ones write long values, and scripts with many comparisons.
    @Test(arguments: [
        "", "<", "<p>a b c</p>",
        "<div data-props=\"" + String(repeating: "{&quot;a&quot;: 1, b = 2 'c'} ", count: 5_000) + "\">x</div>",
        "<img src='data:image/png;base64," + String(repeating: "iVBORw0KGgo/+ab9", count: 20_000) + "'>",
        "<script>for (i = 0; i < n; i++) { a = \"x\" }" + String(repeating: "a = b ? \"c\" : 'd';\n", count: 150),
        String(repeating: "<p class=a id='b' title=\"c > d\">e < f = \"g\"</p>", count: 5_000),
    ]) func pagesAreLeftWhole(html: String) { #expect(LongTags.cut(Array(html.utf8)).count == html.utf8.count) }

    @Test func attributesAreCounted() {
        let most = LongTags.mostAttributes
        func tag(_ count: Int) -> [UInt8] { Array(("<p" + String(repeating: " a='b'", count: count) + ">").utf8) }
        #expect(LongTags.cut(tag(most)).count == tag(most).count)
        #expect(LongTags.cut(tag(most + 1)).count < tag(most + 1).count)
        // A name of ten thousand characters is a hundred attributes to the parser.
        let names = Array(("<p " + String(repeating: String(repeating: "a", count: 10_000) + " ", count: 20)).utf8)
        #expect(LongTags.cut(names).count < names.count)
    }
}
