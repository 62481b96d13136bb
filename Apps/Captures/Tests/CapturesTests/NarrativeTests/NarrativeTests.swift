import Basics
import Foundation
import Testing

@testable import CaptureReading
@testable import Captures
@testable import ContextSpace

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

    /// A code with an address is not its page; a page that is opened twice is one, whatever its title was.
    @Test func aCodeAndThePageOfItsAddressAreTwoThings() {
        let address = "https://a.example/x"
        func page(_ title: String) -> NarrativeInput.Item {
            item { ($0.label, $0.title, $0.address) = ("web", title, address) }
        }
        let code = item { $0.codes = [NarrativeInput.Code(address)] }
        #expect(tell([code, page(address)]).statements.count == 2)
        #expect(tell([page(address), page("Tea"), code, code]).statements.count == 2)
    }

    @Test func shelvesPagesCodesMusicAndPlaces() {
        #expect(tell([item { $0.bookCount = 12 }]).statements == ["A shelf with twelve books."])
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
            input.concepts = [.init(name: part(), weight: 3), .init(name: part(), weight: 0.5)]
            input.scope = [.item, .session, .day][Int(random.next() % 3)]
            input.secrets = [part()]
            let told = RuleNarrator().tell(input)
            let problems = told.problems(of: input.scope)
            #expect(problems.isEmpty, "\(problems) of \(input)")
            #expect(told == RuleNarrator().tell(input))
        }
    }

    @Test func aPictureWithCodesSaysWhatTheyAre() {
        func told(_ codes: [NarrativeInput.Code]) -> [String] {
            tell([item { ($0.label, $0.codes, $0.transcription) = ("code", codes, "SCAN ME") }]).statements
        }
        #expect(told([]) == ["Scanning a code."])
        #expect(told([.init("9780141439587", subject: .book)]) == ["Scanning the code of a book, “9780141439587”."])
        #expect(told([.init("978", subject: .book, name: "Emma")]) == ["Scanning the code of the book “Emma”."])
        #expect(told([.init("90024901", subject: .product)]) == ["Scanning the code of a product, “90024901”."])
        #expect(
            told([.init("https://a.example/x", subject: .page), .init("b")])
                == ["Scanning a code that leads to “https://a.example/x” and one more."]
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

    // MARK: - Stories

    private static let vienna: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 3_600) ?? .gmt
        return calendar
    }()

    /// Returns the story of items at hours of 24 November 2026 at UTC+1.
    private func story(
        _ items: [(hour: Double, change: (inout NarrativeInput.Item) -> Void)],
        counts: [String: Int] = [:],
        most: Int = 1_000,
        names: Int = 12
    ) -> String {
        var input = NarrativeInput()
        (input.scope, input.calendar, input.counts) = (.day, Self.vienna, counts)
        input.items = items.map { hour, change in
            var item = NarrativeInput.Item(time: Date(timeIntervalSince1970: 1_795_474_800 + hour * 3_600))
            change(&item)
            return item
        }
        return Story(input).text(most: most, names: names)
    }

    /// Authors and sites are shared, a thing that was seen twice is named once, places keep together.
    @Test func aDayIsToldByPlaces() {
        let text = story([
            (8, { ($0.book, $0.place) = (("Emma", ["Jane Austen"]), "Café Central") }),
            (8.5, { ($0.book, $0.place) = (("Persuasion", ["Jane Austen"]), "Café Central") }),
            (9, { ($0.thing, $0.place) = (.init(name: "cup", confidence: 0.9), "Café Central") }),
            (18, { ($0.title, $0.site, $0.label, $0.weather) = ("Tea", "example.org", "web", "Rainy") }),
            (19, { ($0.title, $0.site, $0.label) = ("Milk", "example.org", "web") }),
            (20, { ($0.title, $0.site, $0.label) = ("Tea", "example.org", "web") }),
            (21, { $0.thing = .init(name: "eye", confidence: 0.5) }), (22, { _ in }),
        ])
        #expect(
            text
                == "In the evening, you opened “Tea” twice and “Milk” on example.org, and photographed perhaps an eye. "
                + "In the morning, at Café Central, you saw “Persuasion” and “Emma” by Jane Austen, and photographed a cup. "
                + "You also captured one picture with unknown content. It was rainy."
        )
    }

    /// An address that was not reached was not opened; a note with a secret is a note, and no picture.
    @Test func whatIsNotNamedIsWhatItIs() {
        let address = { (item: inout NarrativeInput.Item) in
            (item.label, item.title, item.isReached) = ("web", "a.example/x", false)
        }
        #expect(tell([item(address)]).statements == ["The address “a.example/x”."])
        #expect(story([(9, address)]) == "In the morning, you captured the address “a.example/x”.")
        var input = NarrativeInput()
        (input.scope, input.secrets) = (.session, ["Herrengasse 14"])
        input.items = [item { ($0.isNote, $0.title) = (true, "Herrengasse 14") }, item { $0.isNote = true }]
        #expect(RuleNarrator().tell(input).summary == "You captured two notes.")
        input.items = [item { ($0.label, $0.title, $0.isReached) = ("web", "Herrengasse 14", false) }]
        #expect(Story(input).text(most: 400, names: 6) == "You captured one address.")
    }

    /// Of thirty notes and one book, the book is first, then the newest; the rest is counted.
    @Test func theRarestIsFirst() {
        let notes = (0..<30).map { number in
            (
                hour: 9 + Double(number) / 10,
                change: { (item: inout NarrativeInput.Item) in
                    (item.isNote, item.title, item.features) = (true, "Note \(number)", ["text"])
                }
            )
        }
        let book = (
            hour: 8.0,
            change: { (item: inout NarrativeInput.Item) in
                (item.book, item.features) = (("Emma", []), ["book"])
            }
        )
        let text = story([book] + notes, counts: ["text": 30, "book": 1], names: 3)
        #expect(
            text == "In the morning, you saw “Emma”, and noted “Note 29” and “Note 28”. You also captured 28 notes."
        )
        #expect(story([book] + notes, counts: ["text": 30, "book": 1], most: 60).count <= 60)
    }

    @Test func aShelfNamesThreeOfItsBooksThatAreNotNamedOtherwise() {
        let text = story([
            (
                8,
                {
                    ($0.bookCount, $0.books) = (
                        5, [("Emma", ["Jane Austen"]), ("Dune", []), ("Ulysses", ["James Joyce"])]
                    )
                }
            ),
            (9, { $0.book = ("Dune", ["Frank Herbert"]) }),
        ])
        #expect(
            text == "In the morning, you saw “Dune” by Frank Herbert. "
                + "You also saw a shelf with five books, among them “Emma” by Jane Austen and “Ulysses” by James Joyce."
        )
    }

    @Test(arguments: [
        ("It is late", 40, "It is late."), ("Is it late?", 40, "Is it late?"), ("Late, ", 40, "Late."),
        ("The ferry crosses the Bosporus, the sea between two continents", 40, "The ferry crosses the Bosporus…"),
        ("One two three four five six seven", 20, "One two three four…"),
        ("Says “a b c d e f g h”", 16, "Says “a b c d…”."),
        ("!?", 9, ""), ("abcdefghijklmnop", 9, "abcdefg…"),
    ])
    func aSentenceIsCutBetweenWords(text: String, most: Int, sentence: String) {
        #expect(PlainText.sentence(text, most: most) == sentence)
    }

    /// Ten sessions, of which eight have books and one an "Emma": names before places before tags, by ln(11 / n).
    @Test func aSessionIsTitledByWhatSetsItApart() {
        let candidates: [SessionTitle.Candidate] = [
            .init(text: "Emma", origin: .name), .init(text: "Dune", origin: .name), .init(text: "Books", origin: .tag),
        ]
        func title(_ captures: Int, _ others: [Int]) -> String? {
            SessionTitle.title(candidates, captures: captures, sessions: 9, others: others)
        }
        #expect(title(1, [1, 0, 8]) == "Dune")
        #expect(title(2, [1, 0, 8]) == "Dune and Emma")
        #expect(title(5, [0, 0, 8]) == "Emma, Dune and 3 more")
        #expect(SessionTitle.title([], captures: 1, sessions: 0, others: []) == nil)
        #expect(
            (0...2).map { SessionTitle.repeated("1984", earlier: $0) } == ["1984", "1984, again", "1984, third time"]
        )
    }

    /// What was read, or is in a code, titles a session before its tags.
    @Test func aSessionOfTextIsTitledByIt() {
        func candidates(_ change: (inout NarrativeInput.Item) -> Void) -> [SessionTitle.Candidate] {
            var input = NarrativeInput()
            input.items = [item(change)]
            return SessionTitle.candidates(input, tags: ["Shopping"])
        }
        let tag = SessionTitle.Candidate(text: "Shopping", origin: .tag)
        let page = candidates { ($0.label, $0.transcription) = ("page", "4/12\nANNUAL REPORT\nWe grew.") }
        #expect(page == [.init(text: "ANNUAL REPORT", origin: .text), tag])
        #expect(SessionTitle.title(page, captures: 1, sessions: 0, others: [0, 0]) == "ANNUAL REPORT")
        let network = candidates { $0.codes = [.init("Wi-Fi network Luna", subject: .meaning)] }
        #expect(network == [.init(text: "Wi-Fi network Luna", origin: .name), tag])
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
