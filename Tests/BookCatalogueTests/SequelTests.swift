import BookCatalogue
import Testing

/// Spines of books that the catalogue lacks, while it has another volume of the work or another book of the author.
///
/// The expected answers are of the ISBN Users' Manual: each volume of a work is a book with a separate number.
@Suite struct SequelTests {
    private static let books = [
        ("History of the Salt Road, Volume 1", "Ines Calder"), ("Chronicles of Tern, Vol. 1", "Otto Brandt"),
        ("Calculus", "Ron Tiller"), ("Ocean Nights: Book One", "Pia Stern"), ("Henry IV, Part 1", "W. Player"),
        ("Defenders of the Reef", "Mia Lund"), ("Dune", "Frank Herbert"), ("Foundation", "Isaac Asimov"),
        ("Ringworld", "Larry Niven"), ("Hyperion", "Dan Simmons"), ("Watership Down", "Richard Adams"),
        ("Poems", "W. H. Auden"), ("Essays", "Michel de Montaigne"), ("Java", "Herbert Schildt"),
    ].map { BookRecord(title: $0.0, authors: [$0.1]) }

    private static func answer(_ spine: String, _ books: [BookRecord] = books) throws -> String? {
        let matcher = try CatalogueMatcherTests.matcher(books)
        return try matcher.match(spine.split(separator: "|").map(String.init)).answer?.book.title
    }

    @Test(arguments: [
        "CALDER|HISTORY OF THE SALT ROAD|VOLUME 2", "CALDER|HISTORY OF THE SALT ROAD|II",
        "CALDER|HISTORY OF THE SALT ROAD|TOME II", "CALDER|HISTORY OF THE SALT ROAD VOL. 2",
        "CALDER|HISTORY OF THE SALT ROAD|SECOND VOLUME", "CALDER|HISTORY OF THE SALT ROAD|BD. 2",
        "BRANDT|CHRONICLES OF TERN|VOL. 13", "BRANDT|CHRONICLES OF TERN|III", "BRANDT|CHRONICLES OF TERN|PART THREE",
        "TILLER|CALCULUS II", "TILLER|CALCULUS 3", "STERN|OCEAN NIGHTS|BOOK TWO", "STERN|OCEAN NIGHTS|ZWEITER BAND",
        "STERN|OCEAN NIGHTS|THE SECOND BOOK", "PLAYER|HENRY IV|PART 2", "PLAYER|HENRY IV|PART TWO",
        "LUND|DEFENDERS OF THE REEF|7", "LUND|DEFENDERS OF THE REEF|#4", "LUND|DEFENDERS OF THE REEF VIII",
        "LUND|DEFENDERS OF THE REEF|TROISIÈME PARTIE",
    ])
    func anotherVolumeIsAnotherBook(spine: String) throws {
        #expect(try Self.answer(spine) == nil)
    }

    @Test(arguments: [
        "FRANK HERBERT|DUNE MESSIAH", "FRANK HERBERT|CHILDREN OF DUNE", "FRANK HERBERT|HERETICS OF DUNE",
        "FRANK HERBERT|GOD EMPEROR OF DUNE", "FRANK HERBERT|CHAPTERHOUSE: DUNE", "ISAAC ASIMOV|SECOND FOUNDATION",
        "ISAAC ASIMOV|FOUNDATION AND EMPIRE", "ISAAC ASIMOV|FOUNDATION'S EDGE", "ISAAC ASIMOV|PRELUDE TO FOUNDATION",
        "LARRY NIVEN|THE RINGWORLD ENGINEERS", "LARRY NIVEN|RINGWORLD'S CHILDREN", "DAN SIMMONS|THE FALL OF HYPERION",
        "DAN SIMMONS|THE RISE OF|HYPERION", "RICHARD ADAMS|TALES FROM WATERSHIP DOWN",
        "W. H. AUDEN|COLLECTED SHORTER POEMS", "W. H. AUDEN|SELECTED POEMS", "MONTAIGNE|THE COMPLETE ESSAYS",
        "MONTAIGNE|ESSAYS AND LETTERS", "HERBERT SCHILDT|JAVA|THE COMPLETE REFERENCE",
        "HERBERT SCHILDT|JAVA|A BEGINNER'S GUIDE",
    ])
    func aTitleWithinAnotherTitleIsAnotherBook(spine: String) throws {
        #expect(try Self.answer(spine) == nil)
    }

    private static let series = [
        ("Shiver Street: The Official Guide", "R. L. Marsh", nil), ("The Glass Door", "R. L. Marsh", "Shiver Street"),
        ("The Amber Saga: The Lost Crown", "Ida Vance", nil), ("First Light", "Ida Vance", "The Amber"),
        ("Tide Riders Collection", "Joan Pell", nil), ("Low Water", "Joan Pell", "Tide Riders and the Sea"),
        ("Pond Club #14: Hello, Frogs", "Ann Reed", nil), ("Hello, Toads", "Ann Reed", "Pond Club"),
        ("Dear Country: Letters from the Hills", nil, nil), ("The Secret School: Ways to Know", "Whit Strieber", nil),
        ("Chesil Beach", "Ian Macewan", nil), ("Chinese Slippers: The True Story of a Daughter", "Adele Mah", nil),
        ("The Winter Gate", "Pia Oster", "The Winter Gate"), ("Summer Gate", "Pia Oster", "The Winter Gate"),
        ("Other Names", "Avi Poe", nil), ("The Fences", "Lee Poe", nil),
    ].map { BookRecord(title: $0.0, authors: [$0.1].compactMap(\.self), series: $0.2) }

    @Test(
        "a series' name alone names no volume, nor does a main title beside another title or another author's short name",
        arguments: [
            "SHIVER STREET|R L MARSH", "SHIVER STREET|MARSH|SCHOLASTIC", "THE AMBER SAGA|IDA VANCE", "AMBER|IDA VANCE",
            "TIDE RIDERS|JOAN PELL", "POND CLUB|ANN REED", "DEAR COUNTRY|The Fences Between Us|SCHOLASTIC",
            "AVI|THE SECRET SCHOOL", "IAN MCEWAN ON CHESIL BEACH|VINTAGE",
        ]
    )
    func aSeriesNameIsNoTitle(spine: String) throws {
        #expect(try Self.answer(spine, Self.series) == nil)
    }

    @Test(arguments: [
        ("SHIVER STREET|THE OFFICIAL GUIDE|R L MARSH", 0), ("THE AMBER SAGA|THE LOST CROWN|IDA VANCE", 2),
        ("POND CLUB 14|HELLO FROGS|ANN REED", 6), ("DEAR COUNTRY|LETTERS FROM THE HILLS", 8),
        ("WHIT STRIEBER|THE SECRET SCHOOL", 9), ("ADELE MAH|CHINESE SLIPPERS", 11), ("PIA OSTER|THE WINTER GATE", 12),
    ])
    func aTitleBesideItsAuthorNamesTheBook(spine: String, book: Int) throws {
        #expect(try Self.answer(spine, Self.series) == Self.series[book].title)
    }

    @Test(arguments: [
        ("CALDER|HISTORY OF THE SALT ROAD|VOLUME 1", 0), ("CALDER|HISTORY OF THE SALT ROAD|VOLUME I", 0),
        ("CALDER|HISTORY OF THE SALT ROAD|VOL. ONE", 0), ("CALDER|HISTORY OF THE SALT ROAD|FIRST VOLUME", 0),
        ("CALDER|HISTORY OF THE SALT ROAD|BD. 1", 0), ("TILLER|CALCULUS|SECOND EDITION", 2),
        ("TILLER|CALCULUS|3RD EDITION", 2), ("TILLER|CALCULUS|ZWEITE AUFLAGE", 2), ("STERN|OCEAN NIGHTS|BOOK 1", 3),
        ("STERN|OCEAN NIGHTS|BOOK I", 3), ("PLAYER|HENRY IV|PART ONE", 4), ("LUND|DEFENDERS OF THE REEF|1", 5),
        ("FRANK HERBERT|DUNE|ACE", 6), ("FRANK HERBERT|DUNE|A NOVEL", 6), ("FRANK HERBERT|DUNE|10TH ANNIVERSARY", 6),
        ("DUNE|FRANK HERBERT|50TH ANNIVERSARY EDITION", 6), ("FRANK HERBERT|DUNE|THE BESTSELLING NOVEL", 6),
        ("DAN SIMMONS|HYPERION|HUGO AWARD WINNER", 9), ("ADAMS|WATERSHIP DOWN|PENGUIN BOOKS", 10),
    ])
    func whatAnyBooksSpineHasIsNoEvidenceAgainstIt(spine: String, book: Int) throws {
        #expect(try Self.answer(spine) == Self.books[book].title)
    }

    /// The first of two volumes, though the words of both are alike.
    @Test func ofTwoVolumesTheNumberDecides() throws {
        let volumes = ["Volume 1", "Volume 2"].map {
            BookRecord(title: "History of the Salt Road, \($0)", authors: ["Ines Calder"])
        }
        #expect(try Self.answer("CALDER|HISTORY OF THE SALT ROAD|II", volumes) == volumes[1].title)
        #expect(try Self.answer("CALDER|HISTORY OF THE SALT ROAD|TOME I", volumes) == volumes[0].title)
    }

    /// A number on the spine may be that of the series, which a list states as "(Liveship Traders, #2)".
    @Test(arguments: [("TOME 2", true), ("BOOK THREE", false), ("2", true), ("III", false)])
    func theNumberInASeriesIsTheBooks(number: String, isNamed: Bool) throws {
        let books = [
            BookRecord(title: "Mad Ship", authors: ["Robin Hobb"], series: "Liveship Traders", seriesNumber: 2)
        ]
        #expect(try (Self.answer("ROBIN HOBB|MAD SHIP|\(number)", books) != nil) == isNamed)
    }

    /// The publisher's name and the author's are on spines of other books too.
    @Test(arguments: [
        "JANE DOE|THE SILVER LANTERN|ANAGRAMA", "CHARLES DICKENS|HARD TIMES", "FELIX KRULL|PARIS IN THE RAIN",
    ])
    func aTitleThatIsANameOrAWordOfALineNamesNoBook(spine: String) throws {
        let books =
            CatalogueMatcherTests.shelf + [
                BookRecord(title: "Anagrama", authors: ["Lorrie Moore"]),
                BookRecord(title: "Dickens", authors: ["Peter Ackroyd"]),
                BookRecord(title: "Paris", authors: ["Edward Rutherfurd"]),
                BookRecord(title: "Oliver Twist", authors: ["Charles Dickens"]),
            ]
        #expect(try Self.answer(spine, books)?.isEmpty ?? true)
    }

    private static let others = [
        BookRecord(title: "Algebra I", authors: ["P. Grant"]), BookRecord(title: "Henry V", authors: ["W. Player"]),
        BookRecord(title: "Tern, Vol. 10", authors: ["Otto Brandt"]),
        BookRecord(title: "La saga des Vents, Tome 2", authors: ["Luc Mar"]),
        BookRecord(title: "Saltvägen, Del 1", authors: ["Lars Ek"]),
        BookRecord(title: "Война и мир. Том 1", authors: ["Лев Толстой"]),
        BookRecord(title: "Wolf Hall", authors: ["Hilary Mantel"]), BookRecord(title: "Lamps", authors: ["Nora Quill"]),
        BookRecord(
            title: "The Hunger Games",
            authors: ["Suzanne Collins"],
            series: "The Hunger Games",
            seriesNumber: 1
        ),
    ]

    /// A longer numeral, a number that a volume's number begins with, ordinals of other languages, and works about a
    /// work.
    @Test(arguments: [
        "P. GRANT|ALGEBRA II", "P. GRANT|ALGEBRA|III", "W. PLAYER|HENRY VI", "OTTO BRANDT|TERN|1",
        "LUC MAR|LA SAGA DES VENTS|T3", "LARS EK|SALTVÄGEN|ANDRA DELEN", "Л. ТОЛСТОЙ|ВОЙНА И МИР|ТОМ ВТОРОЙ",
        "HILARY MANTEL|THE MIRROR & THE LIGHT|AUTHOR OF WOLF HALL", "NORA QUILL|NO LAMPS", "NORA QUILL|LAMPS|WORKBOOK",
        "OTTO BRANDT|TERN VOL. 10|BOX SET", "SUZANNE COLLINS|CATCHING FIRE|THE HUNGER GAMES",
        "SUZANNE COLLINS|THE BALLAD OF SONGBIRDS AND SNAKES|A HUNGER GAMES NOVEL",
    ])
    func anotherWorkOfASeriesIsAnotherBook(spine: String) throws {
        #expect(try Self.answer(spine, Self.others) == nil)
    }

    @Test(arguments: [
        ("P. GRANT|ALGEBRA I", 0), ("W. PLAYER|HENRY V", 1), ("OTTO BRANDT|TERN|VOL. 10", 2),
        ("LUC MAR|LA SAGA DES VENTS|T2", 3), ("HILARY MANTEL|WOLF HALL", 6),
        ("SUZANNE COLLINS|THE HUNGER GAMES|SCHOLASTIC", 8), ("SUZANNE COLLINS|THE HUNGER GAMES|BOOK ONE", 8),
    ])
    func theWorkItselfIsNamed(spine: String, book: Int) throws {
        #expect(try Self.answer(spine, Self.others) == Self.others[book].title)
    }
}
