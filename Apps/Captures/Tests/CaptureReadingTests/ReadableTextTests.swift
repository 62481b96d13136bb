import Foundation
import Testing

@testable import CaptureReading

/// Rules for the parts of a text, on small pages.
@Suite struct ReadableTextTests {
    private static func text(_ html: String) throws -> String? { try WebPageTests.page(html).text }

    static let first = "The first paragraph of the text, which is long enough to be taken for one."
    static let second = "The second paragraph of the text, which is about as long as the first one."

    @Test func paragraphsArePartedByAnEmptyLine() throws {
        #expect(
            try Self.text("<div><p>\(Self.first)</p>\n<p>\(Self.second)</p></div>") == "\(Self.first)\n\n\(Self.second)"
        )
        #expect(try Self.text("\(Self.first)<br><br>\(Self.second)") == "\(Self.first)\n\n\(Self.second)")
    }

    /// Elements whose text is never shown as part of a page's text.
    @Test(arguments: [
        "<script>var a = '@'</script>", "<style>.a { b: '@' }</style>", "<noscript>@</noscript>",
        "<template>@</template>", "<iframe>@</iframe>", "<svg><text>@</text></svg>", "<nav>@</nav>",
        "<footer>@</footer>", "<aside>@</aside>", "<button>@</button>", "<form><label>@</label></form>",
        "<div hidden>@</div>", "<div style='DISPLAY : none'>@</div>", "<div style='visibility:hidden'>@</div>",
        "<div aria-hidden=true>@</div>", "<div role=navigation>@</div>", "<div class='cookie-banner'>@</div>",
        "<div id=comments>@</div>", "<div class='postSidebar'>@</div>", "<!-- @ -->", "<div class=byline>@</div>",
        "<ul><li><a href=x>@</a></li></ul>", "<select><option>@</select>", "<textarea>@</textarea>",
    ]) func whatStandsAroundIsLeftOut(element: String) throws {
        let noise = element.replacing("@", with: "something else that is long enough, to be a paragraph")
        let page = "<article><p>\(Self.first)</p>\(noise)<p>\(Self.second)</p></article>"
        #expect(try Self.text(page) == "\(Self.first)\n\n\(Self.second)")
    }

    /// Names that have the letters of something around a text, and are none.
    @Test(arguments: [
        "stock", "protocol", "with-sidebar", "no-comments", "commentary", "shareholder-letter", "headline", "metal",
        "has-related-posts",
    ]) func namesAreReadAsWords(name: String) throws {
        let page = "<div class='\(name)'><p>\(Self.first)</p><p>\(Self.second)</p></div>"
        #expect(try Self.text(page) == "\(Self.first)\n\n\(Self.second)")
    }

    /// Page builders and servers wrap all of a page in an element that is part of the edge elsewhere.
    @Test(arguments: ["<div class=widget>@</div>", "<form id=aspnetForm>@</form>", "<div class=modal>@</div>"])
    func pageWithinSomethingOfTheEdgeIsRead(wrapper: String) throws {
        let page = "<h1>Headline</h1>" + String(repeating: "<p>\(Self.first)</p><p>\(Self.second)</p>", count: 8)
        let text = try #require(try Self.text(wrapper.replacing("@", with: page)))
        #expect(text.hasPrefix("Headline\n\n\(Self.first)"))
        #expect(text.components(separatedBy: Self.second).count == 9)
    }

    @Test func headingOfWhatIsLeftOutIsLeftOut() throws {
        let page = """
            <div><h1>Headline</h1><p>\(Self.first)</p><h2>Part</h2><p>\(Self.second)</p>
            <h2>See also</h2><ul><li><a href=x>One page of the site</a></li><li><a href=y>Another</a></li></ul></div>
            """
        #expect(try Self.text(page) == "Headline\n\n\(Self.first)\n\nPart\n\n\(Self.second)")
    }

    @Test func headingThatThePageIsNamedAfterLeads() throws {
        let page = """
            <title>Clicking noise - The Forum</title><div><h1>The Forum</h1></div><div><h2>Clicking noise</h2></div>
            <div id=posts><div class=post><p>\(Self.first)</p></div><div class=post><p>\(Self.second)</p></div></div>
            """
        #expect(try Self.text(page) == "Clicking noise\n\n\(Self.first)\n\n\(Self.second)")
    }

    @Test func answersOfAThreadAreAllTaken() throws {
        let posts = (1...5).map { "<div class=post><div><div><p>Post \($0): \(Self.first)</p></div></div></div>" }
        let text = try #require(try Self.text("<div id=thread>\(posts.joined())</div>"))
        for number in 1...5 { #expect(text.contains("Post \(number): ")) }
    }

    @Test func linesOfPreformattedTextStay() throws {
        let text = try Self.text("<article><p>\(Self.first)</p><pre>one  two\n  three</pre></article>")
        #expect(text == "\(Self.first)\n\none two\nthree")
    }

    /// HTML 13.1.2.4: the tags of head and body may be omitted; the title is not part of the text.
    @Test(arguments: ["article", "main", "section", "div", "p"]) func tagsOfTheBodyMayBeLeftOut(name: String) throws {
        let page = "<!doctype html><title>Title, not text of the page</title><\(name)><p>\(Self.first)</p>"
        #expect(try Self.text(page) == Self.first)
    }

    @Test func pageWithoutParagraphsHasItsLinesOrNothing() throws {
        #expect(try Self.text("<p>Short.</p>") == nil)
        #expect(try Self.text("<ul><li><a href=x>A link of a list, long enough for a line</a></li></ul>") == nil)
    }
}
