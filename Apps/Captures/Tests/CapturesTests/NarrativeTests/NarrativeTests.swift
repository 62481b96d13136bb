import Basics
import Foundation
import Testing

@testable import CaptureReading
@testable import Captures
@testable import ContextSpace

/// Narratives contain only known facts, and are always valid.
@Suite struct NarrativeTests {
    static let noon = Date(timeIntervalSince1970: 1_790_000_000)

    private func item(
        _ subject: Subject,
        _ change: (inout NarrativeInput.Item) -> Void = { _ in }
    ) -> NarrativeInput.Item {
        var item = NarrativeInput.Item(time: Self.noon, subject: subject)
        change(&item)
        return item
    }

    private func tell(_ items: NarrativeInput.Item..., secrets: [String] = []) -> Narrative {
        RuleNarrator().tell(NarrativeInput(items, secrets: secrets))
    }

    /// Returns a captured item with the items that were found in it.
    private func subject(
        _ kind: ItemKind,
        _ change: (inout CapturedItem) -> Void = { _ in },
        codes: [(kind: ItemKind, change: (inout CapturedItem) -> Void)] = []
    ) -> Subject {
        func made(_ kind: ItemKind, _ change: (inout CapturedItem) -> Void) -> CapturedItem {
            var item = CapturedItem(sessionID: UUID(), kind: kind, capturedAt: Self.noon)
            change(&item)
            return item
        }
        return Subject(made(kind, change), children: codes.map { made($0.kind, $0.change) })
    }

    @Test func aBook() {
        var book = item(Subject(.book, "Emma", makers: ["Jane Austen"]))
        book.intent = .reading
        let told = tell(book)
        #expect(told.statements == ["Reading “Emma” by Jane Austen."])
        #expect(told.summary == "Reading “Emma” by Jane Austen.")
        #expect(told.purpose == "Reading")
        #expect(told.tags == ["Books", "Reading"])
        #expect(told.problems.isEmpty)
    }

    @Test func nothingIsMadeUp() {
        #expect(tell().statements == ["Pictures with unknown content."])
        let unknown = tell(item(Subject(.unknown)))
        #expect(unknown.statements == ["A picture with unknown content."])
        #expect(unknown.purpose == nil)
        #expect(unknown.tags.isEmpty)
    }

    /// A code with an address is not its page; a page that is opened twice is one, whatever its title was.
    @Test func aCodeAndThePageOfItsAddressAreTwoThings() {
        let address = "https://a.example/x"
        func page(_ title: String) -> NarrativeInput.Item {
            var page = Subject(.page, title)
            page.address = address
            return item(page)
        }
        let code = item(Subject(.code, address))
        #expect(tell(code, page(address)).statements.count == 2)
        #expect(tell(page(address), page("Tea"), code, code).statements.count == 2)
    }

    @Test func whatIsSaidOfEachKind() {
        func told(_ kind: ItemKind, _ change: (inout CapturedItem) -> Void) -> String {
            subject(kind, change).sentence
        }
        #expect(
            told(.web) { item in
                item.enrichment.title = "Tea"
                item.enrichment.webContext = WebContext(siteName: "example.org")
            } == "Opening “Tea” on example.org."
        )
        #expect(told(.web) { $0.url = "https://a.example/x" } == "The address “https://a.example/x”.")
        #expect(
            told(.media) { $0.enrichment.musicContext = MusicContext(title: "Blue", artists: ["Joni Mitchell"]) }
                == "Listening to “Blue” by Joni Mitchell."
        )
        let page = { (item: inout CapturedItem) in
            (item.labels, item.media.transcription) = (["page": 0.9], "It was\nlate.")
        }
        #expect(told(.image, page) == "Reading a page that begins “It was late.”.")
        #expect(
            [0.9, 0.5, 0.3].map { sure in told(.image) { $0.labels = ["eye": sure] } }
                == ["An eye.", "Perhaps an eye.", "A picture with unknown content."]
        )
        let place = tell(item(Subject(.music, "Blue")) { $0.place = "Café Central" })
        #expect(place.locationStatements == ["At Café Central."])
        var shelf = Subject(.shelf)
        shelf.count = 12
        #expect(shelf.sentence == "A shelf with twelve books.")
    }

    @Test func theHomesAddressIsNotTold() {
        let street = "Herrengasse 14"
        let told = tell(
            item(Subject(.text, "Herrengasse 14, Wien")) {
                ($0.written, $0.place, $0.categories) = ("Herrengasse 14, Wien", street, [street])
            },
            secrets: [street]
        )
        #expect(!"\(told)".contains("Herrengasse"))
        #expect(told.problems.isEmpty)
        // Spread over two texts, it is in neither.
        let spread = NarrativeInput(
            [item(Subject(.book, "Herrengasse")) { $0.categories = ["14"] }],
            secrets: [street]
        )
        #expect(spread.items[0].categories.isEmpty && spread.items[0].subject == Subject(.book))
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
        func chance(_ of: UInt64) -> Bool { random.next() % of == 0 }
        for _ in 0..<600 {
            let items = (0..<(random.next() % 5)).map { _ in
                var item = CapturedItem(
                    sessionID: UUID(),
                    kind: ItemKind.allCases[Int(random.next() % UInt64(ItemKind.allCases.count))],
                    capturedAt: Self.noon
                )
                (item.labels, item.enrichment.title, item.media.transcription) = ([part(): 0.7], part(), part())
                item.enrichment.webContext = WebContext(siteName: part(), textContent: part())
                item.enrichment.placeContext = PlaceContext(name: part())
                item.enrichment.categories = [part(), part()]
                if chance(2) { item.enrichment.bookContext = BookContext(title: part(), authors: [part(), part()]) }
                if chance(2) { item.enrichment.musicContext = MusicContext(title: part(), artists: [part()]) }
                if chance(3) { item.enrichment.qrContext = QRCodeContext(payload: part()) }
                var child = CapturedItem(sessionID: UUID(), kind: .book, capturedAt: Self.noon)
                child.enrichment.bookContext = BookContext(title: part())
                return NarrativeInput.Item(item, children: chance(2) ? [child] : [])
            }
            let input = NarrativeInput(
                items,
                scope: [.item, .session, .day][Int(random.next() % 3)],
                concepts: [.init(name: part(), weight: 3), .init(name: part(), weight: 0.5)],
                secrets: [part()]
            )
            let told = RuleNarrator().tell(input)
            let problems = told.problems(of: input.scope)
            #expect(problems.isEmpty, "\(problems) of \(input)")
            #expect(told == RuleNarrator().tell(input))
        }
    }

    @Test func aPictureWithCodesSaysWhatTheyAre() {
        func told(_ codes: (ItemKind, String, String?)..., text: String = "SCAN ME") -> Subject {
            subject(
                .image,
                { ($0.labels, $0.media.transcription) = (["code": 1], text) },
                codes: codes.map { kind, payload, name in
                    (
                        kind,
                        { item in
                            item.enrichment.qrContext = QRCodeContext(payload: payload)
                            if kind == .book { item.enrichment.bookContext = BookContext(title: name, isbn: payload) }
                        }
                    )
                }
            )
        }
        #expect(told((.book, "9780141439587", nil)).sentence == "Scanning the code of a book, “9780141439587”.")
        let named = told((.book, "9780141439587", "Emma"))
        #expect(named.sentence == "Scanning the code of the book “Emma”." && named.name == "Emma")
        #expect(told((.product, "90024901", nil)).sentence == "Scanning the code of a product, “90024901”.")
        #expect(told((.product, "90024901", nil), text: "").name == "Product 90024901")
        #expect(told((.qrCode, "WIFI:a", nil)).sentence == "Scanning a code with the text “WIFI:a”.")
        // A sheet with codes is called by its heading.
        let sheet = told((.web, "https://a.example/x", nil), (.qrCode, "b", nil))
        #expect(sheet.sentence == "Scanning a code that leads to “https://a.example/x” and one more.")
        #expect(sheet.name == "SCAN ME")
    }

    /// One letter may carry any number of marks.
    @Test func marksWithoutEndMakeNoLongText() {
        let text = "a" + String(repeating: "\u{301}", count: 400_000)
        for kind in [ItemKind.image, .document, .web, .qrCode, .text] {
            var item = CapturedItem(sessionID: UUID(), kind: kind, capturedAt: Self.noon)
            (item.media.transcription, item.enrichment.title, item.enrichment.categories) = (text, text, [text])
            item.enrichment.webContext = WebContext(textContent: "\(text) b c d.")
            item.enrichment.placeContext = PlaceContext(name: text)
            if kind == .qrCode { item.enrichment.qrContext = QRCodeContext(payload: text) }
            let told = tell(NarrativeInput.Item(item))
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

    /// Returns the story of subjects at hours of a day.
    private func story(
        _ items: [(hour: Double, subject: Subject, change: (inout NarrativeInput.Item) -> Void)],
        counts: [String: Int] = [:],
        most: Int = 1_000,
        names: Int = 12
    ) -> String {
        var input = NarrativeInput(
            items.map { hour, subject, change in
                var item = NarrativeInput.Item(time: Self.noon.addingTimeInterval(hour * 3_600), subject: subject)
                change(&item)
                return item
            },
            scope: .day
        )
        input.counts = counts
        return Story(input).text(most: most, names: names)
    }

    private static func thing(_ name: String, _ certainty: Double) -> Subject {
        var subject = Subject(.thing)
        (subject.text, subject.certainty) = (name, certainty)
        return subject
    }

    /// Three sentences: what is named, by titles; where; and the rest. A thing that was seen twice is named once.
    @Test func aDayIsToldInThreeSentences() {
        let central = { (item: inout NarrativeInput.Item) in item.place = "Café Central" }
        let text = story([
            (8, Subject(.book, "Emma", makers: ["Jane Austen"]), central),
            (8.5, Subject(.book, "Persuasion", makers: ["Jane Austen"]), central),
            (9, Self.thing("cup", 0.9), central), (18, Subject(.page, "Tea"), { $0.isHome = true }),
            (19, Subject(.page, "Milk"), { _ in }), (20, Subject(.page, "Tea"), { _ in }),
            (21, Self.thing("eye", 0.5), { _ in }), (22, Subject(.unknown), { _ in }),
        ])
        #expect(
            text
                == "You photographed perhaps an eye and a cup, opened “Tea” and “Milk”, and saw “Persuasion” and “Emma”. "
                + "You were at Café Central and at home. You also captured one picture with unknown content."
        )
    }

    /// An address that was not reached was not opened; a note with a secret is a note, and no picture.
    @Test func whatIsNotNamedIsWhatItIs() {
        #expect(story([(9, Subject(.address, "a.example/x"), { _ in })]) == "You captured the address “a.example/x”.")
        func told(_ items: NarrativeInput.Item...) -> String {
            RuleNarrator().tell(NarrativeInput(items, scope: .session, secrets: ["Herrengasse 14"])).summary
        }
        let secret = item(Subject(.note, "Herrengasse 14"))
        #expect(told(secret, item(Subject(.note))) == "You captured two notes.")
        #expect(told(secret) == "[redacted].")
        #expect(
            told(item(Subject(.address, "Herrengasse 14")), item(Subject(.address))) == "You captured two addresses."
        )
    }

    /// Of thirty notes and one book, the book is first, then the newest; the rest is counted.
    @Test func theRarestIsFirst() {
        let notes = (0..<30).map { number in
            (
                hour: 9 + Double(number) / 10, subject: Subject(.note, "Note \(number)"),
                change: { (item: inout NarrativeInput.Item) in item.features = ["text"] }
            )
        }
        let book = (
            hour: 8.0, subject: Subject(.book, "Emma"),
            change: { (item: inout NarrativeInput.Item) in item.features = ["book"] }
        )
        let text = story([book] + notes, counts: ["text": 30, "book": 1], names: 3)
        #expect(text == "You saw “Emma”, and noted “Note 29” and “Note 28”. You also captured 28 notes.")
        #expect(story([book] + notes, counts: ["text": 30, "book": 1], most: 60).count <= 60)
    }

    @Test func aShelfNamesThreeOfItsBooksThatAreNotNamedOtherwise() {
        var shelf = Subject(.shelf)
        (shelf.books, shelf.count) = (["Emma", "Dune", "Ulysses"].map { Work(title: $0) }, 5)
        let text = story([(8, shelf, { _ in }), (9, Subject(.book, "Dune"), { _ in })])
        #expect(text == "You saw “Dune”, and a shelf with five books, among them “Emma” and “Ulysses”.")
        #expect(
            story([(8, shelf, { _ in }), (9, Subject(.shelf), { _ in })])
                == "You saw a shelf with five books, among them “Emma”, “Dune” and “Ulysses”. You also captured one shelf of books."
        )
        #expect(shelf.name == "Emma, Dune and 3 more books")
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

    /// What was read, or is in a code, titles a session before its tags; a spine that nobody identified does not.
    @Test func aSessionOfTextIsTitledByIt() {
        func candidates(_ subject: Subject) -> [SessionTitle.Candidate] {
            SessionTitle.candidates(NarrativeInput([item(subject)]), tags: ["Shopping"])
        }
        let tag = SessionTitle.Candidate(text: "Shopping", origin: .tag)
        let report = { (item: inout CapturedItem) in
            (item.labels, item.media.transcription) = (["page": 1], "4/12\nANNUAL REPORT\nWe grew.")
        }
        let page = candidates(subject(.image, report))
        #expect(page == [.init(text: "ANNUAL REPORT", origin: .text), tag])
        #expect(SessionTitle.title(page, captures: 1, sessions: 0, others: [0, 0]) == "ANNUAL REPORT")
        let network = { (item: inout CapturedItem) in
            item.enrichment.qrContext = QRCodeContext(payload: "WIFI:S:Luna;;", meaning: CodeMeaning("WIFI:S:Luna;;"))
        }
        #expect(candidates(subject(.qrCode, network)) == [.init(text: "Wi-Fi network Luna", origin: .name), tag])
        let spine = subject(.book) { $0.media.transcription = "LEM SOLARIS" }
        #expect(candidates(spine) == [tag] && spine.words.isEmpty && spine.name == "Not identified")
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
