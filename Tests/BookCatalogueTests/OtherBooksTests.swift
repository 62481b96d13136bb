import BookCatalogue
import Foundation
import Testing

/// Spines of books that a small catalogue lacks, beside books of it that are nearly the same: by title, author, volume or series.
///
/// The expected answers are of the ISBN Users' Manual: each volume of a work is a book with a separate number.
@Suite struct OtherBooksTests {
    /// A catalogue with spines of its books and of others.
    struct Shelf: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var books: [BookRecord]
        /// Title of each spine's book; nil for one that the catalogue lacks.
        var spines: [(spine: String, title: String?)] = []

        /// Reads a line a book, as "title / author / series #number", with its spines behind "=", and others' behind "!"; a
        /// text without "|" has the lines before the last one of the spine before it.
        init(_ name: String, _ text: String, besides others: [BookRecord] = []) {
            (testDescription, books) = (name, [])
            for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
                guard let mark = line.first, "=!".contains(mark) else {
                    let parts = line.components(separatedBy: " / ")
                    let series = parts.dropFirst(2).first?.components(separatedBy: " #")
                    books.append(
                        BookRecord(
                            title: parts[0],
                            authors: Array(parts.dropFirst().prefix(1)),
                            series: series?[0],
                            seriesNumber: series?.dropFirst().first.flatMap { Int($0) }
                        )
                    )
                    continue
                }
                var before = ""
                for part in line.dropFirst(2).components(separatedBy: "; ") {
                    if let end = part.lastIndex(of: "|") { before = String(part[...end]) }
                    let spine = part.contains("|") ? part : before + part
                    spines.append((spine, mark == "=" ? books.last?.title : nil))
                }
            }
            books += others
        }
    }

    private static func answer(_ spine: String, by matcher: CatalogueMatcher, confidence: Double = 1) throws -> String?
    {
        let lines = spine.split(separator: "|").map { (text: String($0), confidence: confidence) }
        return try matcher.match(lines).answer?.book.title
    }

    @Test(arguments: shelves) func aSpineNamesItsOwnBookAlone(shelf: Shelf) throws {
        let matcher = try CatalogueMatcherTests.matcher(shelf.books)
        for (spine, title) in shelf.spines { #expect(try Self.answer(spine, by: matcher) == title, "\(spine)") }
    }

    /// Titles with words that are frequent in others', among which some differ by a letter.
    ///
    /// Each has a title more than the three that make a word frequent: the counts of names are approximate.
    private static let frequent = [
        "Light", "June", "Dunes", "Car", "Mouse", "Grey", "Goat", "Sunflower", "Messiah", "Arbor", "Happiness", "Anna",
    ].flatMap { word in
        ["\(word) of Tides", "One \(word) More", "Her \(word)", "No \(word) Again"].map {
            BookRecord(title: $0, authors: [""])
        }
    }

    @Test func aKnownWordIsAnotherOneOnlyIfItIsSurelyRead() throws {
        let shelf = try #require(Self.shelves.first { $0.testDescription == "frequent words" })
        let matcher = try CatalogueMatcherTests.matcher(shelf.books)
        for (spine, title) in [
            ("ERIN MORGENSTERN|THE LIGHT CIRCUS", "The Night Circus"), ("FRANK HERBERT|JUNE", "Dune"),
            ("IDA HOLM|THE MOUSE OF GRAY", "The House of Gray"), ("NILS EK|THE RED GOAT", "The Red Boat"),
        ] {
            #expect(try Self.answer(spine, by: matcher) == nil)
            #expect(try Self.answer(spine, by: matcher, confidence: 0.94) == title)
        }
    }

    private static let shelves = [
        // A spelling, of an author's name too, two words in one, a cut word, and words that no book has are no other title.
        Shelf(
            "frequent words",
            """
            The Night Circus / Erin Morgenstern
              = ERIN MORGENSTERN|THE NIGHT CIRCU5; THE NICHT CIRCUS
            Dune / Frank Herbert
              = FRANK HERBERT|DUNE|GOLLANCZ
            The Cat in the Hat / Theo Geisel
              = THEO GEISEL|THE CAT IN THE HAT
            The House of Gray / Ida Holm
              = IDA HOLM|THE HOUSE OF GREY
            The Red Boat / Nils Ek
            Sun Flower / Ole Dahl
              = OLE DAHL|SUNFLOWER
            Harbor / Lorraine Adams
              = LORRAINE ADAMS|ARBOR
            A Year of Hapiness / Ana Briongos
              = BRIONGOS|A YEAR OF HAPPINESS
              = A YEAR OF HAPINESS ANNA BRIONGOS
            ! FRANK HERBERT|DUNES
            ! THEO GEISEL|THE CAR IN THE HAT
            ! FRANK HERBERT|DUNE|MESSIAH
            """,
            besides: frequent
        ),
        // Of two volumes the number decides, though the words of both are alike.
        Shelf(
            "two volumes",
            """
            History of the Salt Road, Volume 1 / Ines Calder
              = CALDER|HISTORY OF THE SALT ROAD|TOME I
            History of the Salt Road, Volume 2 / Ines Calder
              = CALDER|HISTORY OF THE SALT ROAD|II
            """
        ),
        // A number on the spine may be that of the series, which a list states as "(Liveship Traders, #2)".
        Shelf(
            "number in a series",
            """
            Mad Ship / Robin Hobb / Liveship Traders #2
              = ROBIN HOBB|MAD SHIP|TOME 2; 2
            ! ROBIN HOBB|MAD SHIP|BOOK THREE; III
            """
        ),
        // The publisher's name and the author's are on spines of other books too.
        Shelf(
            "names",
            """
            Anagrama / Lorrie Moore
            Dickens / Peter Ackroyd
            Paris / Edward Rutherfurd
            Oliver Twist / Charles Dickens
            ! JANE DOE|THE SILVER LANTERN|ANAGRAMA
            ! CHARLES DICKENS|HARD TIMES
            ! FELIX KRULL|PARIS IN THE RAIN
            """,
            besides: CatalogueMatcherTests.shelf
        ),
        // Another volume of a work, and a title within another title; what any book's spine has is no evidence against it.
        Shelf(
            "sequels",
            """
            History of the Salt Road, Volume 1 / Ines Calder
              = CALDER|HISTORY OF THE SALT ROAD|VOLUME 1; VOLUME I; VOL. ONE; FIRST VOLUME; BD. 1
            Chronicles of Tern, Vol. 1 / Otto Brandt
            Calculus / Ron Tiller
              = TILLER|CALCULUS|SECOND EDITION; 3RD EDITION; ZWEITE AUFLAGE
            Ocean Nights: Book One / Pia Stern
              = STERN|OCEAN NIGHTS|BOOK 1; BOOK I
            Henry IV, Part 1 / W. Player
              = PLAYER|HENRY IV|PART ONE
            Defenders of the Reef / Mia Lund
              = LUND|DEFENDERS OF THE REEF|1
            Dune / Frank Herbert
              = FRANK HERBERT|DUNE|ACE; A NOVEL; 10TH ANNIVERSARY; THE BESTSELLING NOVEL
              = DUNE|FRANK HERBERT|50TH ANNIVERSARY EDITION
            Foundation / Isaac Asimov
            Ringworld / Larry Niven
            Hyperion / Dan Simmons
              = DAN SIMMONS|HYPERION|HUGO AWARD WINNER
            Watership Down / Richard Adams
              = ADAMS|WATERSHIP DOWN|PENGUIN BOOKS
            Poems / W. H. Auden
            Essays / Michel de Montaigne
            Java / Herbert Schildt
            ! CALDER|HISTORY OF THE SALT ROAD|VOLUME 2; II; TOME II; SECOND VOLUME; BD. 2
            ! CALDER|HISTORY OF THE SALT ROAD VOL. 2
            ! BRANDT|CHRONICLES OF TERN|VOL. 13; III; PART THREE
            ! TILLER|CALCULUS II; CALCULUS 3
            ! STERN|OCEAN NIGHTS|BOOK TWO; ZWEITER BAND; THE SECOND BOOK
            ! PLAYER|HENRY IV|PART 2; PART TWO
            ! LUND|DEFENDERS OF THE REEF|7; #4; TROISIÈME PARTIE
            ! LUND|DEFENDERS OF THE REEF VIII
            ! FRANK HERBERT|DUNE MESSIAH; CHILDREN OF DUNE; HERETICS OF DUNE; GOD EMPEROR OF DUNE; CHAPTERHOUSE: DUNE
            ! ISAAC ASIMOV|SECOND FOUNDATION; FOUNDATION AND EMPIRE; FOUNDATION'S EDGE; PRELUDE TO FOUNDATION
            ! LARRY NIVEN|THE RINGWORLD ENGINEERS; RINGWORLD'S CHILDREN
            ! DAN SIMMONS|THE FALL OF HYPERION
            ! DAN SIMMONS|THE RISE OF|HYPERION
            ! RICHARD ADAMS|TALES FROM WATERSHIP DOWN
            ! W. H. AUDEN|COLLECTED SHORTER POEMS; SELECTED POEMS
            ! MONTAIGNE|THE COMPLETE ESSAYS; ESSAYS AND LETTERS
            ! HERBERT SCHILDT|JAVA|THE COMPLETE REFERENCE; A BEGINNER'S GUIDE
            """
        ),
        // Other authors' books with a catalogued title; the authors are in no catalogue.
        Shelf(
            "authors",
            """
            The Silver Lantern / Mara Quist
              = QUIST|THE SILVER LANTERN
              = THE SILVER LANTERN|VINTAGE; MARROW PRESS
              = MARA QU1ST|THE SILVER LANTERN
            The Winter Garden / Helen Brook
              = THE WINTER GARDEN|HELEN BR00K|LUMEN HOUSE
              = THE WINTER GARDEN|HELEN BROCK
            Nordlys / Anna Berg
            Letters Home / Sylvia Plath
            The Long Road / Peter Hale
            A History of Bread / Carl Ott
            こころ / 夏目漱石
              = 夏目漱石|こころ
            Paris / Edward Rutherfurd
            ! JANE DOE|THE SILVER LANTERN
            ! DOERR|THE SILVER LANTERN
            ! KROLL|THE SILVER LANTERN
            ! THE WINTER GARDEN|OTTO KROLL; KROLL
            ! ALAN GREER|LETTERS HOME|FABER
            ! J. T. MARCH|THE LONG ROAD
            ! VAN DER MEER|THE LONG ROAD
            ! IVO TARR|NORDLYS
            ! A HISTORY OF BREAD|BEATRIZ NAVARRO
            ! 村上春樹|こころ
            ! AMY TAN|THE LONG ROAD
            """
        ),
        // Titles that differ from a catalogued one by a word.
        Shelf(
            "words",
            """
            The Girl on the Train / Paula Hawkins
              = PAULA HAWKINS|THE GIRL ON THE TRA1N; THE GIRL ON THE TRAIM
            A Short History of Bread / Carl Ott
              = OTT|A SH0RT HIST0RY OF BREAD
              = CARL OTT|A SHORT|HISTORY|OF BREAD
            The Lost Garden / Helen Brook
            Summer of the Wolf / Mira Lund
              = LUND|SUMMER OF THE WOIF
            The King in Winter / Oskar Dahl
            Cooking for Two / Ada Bell
            The Night Manager / John Carre
            How to Read a Poem / Terry Eagleton
              = EAGLETON|HOW TO READ A POEM
            ! PAULA HAWKINS|THE GIRL ON THE PLANE; THE BOY ON THE TRAIN; THE MAN ON THE TRAIN; THE DOG ON THE TRAIN
            ! CARRE|THE DAY MANAGER
            ! LUND|SUMMER OF THE CAT; WINTER OF THE WOLF; SUMMER OF THE BEAR
            ! HELEN BROOK|THE LOST|VALLEY
            ! HELEN BROOK|FROZEN|GARDEN
            ! CARRE|NIGHT|PORTER
            ! OSKAR DAHL|THE KING|ABROAD
            ! CARL OTT|A BRIEF HISTORY OF BREAD; A SHORT HISTORY OF WINE
            ! BROOK|THE FROZEN GARDEN
            ! HELEN BROOK|THE LOST VALLEY
            ! DAHL|THE QUEEN IN WINTER
            ! ADA BELL|BAKING FOR TWO; COOKING FOR CATS
            ! EAGLETON|HOW TO READ A MAP
            ! PAULA HAWKINS|THE GIRL ON THE|PLANE
            ! CARL OTT|A BRIEF HISTORY|OF BREAD
            """
        ),
        // Other parts of a work, by letters, words, Chinese characters and years.
        Shelf(
            "volumes",
            """
            Organic Chemistry / Ruth Weil
              = RUTH WEIL|ORGANIC CHEMISTRY|PART A; 2015
              = RUTH WEIL|ORGANIC CHEMISTRY
            The Reed Atlas, Part A / Tom Sand
              = SAND|THE REED ATLAS|PART A
            ノルウェイの森 上 / 村上春樹
              = 村上春樹|ノルウェイの森|上
              = 村上春樹|ノルウェイの森（上）
            三体 / 劉慈欣
              = 劉慈欣|三体
            坂の上の雲 第1巻 / 司馬遼太郎
              = 司馬遼太郎|坂の上の雲|第一巻
              = 司馬遼太郎|坂の上の雲 1
            Guide to Rome 2019 / Lena Fox
              = LENA FOX|GUIDE TO ROME|2019
            Wine Year 2020-2021 / Ivo Rath
              = IVO RATH|WINE YEAR 2020/2021
            The Field Guide, Volume B / Nils Ek
              = NILS EK|THE FIELD GUIDE|VOLUME B
            Winter Saga, Part One / Pia Stern
              = STERN|WINTER SAGA|PART 1
            Spring Saga, Part Two / Pia Stern
              = STERN|SPRING SAGA|PART II
            ! RUTH WEIL|ORGANIC CHEMISTRY|PART B; VOLUME C
            ! WEIL|ORGANIC CHEMISTRY|TEIL B
            ! SAND|THE REED ATLAS|PART B; PART TWO
            ! SAND|THE REED ATLAS, PART C
            ! NILS EK|THE FIELD GUIDE|VOLUME A
            ! STERN|WINTER SAGA|PART TWO; PART 2
            ! STERN|SPRING SAGA|PART ONE
            ! 村上春樹|ノルウェイの森|下
            ! 村上春樹|ノルウェイの森 下; ノルウェイの森（下）; ノルウェイの森 下巻
            ! 劉慈欣|三体2; 三体Ⅱ
            ! 劉慈欣|三体|第二部; 二
            ! 司馬遼太郎|坂の上の雲|第2巻; 巻二; 二
            ! 司馬遼太郎|坂の上の雲 第三巻
            ! LENA FOX|GUIDE TO ROME 2021
            ! LENA FOX|GUIDE TO ROME|2021
            ! FOX|2018|GUIDE TO ROME
            ! IVO RATH|WINE YEAR 2021-2022
            ! IVO RATH|WINE YEAR|2018
            """
        ),
        // Titles of one word that are a word, a name or a place on other books' spines.
        Shelf(
            "places",
            """
            Paris / Edward Rutherfurd
              = EDWARD RUTHERFURD|PARIS|ARROW BOOKS
              = PARIS|A NOVEL|EDWARD RUTHERFURD
            London / Peter Ackroyd
              = PETER ACKROYD|LONDON|THE BIOGRAPHY
            Anagrama / Lorrie Moore
            Dickens / Peter Ackroyd
              = DICKENS|PETER ACKROYD
            Heartbeat / Dana Still
            Perfect / Judith Naught
            Crash / Jerry Spin
            Oxford / Jan Morris
              = JAN MORRIS|OXFORD
            Emma / Jane Austen
              = AUSTEN|EMMA
              = EMMA|JANE AUSTEN|OXFORD WORLD'S CLASSICS
            Winter / Ali Smith
              = ALI SMITH|WINTER|PENGUIN
            ! FELIX KRULL|PARIS IN THE RAIN
            ! IN A HEARTBEAT
            ! ABBOT|IN A HEARTBEAT
            ! PICOULT|PICTURE PERFECT
            ! MCGARRY|CRASH INTO YOU
            ! JANE DOE|THE SILVER LANTERN|LONDON; OXFORD; ANAGRAMA
            ! THE SILVER LANTERN|LONDON
            ! CHARLES DICKENS|HARD TIMES
            ! DICKENS|HARD TIMES
            ! EMMA DONOGHUE|ROOM
            ! EMMA STONE|THE LONG ROAD
            ! OUR MAN IN PARIS
            ! WINTER IN MADRID|SANSOM
            ! C. J. SANSOM|WINTER IN MADRID
            ! ROOM|EMMA DONOGHUE
            ! LETTERS FROM LONDON
            """
        ),
        // A series' name alone names no volume, nor does a main title beside another title or another author's short name.
        Shelf(
            "series",
            """
            Shiver Street: The Official Guide / R. L. Marsh
              = SHIVER STREET|THE OFFICIAL GUIDE|R L MARSH
            The Glass Door / R. L. Marsh / Shiver Street
            The Amber Saga: The Lost Crown / Ida Vance
              = THE AMBER SAGA|THE LOST CROWN|IDA VANCE
            First Light / Ida Vance / The Amber
            Tide Riders Collection / Joan Pell
            Low Water / Joan Pell / Tide Riders and the Sea
            Pond Club #14: Hello, Frogs / Ann Reed
              = POND CLUB 14|HELLO FROGS|ANN REED
            Hello, Toads / Ann Reed / Pond Club
            Dear Country: Letters from the Hills
              = DEAR COUNTRY|LETTERS FROM THE HILLS
            The Secret School: Ways to Know / Whit Strieber
              = WHIT STRIEBER|THE SECRET SCHOOL
            Chesil Beach / Ian Macewan
            Chinese Slippers: The True Story of a Daughter / Adele Mah
              = ADELE MAH|CHINESE SLIPPERS
            The Winter Gate / Pia Oster / The Winter Gate
              = PIA OSTER|THE WINTER GATE
            Summer Gate / Pia Oster / The Winter Gate
            Other Names / Avi Poe
            The Fences / Lee Poe
            ! SHIVER STREET|R L MARSH
            ! SHIVER STREET|MARSH|SCHOLASTIC
            ! THE AMBER SAGA|IDA VANCE
            ! AMBER|IDA VANCE
            ! TIDE RIDERS|JOAN PELL
            ! POND CLUB|ANN REED
            ! DEAR COUNTRY|The Fences Between Us|SCHOLASTIC
            ! AVI|THE SECRET SCHOOL
            ! IAN MCEWAN ON CHESIL BEACH|VINTAGE
            """
        ),
        // A longer numeral, a number that a volume's number begins with, ordinals of other languages, works about a work.
        Shelf(
            "works",
            """
            Algebra I / P. Grant
              = P. GRANT|ALGEBRA I
            Henry V / W. Player
              = W. PLAYER|HENRY V
            Tern, Vol. 10 / Otto Brandt
              = OTTO BRANDT|TERN|VOL. 10
            La saga des Vents, Tome 2 / Luc Mar
              = LUC MAR|LA SAGA DES VENTS|T2
            Saltvägen, Del 1 / Lars Ek
            Война и мир. Том 1 / Лев Толстой
            Wolf Hall / Hilary Mantel
              = HILARY MANTEL|WOLF HALL
            Lamps / Nora Quill
            The Hunger Games / Suzanne Collins / The Hunger Games #1
              = SUZANNE COLLINS|THE HUNGER GAMES|SCHOLASTIC; BOOK ONE
            ! P. GRANT|ALGEBRA II
            ! P. GRANT|ALGEBRA|III
            ! W. PLAYER|HENRY VI
            ! OTTO BRANDT|TERN|1
            ! LUC MAR|LA SAGA DES VENTS|T3
            ! LARS EK|SALTVÄGEN|ANDRA DELEN
            ! Л. ТОЛСТОЙ|ВОЙНА И МИР|ТОМ ВТОРОЙ
            ! HILARY MANTEL|THE MIRROR & THE LIGHT|AUTHOR OF WOLF HALL
            ! NORA QUILL|NO LAMPS
            ! NORA QUILL|LAMPS|WORKBOOK
            ! OTTO BRANDT|TERN VOL. 10|BOX SET
            ! SUZANNE COLLINS|CATCHING FIRE|THE HUNGER GAMES
            ! SUZANNE COLLINS|THE BALLAD OF SONGBIRDS AND SNAKES|A HUNGER GAMES NOVEL
            """
        ),
    ]
}
