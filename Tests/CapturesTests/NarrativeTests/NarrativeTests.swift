import Basics
import Foundation
import Testing

@testable import Captures

/// Narratives contain only known facts, and are always valid.
@Suite struct NarrativeTests {
    static let noon = Date(timeIntervalSince1970: 1_790_000_000)

    private func item(_ change: (inout NarrativeInput.Item) -> Void) -> NarrativeInput.Item {
        var item = NarrativeInput.Item(time: Self.noon)
        change(&item)
        return item
    }

    private func tell(_ items: [NarrativeInput.Item], secrets: [String] = []) -> Narrative {
        var input = NarrativeInput()
        (input.items, input.secrets) = (items, secrets)
        return RuleNarrator().tell(input)
    }

    @Test func aBook() {
        let told = tell([item { $0.book = ("Emma", ["Jane Austen"]) }])
        #expect(told.statements == ["Reading “Emma” by Jane Austen."])
        #expect(told.summary == "Reading “Emma” by Jane Austen.")
        #expect(told.purpose == "Reading")
        #expect(told.tags == ["Books", "Reading"])
        #expect(told.problems.isEmpty)
    }

    @Test func nothingIsMadeUp() {
        #expect(tell([]).statements == ["Pictures with unknown content."])
        let unknown = tell([item { _ in }])
        #expect(unknown.statements == ["A picture with unknown content."])
        #expect(unknown.purpose == nil)
        #expect(unknown.tags.isEmpty)
    }

    @Test func shelvesPagesCodesMusicAndPlaces() {
        #expect(tell([item { $0.bookCount = 12 }]).statements == ["A shelf with 12 identified books."])
        #expect(
            tell([item { ($0.title, $0.site, $0.label) = ("Tea", "example.org", "web") }]).statements
                == ["Opening “Tea” on example.org."]
        )
        #expect(
            tell([item { $0.codes = [NarrativeInput.Code("WIFI:a")] }]).statements == [
                "Scanning a code with the text “WIFI:a”."
            ]
        )
        let music = tell([item { ($0.music, $0.place) = (("Blue", ["Joni Mitchell"]), "Café Central") }])
        #expect(music.statements == ["Listening to “Blue” by Joni Mitchell."])
        #expect(music.locationStatements == ["At Café Central."])
        #expect(
            tell([item { ($0.label, $0.transcription) = ("page", "It was\nlate.") }]).statements
                == ["Reading a page that begins “It was late.”."]
        )
    }

    @Test func theHomesAddressIsNotTold() {
        let street = "Herrengasse 14"
        let told = tell(
            [item { ($0.transcription, $0.place, $0.categories) = ("Herrengasse 14, Wien", street, [street]) }],
            secrets: [street]
        )
        #expect(!"\(told)".contains("Herrengasse"))
        #expect(told.problems.isEmpty)
    }

    /// Spaces, joins, hyphens, order and the form of the letters do not matter.
    @Test(arguments: [
        ("Herrengasse14", true), ("HERREN-\nGASSE 14", true), ("H e r r e n g a s s e 1 4", true),
        ("Herrengasse Nr. 14", true),
        ("at 14 Herrengasse, Wien", true), ("\u{1D407}errengasse 14", true),
        ("Told. Herrengasse. At 14, 1010 Wien.", true),
        ("Herrengasse", false), ("14 people", false), ("Herrengasse and the house that has number 14", false),
        ("", false),
    ])
    func whatIsKeptBackIsKnownInOtherForms(text: String, isSaid: Bool) {
        #expect(Redactor(["Herrengasse 14"]).isSaid(in: text) == isSaid)
        #expect(!Redactor([]).isSaid(in: text) && !Redactor(["14,"]).isSaid(in: text))
    }

    /// 600 inputs of random parts, hostile characters among them: each has a valid narrative, and twice the same.
    @Test func everyNarrativeIsValid() {
        var random = SplitMix64(state: 7)
        let parts = [
            "", " ", "a", "Emma.", "…", "\u{0}\u{7}\u{1B}[31m", "\u{202E}evil", "\n\n\r\n", "<script>alert(1)</script>",
            String(repeating: "word ", count: 300), String(repeating: "x", count: 5_000), "日本語の本棚", "👩‍👩‍👧‍👦 family",
            "e\u{301}\u{301}\u{301}", "price buy sale cart", "swift compiler error", "!?!?", "“”", "\u{FEFF}\u{200B}",
        ]
        func part() -> String { parts[Int(random.next() % UInt64(parts.count))] }
        for _ in 0..<600 {
            var input = NarrativeInput()
            for _ in 0..<(random.next() % 5) {
                var item = NarrativeInput.Item(time: Self.noon)
                (item.label, item.title, item.text) = (part(), part(), part())
                (item.transcription, item.site, item.place) = (part(), part(), part())
                if random.next() % 2 == 0 { item.book = (part(), [part(), part()]) }
                if random.next() % 2 == 0 { item.music = (part(), [part()]) }
                if random.next() % 3 == 0 { item.codes = [NarrativeInput.Code(part())] }
                item.bookCount = Int(random.next() % 3)
                item.categories = [part(), part()]
                input.items.append(item)
            }
            input.concepts = [(part(), 3), (part(), 0.5)]
            input.secrets = [part()]
            let told = RuleNarrator().tell(input)
            #expect(told.problems.isEmpty, "\(told.problems) of \(input)")
            #expect(told == RuleNarrator().tell(input))
        }
    }

    @Test func aPictureWithCodesSaysWhatTheyAre() {
        func told(_ codes: [NarrativeInput.Code]) -> [String] {
            tell([item { ($0.label, $0.codes, $0.transcription) = ("code", codes, "SCAN ME") }]).statements
        }
        #expect(told([]) == ["Scanning a code."])
        #expect(told([.init("9780141439587", subject: .book)]) == ["Scanning the code of a book, 9780141439587."])
        #expect(told([.init("978", subject: .book, name: "Emma")]) == ["Scanning the code of the book “Emma”."])
        #expect(told([.init("90024901", subject: .product)]) == ["Scanning the code of a product, 90024901."])
        #expect(
            told([.init("https://a.example/x", subject: .page), .init("b")])
                == ["Scanning a code that leads to “https://a.example/x” and 1 more."]
        )
    }

    /// One letter may carry any number of marks.
    @Test func marksWithoutEndMakeNoLongText() {
        let text = "a" + String(repeating: "\u{301}", count: 400_000)
        for label in ["", "page", "web", "code"] {
            let told = tell([
                item { item in
                    (item.label, item.title, item.text) = (label, text, "\(text) b c d.")
                    (item.transcription, item.place, item.categories) = (text, text, [text])
                    item.codes = [NarrativeInput.Code(text)]
                }
            ])
            #expect(told.problems.isEmpty)
            let texts = [told.summary] + told.statements + told.locationStatements + told.tags
            #expect(texts.allSatisfy { $0.utf8.count <= 1_600 })
        }
        let long = "a" + String(repeating: "\u{301}", count: 2_000) + "."
        #expect(
            Narrative(summary: long, statements: ["A."]).problems == ["summary has 4002 bytes; at most 1600"]
        )
    }

    @Test func whatIsWrongIsNamed() {
        let bad = Narrative(
            summary: " ",
            statements: ["no stop", "b.", "c."],
            purpose: String(repeating: "p", count: 81),
            tags: ["a", "A", "t\u{7}"]
        )
        #expect(
            bad.problems == [
                "summary is empty", "3 statements", "statement does not end with a full stop",
                "purpose has 81 characters; at most 80", "tag has control characters", "duplicate tag",
            ]
        )
        #expect(Narrative(summary: "A.").problems == ["no statement"])
    }

    // MARK: - Days

    private static let vienna: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 3_600) ?? .gmt
        return calendar
    }()

    private func at(_ hour: Double) -> Date {
        // Midnight of 24 November 2026 at UTC+1.
        Date(timeIntervalSince1970: 1_795_474_800 + hour * 3_600)
    }

    @Test func aDay() {
        let events = [
            DayStory.Event(time: at(18), text: "Opening “Tea” on example.org."),
            .init(time: at(8.5), text: "Reading “Emma” by Jane Austen."),
            .init(time: at(9), text: "Reading “Emma” by Jane Austen."),
            .init(time: at(19), text: "Dining."), .init(time: at(20), text: "Listening."),
            .init(time: at(-1), text: "The day before."), .init(time: at(22), text: "Later."),
        ]
        #expect(
            DayStory.tell(events, now: at(21), calendar: Self.vienna)
                == "Evening: the day before. Morning: reading “Emma” by Jane Austen. "
                + "Evening: opening “Tea” on example.org, then dining, and 1 more."
        )
        #expect(DayStory.tell(events, now: at(100), calendar: Self.vienna) == nil)
        #expect(DayStory.tell([], now: at(1), calendar: Self.vienna) == nil)
    }

    // MARK: - Sentences

    /// Three sentences share words, one shares none: by hand, it comes last.
    @Test func theSentenceThatSharesNothingComesLast() {
        let text = """
            The library lends old books to readers. Readers of old books love the library. \
            Bananas ripen quickly overseas. Old books fill the library of readers.
            """
        let best = TextRank.sentences(of: text, count: 3)
        #expect(best.count == 3)
        #expect(!best.contains { $0.contains("Bananas") })
        #expect(TextRank.sentences(of: "", count: 2).isEmpty)
        #expect(TextRank.sentences(of: "Only one sentence here.", count: 2) == ["Only one sentence here."])
    }

    /// A chain a-b-c with equal weights: scores by hand of s = 0.15 + 0.85 * sum of shares: the middle 1.4595, ends
    /// 0.7703.
    @Test func ranksByHand() {
        let scores = TextRank.rank([["a", "b"], ["b", "c"], ["c", "d"]])
        #expect(abs(scores[1] - 1.459_459) < 1e-4)
        #expect(abs(scores[0] - 0.770_270) < 1e-4)
        #expect(abs(scores[2] - 0.770_270) < 1e-4)
    }
}
