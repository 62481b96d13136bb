import BookCatalogue
import Testing

/// Spines of books that a small catalogue lacks, beside books of it that are nearly the same: by title, by author, by
/// volume.
@Suite struct OtherBooksTests {
    private static func answer(_ spine: String, _ books: [BookRecord]) throws -> String? {
        try CatalogueMatcherTests.matcher(books).match(spine.split(separator: "|").map(String.init)).answer?.book.title
    }

    private static func books(_ list: [(title: String, author: String)]) -> [BookRecord] {
        list.map { BookRecord(title: $0.title, authors: [$0.author]) }
    }

    private static let authors = books([
        ("The Silver Lantern", "Mara Quist"), ("The Winter Garden", "Helen Brook"), ("Nordlys", "Anna Berg"),
        ("Letters Home", "Sylvia Plath"), ("The Long Road", "Peter Hale"), ("A History of Bread", "Carl Ott"),
        ("こころ", "夏目漱石"), ("Paris", "Edward Rutherfurd"),
    ])

    /// Spines of other authors' books with a catalogued title; the authors are in no catalogue.
    @Test(arguments: [
        "JANE DOE|THE SILVER LANTERN", "DOERR|THE SILVER LANTERN", "KROLL|THE SILVER LANTERN",
        "THE WINTER GARDEN|OTTO KROLL", "THE WINTER GARDEN|KROLL", "ALAN GREER|LETTERS HOME|FABER",
        "J. T. MARCH|THE LONG ROAD", "VAN DER MEER|THE LONG ROAD", "IVO TARR|NORDLYS",
        "A HISTORY OF BREAD|BEATRIZ NAVARRO", "村上春樹|こころ", "AMY TAN|THE LONG ROAD",
    ])
    func aTitleOfAnotherAuthorIsAnotherBook(spine: String) throws {
        #expect(try Self.answer(spine, Self.authors) == nil)
    }

    @Test(arguments: [
        ("QUIST|THE SILVER LANTERN", "The Silver Lantern"), ("THE SILVER LANTERN|VINTAGE", "The Silver Lantern"),
        ("THE SILVER LANTERN|MARROW PRESS", "The Silver Lantern"),
        ("MARA QU1ST|THE SILVER LANTERN", "The Silver Lantern"),
        ("THE WINTER GARDEN|HELEN BR00K|LUMEN HOUSE", "The Winter Garden"),
        ("THE WINTER GARDEN|HELEN BROCK", "The Winter Garden"), ("夏目漱石|こころ", "こころ"),
    ])
    func theAuthorsOwnBookIsNamed(spine: String, title: String) throws {
        #expect(try Self.answer(spine, Self.authors) == title)
    }

    private static let words = books([
        ("The Girl on the Train", "Paula Hawkins"), ("A Short History of Bread", "Carl Ott"),
        ("The Lost Garden", "Helen Brook"), ("Summer of the Wolf", "Mira Lund"), ("The King in Winter", "Oskar Dahl"),
        ("Cooking for Two", "Ada Bell"), ("The Night Manager", "John Carre"),
        ("How to Read a Poem", "Terry Eagleton"),
    ])

    /// Titles that differ from a catalogued one by a word.
    @Test(arguments: [
        "PAULA HAWKINS|THE GIRL ON THE PLANE", "PAULA HAWKINS|THE BOY ON THE TRAIN",
        "PAULA HAWKINS|THE MAN ON THE TRAIN",
        "PAULA HAWKINS|THE DOG ON THE TRAIN", "CARRE|THE DAY MANAGER", "LUND|SUMMER OF THE CAT",
        "HELEN BROOK|THE LOST|VALLEY", "HELEN BROOK|FROZEN|GARDEN", "CARRE|NIGHT|PORTER",
        "OSKAR DAHL|THE KING|ABROAD",
        "CARL OTT|A BRIEF HISTORY OF BREAD", "CARL OTT|A SHORT HISTORY OF WINE", "BROOK|THE FROZEN GARDEN",
        "HELEN BROOK|THE LOST VALLEY", "LUND|WINTER OF THE WOLF", "LUND|SUMMER OF THE BEAR",
        "DAHL|THE QUEEN IN WINTER", "ADA BELL|BAKING FOR TWO", "ADA BELL|COOKING FOR CATS",
        "EAGLETON|HOW TO READ A MAP", "PAULA HAWKINS|THE GIRL ON THE|PLANE", "CARL OTT|A BRIEF HISTORY|OF BREAD",
    ])
    func aTitleWithAnotherWordIsAnotherBook(spine: String) throws {
        #expect(try Self.answer(spine, Self.words) == nil)
    }

    @Test(arguments: [
        ("PAULA HAWKINS|THE GIRL ON THE TRA1N", "The Girl on the Train"),
        ("PAULA HAWKINS|THE GIRL ON THE TRAIM", "The Girl on the Train"),
        ("OTT|A SH0RT HIST0RY OF BREAD", "A Short History of Bread"),
        ("CARL OTT|A SHORT|HISTORY|OF BREAD", "A Short History of Bread"),
        ("LUND|SUMMER OF THE WOIF", "Summer of the Wolf"), ("EAGLETON|HOW TO READ A POEM", "How to Read a Poem"),
    ])
    func aMisreadWordIsTheSame(spine: String, title: String) throws {
        #expect(try Self.answer(spine, Self.words) == title)
    }

    /// Titles with words that are frequent in others', among which some differ by a letter.
    private static let frequent = books(
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
    )

    private static func answer(_ spine: String, confidence: Double) throws -> String? {
        let lines = spine.split(separator: "|").map { (text: String($0), confidence: confidence) }
        return try CatalogueMatcherTests.matcher(frequent).match(lines).answer?.book.title
    }

    /// A known word that is one letter apart, surely read or not.
    @Test(arguments: [
        ("ERIN MORGENSTERN|THE LIGHT CIRCUS", "The Night Circus"), ("FRANK HERBERT|JUNE", "Dune"),
        ("IDA HOLM|THE MOUSE OF GRAY", "The House of Gray"), ("NILS EK|THE RED GOAT", "The Red Boat"),
    ])
    func aKnownWordIsAnotherOneIfItIsSurelyRead(spine: String, title: String) throws {
        #expect(try Self.answer(spine, confidence: 1) == nil)
        #expect(try Self.answer(spine, confidence: 0.94) == title)
    }

    @Test(arguments: ["FRANK HERBERT|DUNES", "THEO GEISEL|THE CAR IN THE HAT", "FRANK HERBERT|DUNE|MESSIAH"])
    func aKnownWordBesideOrAroundTheTitlesIsAnotherTitle(spine: String) throws {
        #expect(try Self.answer(spine, confidence: 1) == nil)
    }

    /// A spelling, of an author's name too, two words in one, a cut word, and words that no book has.
    @Test(arguments: [
        ("IDA HOLM|THE HOUSE OF GREY", "The House of Gray"), ("OLE DAHL|SUNFLOWER", "Sun Flower"),
        ("LORRAINE ADAMS|ARBOR", "Harbor"), ("ERIN MORGENSTERN|THE NIGHT CIRCU5", "The Night Circus"),
        ("ERIN MORGENSTERN|THE NICHT CIRCUS", "The Night Circus"), ("FRANK HERBERT|DUNE|GOLLANCZ", "Dune"),
        ("THEO GEISEL|THE CAT IN THE HAT", "The Cat in the Hat"),
        ("BRIONGOS|A YEAR OF HAPPINESS", "A Year of Hapiness"),
        ("A YEAR OF HAPINESS ANNA BRIONGOS", "A Year of Hapiness"),
    ])
    func aSpellingOrACutWordIsTheSame(spine: String, title: String) throws {
        #expect(try Self.answer(spine, confidence: 1) == title)
    }

    private static let volumes = books([
        ("Organic Chemistry", "Ruth Weil"), ("The Reed Atlas, Part A", "Tom Sand"), ("ノルウェイの森 上", "村上春樹"),
        ("三体", "劉慈欣"), ("坂の上の雲 第1巻", "司馬遼太郎"), ("Guide to Rome 2019", "Lena Fox"),
        ("Wine Year 2020-2021", "Ivo Rath"), ("The Field Guide, Volume B", "Nils Ek"),
        ("Winter Saga, Part One", "Pia Stern"), ("Spring Saga, Part Two", "Pia Stern"),
    ])

    /// Other parts of a work, by letters, words, Chinese characters and years.
    @Test(arguments: [
        "RUTH WEIL|ORGANIC CHEMISTRY|PART B", "RUTH WEIL|ORGANIC CHEMISTRY|VOLUME C", "WEIL|ORGANIC CHEMISTRY|TEIL B",
        "SAND|THE REED ATLAS|PART B", "SAND|THE REED ATLAS, PART C", "SAND|THE REED ATLAS|PART TWO",
        "NILS EK|THE FIELD GUIDE|VOLUME A", "STERN|WINTER SAGA|PART TWO", "STERN|WINTER SAGA|PART 2",
        "STERN|SPRING SAGA|PART ONE", "村上春樹|ノルウェイの森|下", "村上春樹|ノルウェイの森 下", "村上春樹|ノルウェイの森（下）", "村上春樹|ノルウェイの森 下巻",
        "劉慈欣|三体2", "劉慈欣|三体Ⅱ", "劉慈欣|三体|第二部", "劉慈欣|三体|二", "司馬遼太郎|坂の上の雲|第2巻", "司馬遼太郎|坂の上の雲|巻二", "司馬遼太郎|坂の上の雲 第三巻",
        "司馬遼太郎|坂の上の雲|二", "LENA FOX|GUIDE TO ROME 2021", "LENA FOX|GUIDE TO ROME|2021", "FOX|2018|GUIDE TO ROME",
        "IVO RATH|WINE YEAR 2021-2022", "IVO RATH|WINE YEAR|2018",
    ])
    func anotherPartIsAnotherBook(spine: String) throws {
        #expect(try Self.answer(spine, Self.volumes) == nil)
    }

    @Test(arguments: [
        ("RUTH WEIL|ORGANIC CHEMISTRY|PART A", "Organic Chemistry"),
        ("RUTH WEIL|ORGANIC CHEMISTRY", "Organic Chemistry"),
        ("SAND|THE REED ATLAS|PART A", "The Reed Atlas, Part A"),
        ("NILS EK|THE FIELD GUIDE|VOLUME B", "The Field Guide, Volume B"),
        ("STERN|WINTER SAGA|PART 1", "Winter Saga, Part One"), ("STERN|SPRING SAGA|PART II", "Spring Saga, Part Two"),
        ("村上春樹|ノルウェイの森|上", "ノルウェイの森 上"), ("村上春樹|ノルウェイの森（上）", "ノルウェイの森 上"), ("劉慈欣|三体", "三体"),
        ("司馬遼太郎|坂の上の雲|第一巻", "坂の上の雲 第1巻"), ("司馬遼太郎|坂の上の雲 1", "坂の上の雲 第1巻"),
        ("LENA FOX|GUIDE TO ROME|2019", "Guide to Rome 2019"),
        ("IVO RATH|WINE YEAR 2020/2021", "Wine Year 2020-2021"),
        ("RUTH WEIL|ORGANIC CHEMISTRY|2015", "Organic Chemistry"),
    ])
    func thePartItselfIsNamed(spine: String, title: String) throws {
        #expect(try Self.answer(spine, Self.volumes) == title)
    }

    private static let places = books([
        ("Paris", "Edward Rutherfurd"), ("London", "Peter Ackroyd"), ("Anagrama", "Lorrie Moore"),
        ("Dickens", "Peter Ackroyd"), ("Heartbeat", "Dana Still"), ("Perfect", "Judith Naught"),
        ("Crash", "Jerry Spin"), ("Oxford", "Jan Morris"), ("Emma", "Jane Austen"), ("Winter", "Ali Smith"),
    ])

    /// Titles of one word that are a word, a name or a place on other books' spines.
    @Test(arguments: [
        "FELIX KRULL|PARIS IN THE RAIN", "IN A HEARTBEAT", "ABBOT|IN A HEARTBEAT", "PICOULT|PICTURE PERFECT",
        "MCGARRY|CRASH INTO YOU", "JANE DOE|THE SILVER LANTERN|LONDON", "JANE DOE|THE SILVER LANTERN|OXFORD",
        "THE SILVER LANTERN|LONDON", "JANE DOE|THE SILVER LANTERN|ANAGRAMA", "CHARLES DICKENS|HARD TIMES",
        "DICKENS|HARD TIMES", "EMMA DONOGHUE|ROOM", "EMMA STONE|THE LONG ROAD", "OUR MAN IN PARIS",
        "WINTER IN MADRID|SANSOM", "C. J. SANSOM|WINTER IN MADRID", "ROOM|EMMA DONOGHUE", "LETTERS FROM LONDON",
    ])
    func aWordOfAnotherSpineIsNoTitle(spine: String) throws {
        #expect(try Self.answer(spine, Self.places) == nil)
    }

    @Test(arguments: [
        ("AUSTEN|EMMA", "Emma"), ("ALI SMITH|WINTER|PENGUIN", "Winter"),
        ("EDWARD RUTHERFURD|PARIS|ARROW BOOKS", "Paris"), ("EMMA|JANE AUSTEN|OXFORD WORLD'S CLASSICS", "Emma"),
        ("DICKENS|PETER ACKROYD", "Dickens"), ("PETER ACKROYD|LONDON|THE BIOGRAPHY", "London"),
        ("JAN MORRIS|OXFORD", "Oxford"), ("PARIS|A NOVEL|EDWARD RUTHERFURD", "Paris"),
    ])
    func theTitleOfOneWordIsNamed(spine: String, title: String) throws {
        #expect(try Self.answer(spine, Self.places) == title)
    }
}
