import Testing

@testable import BookCatalogue

@Suite struct HTMLEntitiesTests {
    @Test(
        "references become characters",
        arguments: [
            ("Tom &amp; Jerry", "Tom & Jerry"), ("caf&eacute;", "café"), ("&Uuml;ber", "Über"), ("&#39;t", "'t"),
            ("&#x2019;", "’"), ("&quot;A&quot;", "\"A\""), ("A & B; C", "A & B; C"), ("&bogus;", "&bogus;"), ("&", "&"),
            ("&#1114112;", "&#1114112;"), ("&#0;", " "), ("&amp;amp;", "&amp;"), ("", ""),
        ]
    )
    func decoded(text: String, expected: String) {
        #expect(HTMLEntities.decode(text) == expected)
    }
}
