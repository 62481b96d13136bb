import Basics
import Testing

@Suite struct FoldedTextTests {
    @Test(arguments: [
        ("", ""), (" -!- ", ""), ("The Hobbit", "the hobbit"), ("L'Hivern del món (2ª ed.)", "l hivern del mon 2a ed"),
        ("Soldier’s Heart", "soldiers heart"), ("They'll", "theyll"), ("O'Dell", "o dell"), ("il·lusió", "illusio"),
        ("Straße ÆON Œuvre Łódź ŐRÜLT", "strasse aeon oeuvre lodz orult"), ("Cafe\u{301}", "cafe"),
        ("ẤN BẢN", "an ban"), ("Война и мир", "война и мир"), ("1984", "1984"), ("A\u{AD}B", "ab"),
        ("rock'n'roll", "rockn roll"), ("aged 13¾", "aged 13 3 4"), ("Zniewolony umysł", "zniewolony umysl"),
        ("ﬁnal Ⅷ ｗｉｄｅ x² + y₃", "final viii wide x2 y3"),
    ])
    func isLowerCaseWordsWithoutMarks(text: String, folded: String) {
        #expect(FoldedText(text).description == folded)
    }

    @Test func foldingTwiceChangesNothing() {
        for text in ["Ça alors !", "Ñandú—ß", "日本語 の 本", "ملف", "😀 Emoji", "ΑΒΓ ἄλφα"] {
            let once = FoldedText(text)
            #expect(FoldedText(once.description) == once)
        }
    }

    @Test func wordsAreInOrder() {
        #expect(
            FoldedText("One, two;three").words.map { String(decoding: $0, as: UTF8.self) } == ["one", "two", "three"]
        )
        #expect(FoldedText("…").bytes.isEmpty)
    }
}
