import Basics
import BookCatalogue
import Foundation
import Imaging
import ScanningPipeline
import Synchronization
import TestSupport
import Testing
import TextRecognition

@testable import VisualSearch

@Suite(.inTurns) struct ContentQueryTests {
    /// Reader of the same text off every picture, which counts its calls.
    private final class CountingReader: SpineTextReader {
        let text: [String]
        /// Waited for before each reading; nil for nothing.
        let gate: DispatchSemaphore?
        private let counter = Mutex(0)
        var count: Int { counter.withLock { $0 } }

        init(_ text: [String], gate: DispatchSemaphore? = nil) {
            self.text = text
            self.gate = gate
        }

        func read(_ image: RasterImage) throws -> SpineReading {
            counter.withLock { $0 += 1 }
            gate?.wait()
            let box = Quad(left: 0, top: 0, right: 9, bottom: 9)
            let lines = text.map { RecognizedLine(text: $0, confidence: 0.99, quad: box) }
            return SpineReading(lines: lines, orientation: .clockwise)
        }
    }

    private static let books = [
        BookRecord(
            title: "Dune",
            authors: ["Frank Herbert"],
            isbn: ISBN("0441172717"),
            series: "Dune",
            language: "eng",
            popularity: 9
        ),
        BookRecord(title: "Dune Messiah", authors: ["Frank Herbert"], series: "Dune", popularity: 5),
        BookRecord(title: "The Dune Encyclopedia", authors: ["Willis McNelly"]),
        BookRecord(title: "Thérèse Raquin", authors: ["Émile Zola"], language: "fre"),
        BookRecord(title: "Wuthering Heights", authors: ["Emily Brontë"], isbn: ISBN("9780141439556"), popularity: 8),
        BookRecord(title: "Food", authors: ["A. Cook"]),
    ]

    /// Spine of 40 by 400 pixels, recognised by its shape.
    private static let spine = RasterImage(width: 400, height: 40, channels: 1, filledWith: 90)
    private static let square = RasterImage(width: 100, height: 100, channels: 1, filledWith: 90)

    /// However busy the machine is, answers count, and are waited for.
    private static let patient = {
        var settings = ContentQuery.Settings()
        (settings.validity, settings.deadline) = (.seconds(86_400), nil)
        return settings
    }()

    private func query(
        _ reader: CountingReader = CountingReader([]),
        books: [BookRecord] = books,
        library: LibraryStore? = nil,
        settings: ContentQuery.Settings = patient,
        shelf: ShelfReader? = nil,
        clock: some Clock<Duration> = ContinuousClock()
    ) throws -> ContentQuery {
        let catalogue = try BookCatalogue(books: books, name: "test")
        let matcher = try CatalogueMatcher(catalogue: catalogue)
        let pipeline = SpinePipeline(reader: SpineScanner(reader: reader), shelf: shelf) {
            try matcher.match($0, readings: 1)
        }
        let search = EntitySearch(pipeline, catalogue: catalogue, library: library)
        return ContentQuery(search, settings: settings, clock: clock)
    }

    private static func question(
        _ labels: String...,
        of picture: RasterImage? = nil,
        language: String = "en"
    ) -> ContentDescriptor {
        let picture = picture.map(ContentDescriptor.Picture.pixels)
        return ContentDescriptor(labels: labels, picture: picture, language: language)
    }

    private func book(_ result: VisualSearchResult?) throws -> BookEntity {
        try #require(result.flatMap { if case .book(let book) = $0 { book } else { nil } })
    }

    private func titles(_ page: ResultPage) -> [String] {
        page.results.map { result in
            switch result {
            case .book(let book): book.title
            case .shelf(let shelf): "[\(shelf.name)]"
            }
        }
    }

    @Test(
        "labels and picture, present or absent: S1-04",
        arguments: [
            ([], false, []), (["book"], false, []), (["food"], false, ["Food"]),
            ([], true, ["Wuthering Heights"]), (["book"], true, ["Wuthering Heights"]),
            // The system's label of the thing does not overrule a sure reading.
            (["food"], true, ["Wuthering Heights"]),
        ] as [([String], Bool, [String])]
    )
    func fourCases(labels: [String], hasPicture: Bool, expected: [String]) async throws {
        let query = try query(CountingReader(["WUTHERING HEIGHTS", "EMILY BRONTE"]))
        let descriptor = ContentDescriptor(labels: labels, picture: hasPicture ? .pixels(Self.spine) : nil)
        #expect(titles(try await query.page(for: descriptor)) == expected)
    }

    @Test("six equal questions cost one reading, at the same time or one after the other")
    func idempotent() async throws {
        let gate = DispatchSemaphore(value: 0)
        let reader = CountingReader(["DUNE", "FRANK HERBERT"], gate: gate)
        let (query, question) = (try query(reader), Self.question("book", of: Self.spine))
        var pages = try await withThrowingTaskGroup(of: ResultPage.self) { group in
            for _ in 0..<3 { group.addTask { try await query.page(for: question) } }
            // None of them is answered before all are asked.
            while await query.questions < 3 { try await Task.sleep(for: .milliseconds(1)) }
            for _ in 0..<4 { gate.signal() }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for _ in 0..<3 { pages.append(try await query.page(for: question)) }
        #expect(reader.count == 1)
        #expect(await query.readings == 1)
        #expect(pages.allSatisfy { $0.results == pages[0].results && titles($0).first == "Dune" })
        #expect(pages.count(where: \.isRepeat) == 5)
        // Another label, another language and another picture are other questions.
        var other = Self.spine
        other.pixels[0] = 91
        for question in [
            Self.question(of: Self.spine), Self.question("book", of: Self.spine, language: "de"),
            Self.question("book", of: other),
        ] { _ = try await query.page(for: question) }
        #expect(reader.count == 4)
    }

    @Test("an answer counts for its time, and no more answers are kept than are allowed")
    func validity() async throws {
        let reader = CountingReader(["DUNE", "FRANK HERBERT"])
        var settings = Self.patient
        settings.validity = .zero
        let short = try query(reader, settings: settings)
        for _ in 0..<2 { _ = try await short.page(for: Self.question(of: Self.spine)) }
        #expect(reader.count == 2)
        settings = Self.patient
        settings.mostAnswers = 1
        let few = try query(reader, settings: settings)
        for label in ["book", "spine", "book"] { _ = try await few.page(for: Self.question(label, of: Self.spine)) }
        #expect(reader.count == 5)
    }

    @Test("a deadline ends the answer and not the work, which the next question takes up; a label does not wait for it")
    func deadline() async throws {
        let (gate, clock) = (DispatchSemaphore(value: 0), ManualClock())
        let reader = CountingReader(["DUNE", "FRANK HERBERT"], gate: gate)
        let query = try query(reader, settings: ContentQuery.Settings(), clock: clock)
        let descriptor = Self.question(of: Self.spine)
        let asked = Task { try await query.page(for: descriptor) }
        await clock.sleeper(of: .seconds(10))
        #expect(titles(try await query.page(for: Self.question("food"))) == ["Food"])
        clock.advance(by: .seconds(10))
        let early = try await asked.value
        #expect(!early.isComplete && early.results.isEmpty)
        let again = Task { try await query.page(for: descriptor) }
        gate.signal()
        let page = try await again.value
        #expect(page.isComplete && page.isRepeat && titles(page).first == "Dune" && reader.count == 1)
    }

    @Test("the books of a shelf come as they are read, and unnamed spines are counted")
    func partial() async throws {
        let gate = DispatchSemaphore(value: 0)
        // The second book is read alone when the first one was reported.
        let shelf = ScriptedShelf(["DUNE FRANK HERBERT", "ZYXWV QPONM"]) { if $0 == 1 { gate.wait() } }
        var pages: [ResultPage] = []
        for try await page in try await query(shelf: shelf.reader).pages(for: Self.question(of: shelf.picture)) {
            if !page.isComplete, titles(page) == ["Dune"] { gate.signal() }
            pages.append(page)
        }
        let last = try #require(pages.last)
        #expect(pages.dropLast().contains { !$0.isComplete && titles($0) == ["Dune"] })
        #expect(last.isComplete && titles(last) == ["Dune", "[]"])
        #expect(last.reading?.spines.map(\.book?.title) == ["Dune", nil])
        #expect(last.reading?.spines.last?.text == ["ZYXWV QPONM"])
        guard case .shelf(let entity) = last.results.last else { throw EntityError.unknown(.author("no shelf")) }
        #expect(entity.spines == 2 && entity.count == 1)
        #expect(DisplayCard(.shelf(entity), language: "en").subtitle == "1 of 2 spines identified")
        // Of pages that grow, a reader of lines gets what is new; the whole one has all.
        let first = try #require(pages.first { titles($0) == ["Dune"] })
        #expect(first.news(since: first).results.isEmpty && first.news(since: nil).results.count == 1)
        #expect(last.news(since: first).results == last.results)
    }

    @Test("a picture that cannot be decoded is an error, and is asked about anew")
    func broken() async throws {
        let (query, descriptor) = (try query(), ContentDescriptor(labels: ["book"], picture: .file([1, 2, 3])))
        for _ in 0..<2 { await #expect(throws: ImageCodecError.self) { try await query.page(for: descriptor) } }
        #expect(await query.readings == 2)
    }

    @Test("pages continue one ranking; there are 100 results at most")
    func pages() async throws {
        let many = (0..<150).map { BookRecord(title: "Garden \($0)", authors: ["Author \($0)"]) }
        let (query, descriptor) = (try query(books: many), Self.question("garden"))
        var (ids, offset, pages) = ([EntityID](), Int?.some(0), 0)
        while let from = offset {
            let page = try await query.page(for: descriptor, from: from)
            #expect(page.total == 100 && page.offset == from && page.results.count == 20)
            ids += page.results.map(\.id)
            (offset, pages) = (page.next, pages + 1)
        }
        #expect(pages == 5 && Set(ids).count == 100)
        #expect(try await query.page(for: descriptor, from: 1_000).results.isEmpty)
        #expect(await query.readings == 1)
    }

    @Test(
        "exact names before those that begin so, before those that have it in them; typing errors are corrected; own books first"
    )
    func ranking() async throws {
        let library = try LibraryStore.inMemory()
        var own = LibraryBook(Self.books[2], addedAt: Date(timeIntervalSince1970: 1_773_300_000), tier: .fast)
        own.state = .enriched
        try library.upsert(own)
        let query = try query(library: library)
        func found(_ label: String, _ language: String = "en") async throws -> [String] {
            titles(try await query.page(for: Self.question(label, language: language)))
        }
        // Without its article, the owner's begins so as well.
        #expect(try await found("DUNE") == ["Dune", "The Dune Encyclopedia", "Dune Messiah"])
        #expect(try await found("frank herbert") == ["[Frank Herbert]", "Dune", "Dune Messiah"])
        #expect(try await found("wuthring hights") == ["Wuthering Heights"])
        #expect(try await found("frank herbet") == ["[Frank Herbert]", "Dune", "Dune Messiah"])
        #expect(try await found("wuthering weather").isEmpty)
        for other in ["zzzz", "'\"%/\\\u{0}\u{202E}🙈*-(){}:;", "漢 OR NEAR("] { #expect(try await found(other).isEmpty) }
        let page = try await query.page(for: Self.question("encyclopedia"))
        #expect(try book(page.results.first).scannedOn == "2026-03-12")
    }

    @Test(
        "one letter of a word may be wrong from four letters on, or from three beside a right word, two from six",
        arguments: [
            ("harry poter", "harry potter"), ("agatha cristi", nil), ("tolkein", "tolkien"), ("hery pottre", nil),
            ("hary pottr", "harry potter"), ("potter", nil), ("of", nil), ("harry potter and", nil), ("", nil),
            // Two swapped letters are one error.
            ("moby dik", "moby dick"), ("dik", nil), ("jane eyer", "jane eyre"), ("jaen", "jane"),
        ] as [(String, String?)]
    )
    func typedNames(typed: String, name: String?) {
        let books = [
            BookRecord(title: "Harry Potter", authors: ["J. K. Rowling", "J. R. R. Tolkien"]),
            BookRecord(title: "Moby Dick"), BookRecord(title: "Jane Eyre"),
        ]
        #expect(books.compactMap { TypedName.correct(typed, by: $0) }.first == name)
    }

    @Test("a picture that has not the shape of a spine has to be surer than one that has")
    func otherThings() async throws {
        let sure = try query(CountingReader(["WUTHERING HEIGHTS", "EMILY BRONTE"]))
        let cover = try await sure.page(for: Self.question(of: Self.square))
        #expect(titles(cover) == ["Wuthering Heights"] && cover.reading?.kind == .cover)
        for text in [["FOOD"], ["RESET", "R41"], [], ["12345678901234"]] {
            let page = try await query(CountingReader(text)).page(for: Self.question(of: Self.square))
            #expect(page.results.isEmpty, "\(text)")
        }
    }

    @Test("what was shown opens: from the library, from the catalogue, and without either as it was")
    func opening() async throws {
        let library = try LibraryStore.inMemory()
        let asked = try query(CountingReader(["DUNE", "FRANK HERBERT"]), library: library)
        let page = try await asked.page(for: Self.question("book", of: Self.spine))
        #expect(titles(page) == ["Dune", "[Dune]", "[Frank Herbert]"])
        for result in page.results { #expect(try await asked.item(result.id).id == result.id) }
        // Simultaneous callers wait until they are there, however many ask.
        let pictures = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { try await asked.thumbnail(of: page.results[0].id) != nil } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(pictures == Array(repeating: true, count: 8))
        let picture = try #require(try await asked.thumbnail(of: page.results[0].id))
        let header = try ImageCodec.header(of: picture, name: "thumbnail")
        #expect(max(header.width, header.height) <= Thumbnail.longSide && header.format == .png)
        // Another catalogue, which has none of it.
        let other = try BookCatalogue(books: [BookRecord(title: "Other", authors: ["B"])], name: "other")
        let items = EntityItems(catalogue: other, library: library)
        for result in page.results { #expect(try items.item(result.id).id == result.id) }
        #expect(throws: EntityError.unknown(.author("nobody"))) { try items.item(.author("nobody")) }
        #expect(throws: EntityError.self) { try items.item(.photo(String(repeating: "0", count: 64))) }
    }

    @Test("a book without a number is found again by its name, also when it has got a number since")
    func names() throws {
        let items = EntityItems(catalogue: try BookCatalogue(books: Self.books, name: "test"), library: nil)
        #expect(try book(items.item(.title("dune messiah", surname: "herbert"))).title == "Dune Messiah")
        #expect(try book(items.item(.title("wuthering heights", surname: "bronte"))).isbn == "9780141439556")
    }
}
