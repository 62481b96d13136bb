import BookCatalogue
import Testing

/// Spines of books that a small catalogue lacks, beside books of it that are nearly the same: by title, author, volume or series.
///
/// The expected answers are of the ISBN Users' Manual: each volume of a work is a book with a separate number.
@Suite struct OtherBooksTests {
    /// A catalogue with spines of books that it lacks, and of its own.
    struct Shelf: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var books: [BookRecord]
        var others: [String]
        var own: [(spine: String, title: String)]

        init(_ name: String, _ list: [(title: String, author: String)], others: [String], own: [(String, String)]) {
            self.init(
                name,
                books: list.map { BookRecord(title: $0.title, authors: [$0.author]) },
                others: others,
                own: own
            )
        }

        init(_ name: String, books: [BookRecord], others: [String], own: [(String, String)]) {
            (testDescription, self.books, self.others) = (name, books, others)
            self.own = own.map { (spine: $0, title: $1) }
        }
    }

    private static func answer(_ spine: String, by matcher: CatalogueMatcher, confidence: Double = 1) throws -> String?
    {
        let lines = spine.split(separator: "|").map { (text: String($0), confidence: confidence) }
        return try matcher.match(lines).answer?.book.title
    }

    @Test(arguments: shelves) func aSpineNamesItsOwnBookAlone(shelf: Shelf) throws {
        let matcher = try CatalogueMatcherTests.matcher(shelf.books)
        for spine in shelf.others { #expect(try Self.answer(spine, by: matcher) == nil, "\(spine)") }
        for (spine, title) in shelf.own { #expect(try Self.answer(spine, by: matcher) == title, "\(spine)") }
    }

    /// Titles with words that are frequent in others', among which some differ by a letter.
    private static let frequent: [(String, String)] =
        [
            ("The Night Circus", "Erin Morgenstern"), ("Dune", "Frank Herbert"), ("The Cat in the Hat", "Theo Geisel"),
            ("The House of Gray", "Ida Holm"), ("The Red Boat", "Nils Ek"), ("Sun Flower", "Ole Dahl"),
            ("Harbor", "Lorraine Adams"), ("A Year of Hapiness", "Ana Briongos"),
        ]
        + [
            "Light", "June", "Dunes", "Car", "Mouse", "Grey", "Goat", "Sunflower", "Messiah", "Arbor", "Happiness",
            "Anna",
        ]
        // A title more than the three that make a word frequent: the counts of names are approximate.
        .flatMap { word in
            ["\(word) of Tides", "One \(word) More", "Her \(word)", "No \(word) Again"].map { ($0, "") }
        }

    @Test func aKnownWordIsAnotherOneOnlyIfItIsSurelyRead() throws {
        let books = Self.frequent.map { BookRecord(title: $0.0, authors: [$0.1]) }
        let matcher = try CatalogueMatcherTests.matcher(books)
        for (spine, title) in [
            ("ERIN MORGENSTERN|THE LIGHT CIRCUS", "The Night Circus"), ("FRANK HERBERT|JUNE", "Dune"),
            ("IDA HOLM|THE MOUSE OF GRAY", "The House of Gray"), ("NILS EK|THE RED GOAT", "The Red Boat"),
        ] {
            #expect(try Self.answer(spine, by: matcher) == nil)
            #expect(try Self.answer(spine, by: matcher, confidence: 0.94) == title)
        }
    }

    private static let shelves: [Shelf] = [
        // A spelling, of an author's name too, two words in one, a cut word, and words that no book has are no other title.
        Shelf(
            "frequent words",
            frequent,
            others: ["FRANK HERBERT|DUNES", "THEO GEISEL|THE CAR IN THE HAT", "FRANK HERBERT|DUNE|MESSIAH"],
            own: [
                ("IDA HOLM|THE HOUSE OF GREY", "The House of Gray"), ("OLE DAHL|SUNFLOWER", "Sun Flower"),
                ("LORRAINE ADAMS|ARBOR", "Harbor"), ("ERIN MORGENSTERN|THE NIGHT CIRCU5", "The Night Circus"),
                ("ERIN MORGENSTERN|THE NICHT CIRCUS", "The Night Circus"), ("FRANK HERBERT|DUNE|GOLLANCZ", "Dune"),
                ("THEO GEISEL|THE CAT IN THE HAT", "The Cat in the Hat"),
                ("BRIONGOS|A YEAR OF HAPPINESS", "A Year of Hapiness"),
                ("A YEAR OF HAPINESS ANNA BRIONGOS", "A Year of Hapiness"),
            ]
        ),
        // Of two volumes the number decides, though the words of both are alike.
        Shelf(
            "two volumes",
            [
                ("History of the Salt Road, Volume 1", "Ines Calder"),
                ("History of the Salt Road, Volume 2", "Ines Calder"),
            ],
            others: [],
            own: [
                ("CALDER|HISTORY OF THE SALT ROAD|II", "History of the Salt Road, Volume 2"),
                ("CALDER|HISTORY OF THE SALT ROAD|TOME I", "History of the Salt Road, Volume 1"),
            ]
        ),
        // A number on the spine may be that of the series, which a list states as "(Liveship Traders, #2)".
        Shelf(
            "number in a series",
            books: [
                BookRecord(title: "Mad Ship", authors: ["Robin Hobb"], series: "Liveship Traders", seriesNumber: 2)
            ],
            others: ["ROBIN HOBB|MAD SHIP|BOOK THREE", "ROBIN HOBB|MAD SHIP|III"],
            own: [("ROBIN HOBB|MAD SHIP|TOME 2", "Mad Ship"), ("ROBIN HOBB|MAD SHIP|2", "Mad Ship")]
        ),
        // The publisher's name and the author's are on spines of other books too.
        Shelf(
            "names",
            books: CatalogueMatcherTests.shelf
                + [
                    ("Anagrama", "Lorrie Moore"), ("Dickens", "Peter Ackroyd"), ("Paris", "Edward Rutherfurd"),
                    ("Oliver Twist", "Charles Dickens"),
                ].map { BookRecord(title: $0.0, authors: [$0.1]) },
            others: [
                "JANE DOE|THE SILVER LANTERN|ANAGRAMA", "CHARLES DICKENS|HARD TIMES", "FELIX KRULL|PARIS IN THE RAIN",
            ],
            own: []
        ),
        // Another volume of a work, and a title within another title; what any book's spine has is no evidence against it.
        Shelf(
            "sequels",
            [
                ("History of the Salt Road, Volume 1", "Ines Calder"), ("Chronicles of Tern, Vol. 1", "Otto Brandt"),
                ("Calculus", "Ron Tiller"), ("Ocean Nights: Book One", "Pia Stern"),
                ("Henry IV, Part 1", "W. Player"), ("Defenders of the Reef", "Mia Lund"), ("Dune", "Frank Herbert"),
                ("Foundation", "Isaac Asimov"), ("Ringworld", "Larry Niven"), ("Hyperion", "Dan Simmons"),
                ("Watership Down", "Richard Adams"), ("Poems", "W. H. Auden"), ("Essays", "Michel de Montaigne"),
                ("Java", "Herbert Schildt"),
            ],
            others: [
                "CALDER|HISTORY OF THE SALT ROAD|VOLUME 2", "CALDER|HISTORY OF THE SALT ROAD|II",
                "CALDER|HISTORY OF THE SALT ROAD|TOME II", "CALDER|HISTORY OF THE SALT ROAD VOL. 2",
                "CALDER|HISTORY OF THE SALT ROAD|SECOND VOLUME", "CALDER|HISTORY OF THE SALT ROAD|BD. 2",
                "BRANDT|CHRONICLES OF TERN|VOL. 13", "BRANDT|CHRONICLES OF TERN|III",
                "BRANDT|CHRONICLES OF TERN|PART THREE", "TILLER|CALCULUS II", "TILLER|CALCULUS 3",
                "STERN|OCEAN NIGHTS|BOOK TWO", "STERN|OCEAN NIGHTS|ZWEITER BAND",
                "STERN|OCEAN NIGHTS|THE SECOND BOOK", "PLAYER|HENRY IV|PART 2", "PLAYER|HENRY IV|PART TWO",
                "LUND|DEFENDERS OF THE REEF|7", "LUND|DEFENDERS OF THE REEF|#4", "LUND|DEFENDERS OF THE REEF VIII",
                "LUND|DEFENDERS OF THE REEF|TROISIÈME PARTIE", "FRANK HERBERT|DUNE MESSIAH",
                "FRANK HERBERT|CHILDREN OF DUNE", "FRANK HERBERT|HERETICS OF DUNE",
                "FRANK HERBERT|GOD EMPEROR OF DUNE", "FRANK HERBERT|CHAPTERHOUSE: DUNE",
                "ISAAC ASIMOV|SECOND FOUNDATION", "ISAAC ASIMOV|FOUNDATION AND EMPIRE",
                "ISAAC ASIMOV|FOUNDATION'S EDGE", "ISAAC ASIMOV|PRELUDE TO FOUNDATION",
                "LARRY NIVEN|THE RINGWORLD ENGINEERS", "LARRY NIVEN|RINGWORLD'S CHILDREN",
                "DAN SIMMONS|THE FALL OF HYPERION", "DAN SIMMONS|THE RISE OF|HYPERION",
                "RICHARD ADAMS|TALES FROM WATERSHIP DOWN", "W. H. AUDEN|COLLECTED SHORTER POEMS",
                "W. H. AUDEN|SELECTED POEMS", "MONTAIGNE|THE COMPLETE ESSAYS", "MONTAIGNE|ESSAYS AND LETTERS",
                "HERBERT SCHILDT|JAVA|THE COMPLETE REFERENCE", "HERBERT SCHILDT|JAVA|A BEGINNER'S GUIDE",
            ],
            own: [
                ("CALDER|HISTORY OF THE SALT ROAD|VOLUME 1", "History of the Salt Road, Volume 1"),
                ("CALDER|HISTORY OF THE SALT ROAD|VOLUME I", "History of the Salt Road, Volume 1"),
                ("CALDER|HISTORY OF THE SALT ROAD|VOL. ONE", "History of the Salt Road, Volume 1"),
                ("CALDER|HISTORY OF THE SALT ROAD|FIRST VOLUME", "History of the Salt Road, Volume 1"),
                ("CALDER|HISTORY OF THE SALT ROAD|BD. 1", "History of the Salt Road, Volume 1"),
                ("TILLER|CALCULUS|SECOND EDITION", "Calculus"), ("TILLER|CALCULUS|3RD EDITION", "Calculus"),
                ("TILLER|CALCULUS|ZWEITE AUFLAGE", "Calculus"),
                ("STERN|OCEAN NIGHTS|BOOK 1", "Ocean Nights: Book One"),
                ("STERN|OCEAN NIGHTS|BOOK I", "Ocean Nights: Book One"),
                ("PLAYER|HENRY IV|PART ONE", "Henry IV, Part 1"),
                ("LUND|DEFENDERS OF THE REEF|1", "Defenders of the Reef"), ("FRANK HERBERT|DUNE|ACE", "Dune"),
                ("FRANK HERBERT|DUNE|A NOVEL", "Dune"), ("FRANK HERBERT|DUNE|10TH ANNIVERSARY", "Dune"),
                ("DUNE|FRANK HERBERT|50TH ANNIVERSARY EDITION", "Dune"),
                ("FRANK HERBERT|DUNE|THE BESTSELLING NOVEL", "Dune"),
                ("DAN SIMMONS|HYPERION|HUGO AWARD WINNER", "Hyperion"),
                ("ADAMS|WATERSHIP DOWN|PENGUIN BOOKS", "Watership Down"),
            ]
        ),
        // Other authors' books with a catalogued title; the authors are in no catalogue.
        Shelf(
            "authors",
            [
                ("The Silver Lantern", "Mara Quist"), ("The Winter Garden", "Helen Brook"), ("Nordlys", "Anna Berg"),
                ("Letters Home", "Sylvia Plath"), ("The Long Road", "Peter Hale"),
                ("A History of Bread", "Carl Ott"), ("こころ", "夏目漱石"), ("Paris", "Edward Rutherfurd"),
            ],
            others: [
                "JANE DOE|THE SILVER LANTERN", "DOERR|THE SILVER LANTERN", "KROLL|THE SILVER LANTERN",
                "THE WINTER GARDEN|OTTO KROLL", "THE WINTER GARDEN|KROLL", "ALAN GREER|LETTERS HOME|FABER",
                "J. T. MARCH|THE LONG ROAD", "VAN DER MEER|THE LONG ROAD", "IVO TARR|NORDLYS",
                "A HISTORY OF BREAD|BEATRIZ NAVARRO", "村上春樹|こころ", "AMY TAN|THE LONG ROAD",
            ],
            own: [
                ("QUIST|THE SILVER LANTERN", "The Silver Lantern"),
                ("THE SILVER LANTERN|VINTAGE", "The Silver Lantern"),
                ("THE SILVER LANTERN|MARROW PRESS", "The Silver Lantern"),
                ("MARA QU1ST|THE SILVER LANTERN", "The Silver Lantern"),
                ("THE WINTER GARDEN|HELEN BR00K|LUMEN HOUSE", "The Winter Garden"),
                ("THE WINTER GARDEN|HELEN BROCK", "The Winter Garden"), ("夏目漱石|こころ", "こころ"),
            ]
        ),
        // Titles that differ from a catalogued one by a word.
        Shelf(
            "words",
            [
                ("The Girl on the Train", "Paula Hawkins"), ("A Short History of Bread", "Carl Ott"),
                ("The Lost Garden", "Helen Brook"), ("Summer of the Wolf", "Mira Lund"),
                ("The King in Winter", "Oskar Dahl"), ("Cooking for Two", "Ada Bell"),
                ("The Night Manager", "John Carre"), ("How to Read a Poem", "Terry Eagleton"),
            ],
            others: [
                "PAULA HAWKINS|THE GIRL ON THE PLANE", "PAULA HAWKINS|THE BOY ON THE TRAIN",
                "PAULA HAWKINS|THE MAN ON THE TRAIN", "PAULA HAWKINS|THE DOG ON THE TRAIN", "CARRE|THE DAY MANAGER",
                "LUND|SUMMER OF THE CAT", "HELEN BROOK|THE LOST|VALLEY", "HELEN BROOK|FROZEN|GARDEN",
                "CARRE|NIGHT|PORTER", "OSKAR DAHL|THE KING|ABROAD", "CARL OTT|A BRIEF HISTORY OF BREAD",
                "CARL OTT|A SHORT HISTORY OF WINE", "BROOK|THE FROZEN GARDEN", "HELEN BROOK|THE LOST VALLEY",
                "LUND|WINTER OF THE WOLF", "LUND|SUMMER OF THE BEAR", "DAHL|THE QUEEN IN WINTER",
                "ADA BELL|BAKING FOR TWO", "ADA BELL|COOKING FOR CATS", "EAGLETON|HOW TO READ A MAP",
                "PAULA HAWKINS|THE GIRL ON THE|PLANE", "CARL OTT|A BRIEF HISTORY|OF BREAD",
            ],
            own: [
                ("PAULA HAWKINS|THE GIRL ON THE TRA1N", "The Girl on the Train"),
                ("PAULA HAWKINS|THE GIRL ON THE TRAIM", "The Girl on the Train"),
                ("OTT|A SH0RT HIST0RY OF BREAD", "A Short History of Bread"),
                ("CARL OTT|A SHORT|HISTORY|OF BREAD", "A Short History of Bread"),
                ("LUND|SUMMER OF THE WOIF", "Summer of the Wolf"),
                ("EAGLETON|HOW TO READ A POEM", "How to Read a Poem"),
            ]
        ),
        // Other parts of a work, by letters, words, Chinese characters and years.
        Shelf(
            "volumes",
            [
                ("Organic Chemistry", "Ruth Weil"), ("The Reed Atlas, Part A", "Tom Sand"), ("ノルウェイの森 上", "村上春樹"),
                ("三体", "劉慈欣"), ("坂の上の雲 第1巻", "司馬遼太郎"), ("Guide to Rome 2019", "Lena Fox"),
                ("Wine Year 2020-2021", "Ivo Rath"), ("The Field Guide, Volume B", "Nils Ek"),
                ("Winter Saga, Part One", "Pia Stern"), ("Spring Saga, Part Two", "Pia Stern"),
            ],
            others: [
                "RUTH WEIL|ORGANIC CHEMISTRY|PART B", "RUTH WEIL|ORGANIC CHEMISTRY|VOLUME C",
                "WEIL|ORGANIC CHEMISTRY|TEIL B", "SAND|THE REED ATLAS|PART B", "SAND|THE REED ATLAS, PART C",
                "SAND|THE REED ATLAS|PART TWO", "NILS EK|THE FIELD GUIDE|VOLUME A", "STERN|WINTER SAGA|PART TWO",
                "STERN|WINTER SAGA|PART 2", "STERN|SPRING SAGA|PART ONE", "村上春樹|ノルウェイの森|下", "村上春樹|ノルウェイの森 下",
                "村上春樹|ノルウェイの森（下）", "村上春樹|ノルウェイの森 下巻", "劉慈欣|三体2", "劉慈欣|三体Ⅱ", "劉慈欣|三体|第二部", "劉慈欣|三体|二",
                "司馬遼太郎|坂の上の雲|第2巻", "司馬遼太郎|坂の上の雲|巻二", "司馬遼太郎|坂の上の雲 第三巻", "司馬遼太郎|坂の上の雲|二",
                "LENA FOX|GUIDE TO ROME 2021", "LENA FOX|GUIDE TO ROME|2021", "FOX|2018|GUIDE TO ROME",
                "IVO RATH|WINE YEAR 2021-2022", "IVO RATH|WINE YEAR|2018",
            ],
            own: [
                ("RUTH WEIL|ORGANIC CHEMISTRY|PART A", "Organic Chemistry"),
                ("RUTH WEIL|ORGANIC CHEMISTRY", "Organic Chemistry"),
                ("SAND|THE REED ATLAS|PART A", "The Reed Atlas, Part A"),
                ("NILS EK|THE FIELD GUIDE|VOLUME B", "The Field Guide, Volume B"),
                ("STERN|WINTER SAGA|PART 1", "Winter Saga, Part One"),
                ("STERN|SPRING SAGA|PART II", "Spring Saga, Part Two"), ("村上春樹|ノルウェイの森|上", "ノルウェイの森 上"),
                ("村上春樹|ノルウェイの森（上）", "ノルウェイの森 上"), ("劉慈欣|三体", "三体"), ("司馬遼太郎|坂の上の雲|第一巻", "坂の上の雲 第1巻"),
                ("司馬遼太郎|坂の上の雲 1", "坂の上の雲 第1巻"), ("LENA FOX|GUIDE TO ROME|2019", "Guide to Rome 2019"),
                ("IVO RATH|WINE YEAR 2020/2021", "Wine Year 2020-2021"),
                ("RUTH WEIL|ORGANIC CHEMISTRY|2015", "Organic Chemistry"),
            ]
        ),
        // Titles of one word that are a word, a name or a place on other books' spines.
        Shelf(
            "places",
            [
                ("Paris", "Edward Rutherfurd"), ("London", "Peter Ackroyd"), ("Anagrama", "Lorrie Moore"),
                ("Dickens", "Peter Ackroyd"), ("Heartbeat", "Dana Still"), ("Perfect", "Judith Naught"),
                ("Crash", "Jerry Spin"), ("Oxford", "Jan Morris"), ("Emma", "Jane Austen"), ("Winter", "Ali Smith"),
            ],
            others: [
                "FELIX KRULL|PARIS IN THE RAIN", "IN A HEARTBEAT", "ABBOT|IN A HEARTBEAT", "PICOULT|PICTURE PERFECT",
                "MCGARRY|CRASH INTO YOU", "JANE DOE|THE SILVER LANTERN|LONDON", "JANE DOE|THE SILVER LANTERN|OXFORD",
                "THE SILVER LANTERN|LONDON", "JANE DOE|THE SILVER LANTERN|ANAGRAMA", "CHARLES DICKENS|HARD TIMES",
                "DICKENS|HARD TIMES", "EMMA DONOGHUE|ROOM", "EMMA STONE|THE LONG ROAD", "OUR MAN IN PARIS",
                "WINTER IN MADRID|SANSOM", "C. J. SANSOM|WINTER IN MADRID", "ROOM|EMMA DONOGHUE",
                "LETTERS FROM LONDON",
            ],
            own: [
                ("AUSTEN|EMMA", "Emma"), ("ALI SMITH|WINTER|PENGUIN", "Winter"),
                ("EDWARD RUTHERFURD|PARIS|ARROW BOOKS", "Paris"),
                ("EMMA|JANE AUSTEN|OXFORD WORLD'S CLASSICS", "Emma"), ("DICKENS|PETER ACKROYD", "Dickens"),
                ("PETER ACKROYD|LONDON|THE BIOGRAPHY", "London"), ("JAN MORRIS|OXFORD", "Oxford"),
                ("PARIS|A NOVEL|EDWARD RUTHERFURD", "Paris"),
            ]
        ),
        // A series' name alone names no volume, nor does a main title beside another title or another author's short name.
        Shelf(
            "series",
            books: [
                ("Shiver Street: The Official Guide", "R. L. Marsh", nil),
                ("The Glass Door", "R. L. Marsh", "Shiver Street"),
                ("The Amber Saga: The Lost Crown", "Ida Vance", nil), ("First Light", "Ida Vance", "The Amber"),
                ("Tide Riders Collection", "Joan Pell", nil), ("Low Water", "Joan Pell", "Tide Riders and the Sea"),
                ("Pond Club #14: Hello, Frogs", "Ann Reed", nil), ("Hello, Toads", "Ann Reed", "Pond Club"),
                ("Dear Country: Letters from the Hills", nil, nil),
                ("The Secret School: Ways to Know", "Whit Strieber", nil), ("Chesil Beach", "Ian Macewan", nil),
                ("Chinese Slippers: The True Story of a Daughter", "Adele Mah", nil),
                ("The Winter Gate", "Pia Oster", "The Winter Gate"), ("Summer Gate", "Pia Oster", "The Winter Gate"),
                ("Other Names", "Avi Poe", nil), ("The Fences", "Lee Poe", nil),
            ].map { BookRecord(title: $0.0, authors: [$0.1].compactMap(\.self), series: $0.2) },
            others: [
                "SHIVER STREET|R L MARSH", "SHIVER STREET|MARSH|SCHOLASTIC", "THE AMBER SAGA|IDA VANCE",
                "AMBER|IDA VANCE", "TIDE RIDERS|JOAN PELL", "POND CLUB|ANN REED",
                "DEAR COUNTRY|The Fences Between Us|SCHOLASTIC", "AVI|THE SECRET SCHOOL",
                "IAN MCEWAN ON CHESIL BEACH|VINTAGE",
            ],
            own: [
                ("SHIVER STREET|THE OFFICIAL GUIDE|R L MARSH", "Shiver Street: The Official Guide"),
                ("THE AMBER SAGA|THE LOST CROWN|IDA VANCE", "The Amber Saga: The Lost Crown"),
                ("POND CLUB 14|HELLO FROGS|ANN REED", "Pond Club #14: Hello, Frogs"),
                ("DEAR COUNTRY|LETTERS FROM THE HILLS", "Dear Country: Letters from the Hills"),
                ("WHIT STRIEBER|THE SECRET SCHOOL", "The Secret School: Ways to Know"),
                ("ADELE MAH|CHINESE SLIPPERS", "Chinese Slippers: The True Story of a Daughter"),
                ("PIA OSTER|THE WINTER GATE", "The Winter Gate"),
            ]
        ),
        // A longer numeral, a number that a volume's number begins with, ordinals of other languages, works about a work.
        Shelf(
            "works",
            books: [
                BookRecord(title: "Algebra I", authors: ["P. Grant"]),
                BookRecord(title: "Henry V", authors: ["W. Player"]),
                BookRecord(title: "Tern, Vol. 10", authors: ["Otto Brandt"]),
                BookRecord(title: "La saga des Vents, Tome 2", authors: ["Luc Mar"]),
                BookRecord(title: "Saltvägen, Del 1", authors: ["Lars Ek"]),
                BookRecord(title: "Война и мир. Том 1", authors: ["Лев Толстой"]),
                BookRecord(title: "Wolf Hall", authors: ["Hilary Mantel"]),
                BookRecord(title: "Lamps", authors: ["Nora Quill"]),
                BookRecord(
                    title: "The Hunger Games",
                    authors: ["Suzanne Collins"],
                    series: "The Hunger Games",
                    seriesNumber: 1
                ),
            ],
            others: [
                "P. GRANT|ALGEBRA II", "P. GRANT|ALGEBRA|III", "W. PLAYER|HENRY VI", "OTTO BRANDT|TERN|1",
                "LUC MAR|LA SAGA DES VENTS|T3", "LARS EK|SALTVÄGEN|ANDRA DELEN", "Л. ТОЛСТОЙ|ВОЙНА И МИР|ТОМ ВТОРОЙ",
                "HILARY MANTEL|THE MIRROR & THE LIGHT|AUTHOR OF WOLF HALL", "NORA QUILL|NO LAMPS",
                "NORA QUILL|LAMPS|WORKBOOK", "OTTO BRANDT|TERN VOL. 10|BOX SET",
                "SUZANNE COLLINS|CATCHING FIRE|THE HUNGER GAMES",
                "SUZANNE COLLINS|THE BALLAD OF SONGBIRDS AND SNAKES|A HUNGER GAMES NOVEL",
            ],
            own: [
                ("P. GRANT|ALGEBRA I", "Algebra I"), ("W. PLAYER|HENRY V", "Henry V"),
                ("OTTO BRANDT|TERN|VOL. 10", "Tern, Vol. 10"),
                ("LUC MAR|LA SAGA DES VENTS|T2", "La saga des Vents, Tome 2"),
                ("HILARY MANTEL|WOLF HALL", "Wolf Hall"),
                ("SUZANNE COLLINS|THE HUNGER GAMES|SCHOLASTIC", "The Hunger Games"),
                ("SUZANNE COLLINS|THE HUNGER GAMES|BOOK ONE", "The Hunger Games"),
            ]
        ),
    ]
}
