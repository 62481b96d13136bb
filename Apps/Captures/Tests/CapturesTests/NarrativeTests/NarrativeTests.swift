import Basics
import Foundation
import Testing

@testable import CaptureReading
@testable import CaptureSpace
@testable import Captures

/// Narratives contain only known facts, and are always valid; what they say of each kind is in `SaidOfItemsTests`.
@Suite struct NarrativeTests {
    private static let noon = Date(timeIntervalSince1970: 1_790_000_000)

    private func item(
        _ subject: Subject,
        _ change: (inout NarrativeInput.Item) -> Void = { _ in }
    ) -> NarrativeInput.Item {
        var item = NarrativeInput.Item(time: Self.noon, subject: subject)
        change(&item)
        return item
    }

    /// A code with an address is not its page; a page that is opened twice is one, whatever its title was.
    @Test func aCodeAndThePageOfItsAddressAreTwoThings() {
        func page(_ title: String) -> NarrativeInput.Item {
            var page = Subject(.page, title)
            page.address = "https://a.example/x"
            return item(page)
        }
        let code = item(Subject(.code, "https://a.example/x"))
        let items = [page("https://a.example/x"), page("Tea"), code, code]
        #expect(RuleNarrator().narrative(of: NarrativeInput(items)).statements.count == 2)
    }

    @Test func theHomesAddressIsNotSaid() {
        let street = "Herrengasse 14"
        let text = item(Subject(.text, "Herrengasse 14, Wien")) {
            ($0.written, $0.place, $0.categories) = ("Herrengasse 14, Wien", street, [street])
        }
        let narrative = RuleNarrator().narrative(of: NarrativeInput([text], secrets: [street]))
        #expect(!"\(narrative)".contains("Herrengasse") && narrative.problems().isEmpty)
        // Spread over two texts, it is in neither.
        let spread = item(Subject(.book, "Herrengasse")) { $0.categories = ["14"] }
        let input = NarrativeInput([spread], secrets: [street])
        #expect(input.items[0].categories.isEmpty && input.items[0].subject == Subject(.book))
    }

    /// Spaces, joins, hyphens, order and the form of the letters do not matter.
    @Test(arguments: [
        ("Herrengasse14", true), ("HERREN-\nGASSE 14", true), ("H e r r e n g a s s e 1 4", true),
        ("Herrengasse Nr. 14", true),
        ("at 14 Herrengasse, Wien", true), ("\u{1D407}errengasse 14", true),
        ("Said. Herrengasse. At 14, 1010 Wien.", true),
        ("Herrengasse", false), ("14 people", false), ("Herrengasse and the house that has number 14", false),
        ("", false),
    ])
    func aSecretIsKnownInOtherForms(text: String, isSaid: Bool) {
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
            // One letter may carry any number of marks.
            "a" + String(repeating: "\u{301}", count: 20_000),
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
                (item.labels, item.said.title, item.media.transcription) = ([part(): 0.7], part(), part())
                item.said.webContext = WebContext(siteName: part(), textContent: part())
                item.said.placeContext = PlaceContext(name: part())
                item.said.categories = [part(), part()]
                if chance(2) { item.said.bookContext = BookContext(title: part(), authors: [part(), part()]) }
                if chance(2) { item.said.musicContext = MusicContext(title: part(), artists: [part()]) }
                if chance(3) { item.said.qrContext = QRCodeContext(payload: part()) }
                var child = CapturedItem(sessionID: UUID(), kind: .book, capturedAt: Self.noon)
                child.said.bookContext = BookContext(title: part())
                return NarrativeInput.Item(item, children: chance(2) ? [child] : [])
            }
            let input = NarrativeInput(
                items,
                scope: [.item, .session, .day][Int(random.next() % 3)],
                concepts: [.init(name: part(), weight: 3), .init(name: part(), weight: 0.5)],
                secrets: [part()]
            )
            let narrative = RuleNarrator().narrative(of: input)
            let problems = narrative.problems(of: input.scope)
            #expect(problems.isEmpty, "\(problems) of \(input)")
            #expect(narrative == RuleNarrator().narrative(of: input))
        }
    }

    @Test func whatIsWrongIsNamed() {
        let bad = Narrative(
            summary: " ",
            statements: ["no stop", "b.", "c."],
            purpose: String(repeating: "p", count: 81),
            tags: ["a", "A", "t\u{7}"]
        )
        #expect(
            bad.problems() == [
                "summary is empty", "3 statements", "statement does not end with a full stop",
                "purpose has 81 characters; at most 80", "tag has control characters", "duplicate tag",
            ]
        )
        #expect(Narrative(summary: "A.").problems() == ["no statement"])
        let marks = "a" + String(repeating: "\u{301}", count: 2_000) + "."
        #expect(Narrative(summary: marks, statements: ["A."]).problems() == ["summary has 4002 bytes; at most 1600"])
    }

    // MARK: - Stories

    /// Returns the story of a day's items, each a minute after the one before.
    private func story(_ items: [NarrativeInput.Item], most: Int = 1_000, names: Int = 12) -> String {
        var input = NarrativeInput(items, scope: .day)
        for index in items.indices { input.items[index].time += Double(index) * 60 }
        input.counts = Dictionary(items.flatMap(\.features).map { ($0, 1) }, uniquingKeysWith: +)
        return Story(input).text(most: most, names: names)
    }

    /// What is named, by titles; where; the rest: a thing that was seen twice is named once.
    @Test func aDayIsThreeSentences() {
        func thing(_ name: String, _ certainty: Double) -> Subject {
            var subject = Subject(.thing)
            (subject.text, subject.certainty) = (name, certainty)
            return subject
        }
        let central = { (item: inout NarrativeInput.Item) in item.place = "Café Central" }
        let text = story([
            item(Subject(.book, "Emma", makers: ["Jane Austen"]), central), item(Subject(.book, "Persuasion"), central),
            item(thing("cup", 0.9)), item(Subject(.page, "Tea")) { $0.isHome = true }, item(Subject(.page, "Milk")),
            item(Subject(.page, "Tea")), item(thing("eye", 0.5)), item(Subject(.address, "a.example/x")),
            item(Subject(.unknown)),
        ])
        #expect(
            text
                == "You captured the address “a.example/x”, photographed perhaps an eye and a cup, opened “Tea” and “Milk”, and saw “Persuasion” and “Emma”. "
                + "You were at Café Central and at home. You also captured one picture with unknown content."
        )
    }

    /// A note with a secret is a note.
    @Test func whatIsNotNamedIsWhatItIs() {
        func summary(_ items: NarrativeInput.Item...) -> String {
            RuleNarrator().narrative(of: NarrativeInput(items, scope: .session, secrets: ["Herrengasse 14"])).summary
        }
        let secret = item(Subject(.note, "Herrengasse 14"))
        #expect(summary(secret, item(Subject(.note))) == "You captured two notes.")
        #expect(summary(secret) == "[redacted]." && summary() == "Pictures with unknown content.")
    }

    /// Of thirty notes and one book, the book is first, then the newest; the rest is counted.
    @Test func theRarestIsFirst() {
        let items =
            [item(Subject(.book, "Emma")) { $0.features = ["book"] }]
            + (0..<30).map { number in item(Subject(.note, "Note \(number)")) { $0.features = ["text"] } }
        let text = story(items, names: 3)
        #expect(text == "You saw “Emma”, and noted “Note 29” and “Note 28”. You also captured 28 notes.")
        #expect(story(items, most: 60).count <= 60)
    }

    @Test func aShelfNamesThreeOfItsBooksThatAreNotNamedOtherwise() {
        var shelf = Subject(.shelf)
        (shelf.books, shelf.count) = (["Emma", "Dune", "Ulysses"].map { Subject(.book, $0) }, 5)
        let text = story([item(shelf), item(Subject(.book, "Dune")), item(Subject(.shelf))])
        #expect(
            text
                == "You saw “Dune”, and a shelf with five books, among them “Emma” and “Ulysses”. You also captured one shelf of books."
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

    // MARK: - Sentences

    /// Three sentences share words, one shares none: by hand, it comes last.
    @Test func theSentenceThatSharesNothingComesLast() {
        let text = """
            The library lends old books to readers. Readers of old books love the library. \
            Bananas ripen quickly overseas. Old books fill the library of readers.
            """
        let best = TextRank.sentences(of: text, count: 3)
        #expect(best.count == 3 && !best.contains { $0.contains("Bananas") })
        #expect(TextRank.sentences(of: "", count: 2).isEmpty)
        #expect(TextRank.sentences(of: "Only one sentence here.", count: 2) == ["Only one sentence here."])
    }

    /// A chain a-b-c with equal weights: scores by hand of s = 0.15 + 0.85 * sum of shares: the middle 1.4595, ends
    /// 0.7703.
    @Test func ranksByHand() {
        let scores = TextRank.rank([["a", "b"], ["b", "c"], ["c", "d"]])
        #expect(zip(scores, [0.770_270, 1.459_459, 0.770_270]).allSatisfy { abs($0 - $1) < 1e-4 })
    }
}
