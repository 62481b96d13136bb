import Basics
import BookCatalogue
import Foundation
import GRDB
import Imaging
import ScanningPipeline
import TestSupport
import Testing
import TextRecognition
import VisualSearch

@testable import CaptureReading
@testable import CaptureSpace
@testable import Captures

/// Pipeline as shipped, with codes alone: waiting items are read, enriched, described, and saved.
@Suite(.inTurns) struct CapturePipelineTests {
    static let isbn = "9780141439587"

    private func catalogue() throws -> BookCatalogue {
        let emma = BookRecord(title: "Emma", authors: ["Jane Austen"], isbn: ISBN(Self.isbn))
        return try BookCatalogue(books: [emma], name: "test")
    }

    private func books() throws -> [any EnrichmentProvider] { [BookProvider(catalogue: try catalogue())] }

    private func barCode() throws -> [UInt8] { try DrawnCode.ean13(Self.isbn).png() }

    @Test func theBarCodeOfABookBecomesTheBook() async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured(barCode())
        try await store.process(books())
        let kept = try #require(try store.item(item.id))
        #expect(kept.state == .ready)
        #expect(kept.labels == ["code": 37.0 / 38])
        let child = try #require(try store.children(of: item.id).first)
        #expect(child.kind == .book && child.title == "Emma")
        #expect(child.enrichment.qrContext?.payload == Self.isbn)
        #expect(child.enrichment.qrContext?.symbology == "EAN-13")
        #expect(child.enrichment.bookContext?.authors == ["Jane Austen"])
        #expect(child.statements == ["Reading “Emma” by Jane Austen."])
        #expect(try store.picture(.thumbnail, of: item.id)?.isEmpty == false)
        #expect(try store.transfers().isEmpty)
        // The capture is described again when what was found in it has got its name.
        #expect(kept.statements == ["Scanning the code of the book “Emma” by Jane Austen."])
        #expect(try store.session(item.sessionID)?.title == "Emma")
        // A later session with the same book is set apart.
        let again = try store.captured(barCode())
        try await store.process(books())
        #expect(try store.session(again.sessionID)?.title == "Emma, again")
    }

    /// A shelf is one by its spines; those without a book are drafts, and reading it again doubles none.
    @Test func aShelfKeepsTheSpinesThatAreNotIdentified() async throws {
        let store = try CaptureStore.inMemory()
        let shelf = ScriptedShelf(["SOLARIS", "EMMA JANE AUSTEN", "796 ESPORTS", "ATLES UNIVERSAL"])
        let item = try store.captured(ImageCodec.encodePNG(shelf.picture))
        let books = try catalogue()
        let matcher = try CatalogueMatcher(catalogue: books)
        struct Nothing: SpineTextReader {
            func read(_ image: RasterImage) throws -> SpineReading {
                SpineReading(lines: [], orientation: nil, timings: StageTimings())
            }
        }
        let reader = SpineScanner(reader: Nothing())
        let spines = SpinePipeline(reader: reader, shelf: shelf.reader) { try matcher.match($0, readings: 1) }
        let pipeline = CapturePipeline(
            store: store,
            processor: IntelligenceProcessor(search: EntitySearch(spines, catalogue: books, library: nil)),
            enricher: Enricher([], clock: ManualClock())
        )
        for _ in 0..<2 {
            try await pipeline.processAll(lock: try #require(try store.beginProcessing()))
            let kept = try #require(try store.item(item.id))
            #expect(kept.kind == .shelf && kept.labels["bookshelf"] != nil)
            #expect(kept.title == "Emma and 3 more books")
            #expect(kept.log.contains { $0.outcome == "bookshelf: 4 spines, 1 identified" })
            let children = try store.children(of: item.id)
            let unknown = "Not identified"
            #expect(children.map(\.title) == [unknown, "Emma", unknown, unknown])
            #expect(children.map(\.state) == [.review, .ready, .review, .review])
            #expect(children.allSatisfy { $0.pictures[.thumbnail] != nil && $0.outline != nil })
            try store.reprocess(session: item.sessionID)
        }
    }

    /// Keeps a QR code as found on a picture.
    private func keep(_ payload: String, on item: CapturedItem, in store: CaptureStore) throws {
        let code = FoundCode(symbology: .qr, payload: payload, minX: 0, minY: 0, maxX: 1, maxY: 1)
        try store.keepChildren(
            of: item.id,
            [("code:\(payload)", code.kind, { code.describe(&$0, in: SceneReading(width: 9, height: 9)) })]
        )
    }

    /// A GS1 Digital Link and a `urn:isbn` are the book that they name, as its bar code is.
    @Test(arguments: ["https://id.gs1.org/01/0\(isbn)", "urn:isbn:\(isbn)", "ISBN 978-0-14-143958-7"])
    func theCodeOfABookBecomesTheBook(payload: String) async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured(barCode())
        try keep(payload, on: item, in: store)
        try await store.process(books())
        let child = try #require(try store.children(of: item.id).first { $0.enrichment.qrContext?.payload == payload })
        #expect(child.kind == .book && child.title == "Emma")
        #expect(child.enrichment.bookContext?.isbn == Self.isbn)
        #expect(child.statements == ["Reading “Emma” by Jane Austen."])
    }

    /// A number that was typed, in any spelling, is its book's; a note with other words stays a note, and has the book as a
    /// fact.
    @Test(arguments: [
        ("ISBN 978-0-14-143958-7", ItemKind.book), ("0-14-143958-0", .book), ("isbn-13: 978 0141439587", .book),
        ("Lend Anna and Berta the book 9780141439587 on Monday", .text), ("For Ben: ISBN 9780141439587", .text),
    ])
    func aPrintedNumberNamesItsBook(text: String, kind: ItemKind) async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured(text)
        try await store.process(books())
        let kept = try #require(try store.item(item.id))
        #expect(kept.kind == kind && kept.enrichment.bookContext?.title == "Emma")
        #expect(kept.title == (kind == .text ? text : "Emma"))
        #expect(kept.statements == [kind == .text ? "Noting “\(text)”." : "Reading “Emma” by Jane Austen."])
    }

    /// Secrets of a code or an address are stored, and in no displayed text or description.
    @Test(arguments: [
        ("WIFI:T:WPA;S:Lighthouse;P:secret-1234;;", "secret-1234"), (#"WIFI:P:se\;zq9k;S:Quay;T:WPA;;"#, "zq9k"),
        ("otpauth://totp/Example:alice?secret=JBSWY3DPEHPK3PXP&issuer=Example", "JBSWY3DPEHPK3PXP"),
        ("https://keeper:lanternlight@example.org/log", "lanternlight"),
        ("https://example.org/?token=abcdef123456", "abcdef123456"),
    ])
    func secretsAreKeptAndNotShown(payload: String, secret: String) async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured(barCode())
        try keep(payload, on: item, in: store)
        let isAddress = payload.hasPrefix("https:")
        if isAddress { try store.captured(address: payload, in: item.sessionID) }
        try await store.process()
        let items = try store.items(of: item.sessionID)
        let kept = try items.compactMap { try store.secret(of: $0.id) }
        #expect(kept.contains { $0.payload == payload } && kept.count == (isAddress ? 2 : 1))
        #expect(
            items.contains { $0.hasSecret == true && $0.enrichment.qrContext?.payload.contains("[redacted]") == true }
        )
        let session = try #require(try store.session(item.sessionID))
        let day = try store.dayStory(of: Date().addingTimeInterval(1), calendar: Calendar(identifier: .gregorian))?.text
        var shown = [session.title, session.summary ?? "", day ?? ""] + session.statements + session.tags
        shown += items.flatMap { $0.log.map(\.outcome) + [$0.searchText] }
        shown.append(try StoredJSON.encode(items) + StoredJSON.encode(store.sessions(limit: 9)))
        for text in shown { #expect(!text.contains(secret)) }
        // A copy has the secrets, too.
        let copy = try store.duplicate(session: item.sessionID, at: Date())
        #expect(try store.items(of: copy.id).compactMap { try store.secret(of: $0.id) } == kept)
    }

    @Test func lookingAgainLosesNothingAndDoublesNothing() async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured(barCode())
        try await store.process(books())
        let before = try store.items(of: item.sessionID)
        try store.reprocess(session: item.sessionID)
        try await store.process([Source(.catalogue) { _, _ in throw EnrichmentError.refused("the service is gone") }])
        let after = try store.items(of: item.sessionID)
        #expect(after.map(\.id) == before.map(\.id))
        #expect(after.map(\.enrichment) == before.map(\.enrichment))
        #expect(after.map(\.title) == before.map(\.title))
        #expect(after.allSatisfy { $0.state == .incomplete && $0.retryAt == nil })
        #expect(after.last?.problems.map(\.reason) == ["the service is gone"])
        #expect(after.last?.log.last { $0.stage == "book" }?.outcome == "failed: the service is gone")
    }

    @Test func aBrokenPictureFailsAloneAndSaysWhy() async throws {
        let store = try CaptureStore.inMemory()
        let whole = try barCode()
        let broken = try store.captured(Array(whole.prefix(whole.count / 2)), name: "cut.png")
        let other = try store.captured(whole, in: broken.sessionID)
        try await store.process()
        let failed = try #require(try store.item(broken.id))
        #expect(failed.state == .failed)
        #expect(failed.lastError?.isEmpty == false)
        #expect(try store.item(other.id)?.state == .ready)
        #expect(try store.counts().unfinished == 0)
    }

    /// A user's name stays; the pipeline's own changes with the known facts.
    @Test func aNameOfTheUsersStays() async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured(barCode())
        try store.update(session: item.sessionID) { ($0.title, $0.titleSource) = ("Mine", .user) }
        try await store.process(books())
        #expect(try store.session(item.sessionID)?.title == "Mine")
    }

    @Test func vectorsOfSeveralSpacesStandSideBySide() async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured("Tea")
        for (space, value) in [("a", Float(1)), ("b", 2), ("a", 3)] {
            try store.keep(vectors: [(item.id, [value])], space: space)
        }
        let (a, b) = (try store.vectors(of: "a"), try store.vectors(of: "b"))
        #expect(a.map(\.values) == [[3]] && b.map(\.values) == [[2]])
        #expect(try store.vectors(of: "a", after: a[0].sequence).isEmpty)
        #expect(try store.itemsWithoutVector(of: "a", after: 0, limit: 9).items.isEmpty)
        #expect(try store.itemsWithoutVector(of: "c", after: 0, limit: 9).items.map(\.id) == [item.id])
    }

    /// An open memory sees the captures and deletions of others, by meaning, too.
    @Test func theSpaceFollowsTheStore() async throws {
        let store = try CaptureStore.inMemory()
        let memory = store.memory
        func first(_ query: String) async throws -> UUID? {
            while try await memory.prepare() > 0 {}
            return try await memory.find(query).first { $0.match == .meaning }?.item
        }
        let tea = try store.captured("green tea from Japan")
        try store.captured("bicycle repair")
        #expect(try await first("green teas") == tea.id)
        let other = try store.captured("green tea")
        #expect(try await first("green teas") == other.id)
        try store.delete(item: other.id)
        #expect(try await first("green teas") == tea.id)
    }

    @Test func theDayIsKeptAndGrows() async throws {
        let store = try CaptureStore.inMemory()
        let calendar = Calendar.current
        let (today, yesterday) = (Date(), Date().addingTimeInterval(-86_400))
        try store.captured("Buy milk", at: yesterday)
        try await store.process()
        let first = try #require(try store.dayStory(of: yesterday, calendar: calendar))
        #expect(first.text.contains("noted “Buy milk”") && first.captures == 1 && first.narrator == "rules")
        #expect(try store.dayStory(of: today, calendar: calendar) == nil)
        let cat = try store.captured("Feed the cat", at: yesterday.addingTimeInterval(0.5))
        try store.captured("Call Anna", at: today)
        try await store.process()
        let grown = try #require(try store.dayStory(of: yesterday, calendar: calendar))
        #expect(grown.text.contains("milk") && grown.text.contains("cat") && grown.captures == 2)
        #expect(try store.days(limit: 9, calendar: calendar).map(\.captures) == [1, 2])
        // It is read, not written, until something changes; what is deleted is not in it.
        let revision = try store.revision()
        #expect(try store.dayStory(of: yesterday, calendar: calendar) == grown)
        #expect(try store.revision() == revision)
        try store.delete(item: cat.id)
        #expect(try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM day WHERE body LIKE '%cat%'") } == 0)
        #expect(try store.dayStory(of: yesterday, calendar: calendar)?.text.contains("cat") == false)
        for session in try store.sessions(limit: 9) { try store.delete(session: session.id) }
        #expect(try store.days(limit: 9, calendar: calendar).isEmpty)
    }

    /// Notes on coffee, code and volcanoes of Java: a heavier concept adds more, and the hit says so.
    @Test func aConceptRaisesWhatIsNearToIt() async throws {
        let store = try CaptureStore.inMemory()
        for text in ["coffee from java", "java code and more code", "java volcano"] { try store.captured(text) }
        let memory = store.memory
        var scores: [Float] = []
        for weight in [1.0, 1.21, 3, 10] {
            try store.keep(UserConcept(name: "coffee java", weight: weight))
            while try await memory.prepare() > 0 {}
            let hit = try #require(try await memory.find("java").first { $0.raised.isEmpty == (weight == 1) })
            scores.append(hit.score - hit.cosine)
            if weight == 10 { #expect(hit.raised.first?.concept == "coffee java") }
        }
        #expect(scores[0] == 0 && zip(scores, scores.dropFirst()).allSatisfy { $0 < $1 }, "\(scores)")
    }

    /// At home, concepts of home come before heavier ones; elsewhere they do not.
    @Test func conceptsOfHomeArePreferredAtHome() throws {
        var item = NarrativeInput.Item(time: Date(timeIntervalSince1970: 0))
        item.written = "plants and tickets"
        var input = NarrativeInput(
            [item],
            concepts: [.init(name: "Ticket", weight: 2), .init(name: "Plant", weight: 1.5, isOfHome: true)]
        )
        #expect(RuleNarrator().narrative(of: input).tags == ["Ticket", "Plant"])
        input.items[0].isHome = true
        #expect(RuleNarrator().narrative(of: input).tags == ["Plant", "Ticket"])
    }

    @Test func theAddressOfAHomeAndItsStreetAreSecrets() throws {
        let home = #"{"home": {"latitude": 48.21, "longitude": 16.36, "address": "Herrengasse 14, 1010 Wien"}}"#
        let file = try EnrichmentConfiguration(Array(home.utf8), name: "providers.json", environment: [:])
        #expect(file.secrets == ["Herrengasse 14, 1010 Wien", "Herrengasse 14"])
    }

    @Test func whatIsCancelledWaitsAgain() async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured("a b")
        let (stream, started) = AsyncStream.makeStream(of: Void.self)
        let slow = Source(.link) { _, _ in
            started.yield()
            try await Task.sleep(for: .seconds(3_600))
            return nil
        }
        let work = Task { try await store.process([slow]) }
        for await _ in stream { break }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(try store.item(item.id)?.state == .queued)
    }

    // MARK: - What can be captured

    @Test(arguments: [
        ("", "is empty"), ("\u{0}\u{1}binary", "neither"), ("   \n", "spaces"),
    ])
    func whatIsNothingIsNamed(text: String, words: String) throws {
        let error = try #require(throws: CaptureError.self) {
            try CaptureIntake.capture(Array(text.utf8), name: "x.bin", at: Date())
        }
        #expect(error.description.hasPrefix("x.bin: ") && error.description.contains(words))
    }

    @Test(arguments: [
        ("https://example.org/a?b=1", true), ("HTTP://EXAMPLE.ORG", true), ("  https://example.org \n", true),
        ("ftp://example.org", false), ("javascript:alert(1)", false), ("https://", false), ("see https://a.org", false),
    ])
    func aTextThatIsAnAddressIsOne(text: String, isAddress: Bool) throws {
        let new = try CaptureIntake.capture(Array(text.utf8), name: "n.txt", at: Date())
        #expect((new.kind == .web) == isAddress)
        #expect((new.url != nil) == isAddress)
    }

    @Test(
        arguments: [
            ("example.com", "https://example.com"), ("www.heise.de/artikel?a=1", "https://www.heise.de/artikel?a=1"),
            (" Example.ORG/a \n", "https://Example.ORG/a"), ("http://example.de", "http://example.de"),
            ("notes.md", nil), ("www", nil), ("www.", nil), ("a..com", nil), ("name@example.com", nil),
            ("buy milk.com", nil), ("3.14", nil), (".com", nil), ("Hello", nil),
        ] as [(String, String?)]
    )
    func anAddressNeedsNoScheme(text: String, address: String?) {
        #expect(CaptureIntake.webAddress(text) == address)
    }

    /// A source's name for a thing that cannot be named replaces no existing name.
    @Test func aWeakTitleReplacesNone() async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured(barCode())
        let namer = Source(.link, Facts(title: "Untitled"))
        try await store.process([namer])
        #expect(try store.children(of: item.id).map(\.title) == ["Book \(Self.isbn)"])
        // A code of an address is described again.
        try keep("example.org/", on: item, in: store)
        try await store.process([namer])
        let page = try #require(try store.children(of: item.id).last)
        #expect(page.statements == ["Scanning a code that leads to “example.org/”."])
    }

    /// A home's address that was once named is redacted by every later narrator, from titles too.
    @Test func secretsOutliveTheProgramThatNamedThem() async throws {
        let store = try CaptureStore.inMemory()
        try store.keep(secrets: ["Herrengasse 14"])
        let item = try store.captured("Herrengasse 14 is where we meet")
        try await store.process()
        let session = try #require(try store.session(item.sessionID))
        #expect(session.summary == "[redacted].")
        #expect(!session.title.contains("Herrengasse"))
        #expect(try store.item(item.id)?.statements == ["[redacted]."])
        try store.keep(secrets: [])
        #expect(try store.secrets().isEmpty)
    }

    /// A tag that a person removes goes from the item, its session and the concepts, and never comes back.
    @Test func aRemovedTagStaysRemoved() async throws {
        let shop = Source(.link, Facts(title: "Tea", categories: ["Crossword puzzle", "Article"]))
        let store = try CaptureStore.inMemory()
        let item = try store.captured(address: "https://a.example/x")
        let memory = store.memory
        try await store.process([shop], memory: memory)
        #expect(try store.item(item.id)?.tags == ["Crossword puzzle", "Article"])
        #expect(try store.concepts().map(\.name).sorted() == ["Article", "Crossword puzzle"])
        try store.remove(tag: "crossword puzzle", from: item.id)
        for _ in 0..<2 {
            #expect(try store.item(item.id)?.tags == ["Article"])
            #expect(try store.session(item.sessionID)?.tags == ["Article"])
            #expect(try store.concepts().map(\.name) == ["Article"])
            try store.reprocess(session: item.sessionID)
            try await store.process([shop], memory: memory)
        }
        #expect(try store.remove(tag: "Article", from: UUID()) == nil)
    }

    /// Deleted items are not described any more.
    @Test func theDescriptionOfADeletedItemGoes() async throws {
        let store = try CaptureStore.inMemory()
        let first = try store.captured("A letter to Anna")
        try store.captured("Buy milk", in: first.sessionID)
        try await store.process()
        #expect(try store.session(first.sessionID)?.summary?.contains("Anna") == true)
        try store.delete(item: first.id)
        let pipeline = CapturePipeline(
            store: store,
            processor: IntelligenceProcessor(search: nil),
            enricher: Enricher([])
        )
        try await pipeline.describe(session: first.sessionID)
        let session = try #require(try store.session(first.sessionID))
        #expect(session.summary == "Noting “Buy milk”.")
        #expect(!session.title.contains("Anna"))
    }

    /// An archived session takes nothing in, and is not merged into an active one.
    @Test func anArchivedSessionStaysApart() async throws {
        let store = try CaptureStore.inMemory()
        let (away, seen) = (try store.captured("one").sessionID, try store.captured("two").sessionID)
        try await store.process()
        try store.archive(session: away)
        let refusal = CaptureFault.archived(away)
        #expect(throws: refusal) { try store.merge(session: away, into: seen) }
        #expect(throws: refusal) { try store.merge(session: seen, into: away) }
        #expect(throws: refusal) { try store.captured("three", in: away) }
        try store.unarchive(session: away)
        try store.merge(session: away, into: seen)
        #expect(try store.counts().sessions == 1)
    }
}
