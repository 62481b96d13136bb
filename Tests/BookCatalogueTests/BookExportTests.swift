import Basics
import Foundation
import Testing

@testable import BookCatalogue

/// Headers are those of each program's own export in 2025; the rows are of our own making.
@Suite struct BookExportTests {
    /// Required export data of "Dune" and "Good Omens".
    struct Export: CustomTestStringConvertible, Sendable {
        var program: String
        var text: String
        var hasISBN = true
        var years: [Int?] = [1990, 2006]

        var testDescription: String { program }
    }

    private static let goodreads = #"""
        Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies
        1,"Dune (Dune, #1)",Frank  Herbert,"Herbert, Frank",,"=""0441172717""","=""9780441172719""",0,4.2,Ace,Paperback,535,1990,,,2024/01/02,to-read,to-read (#1),to-read,"Great,
        ""really"" <br/>",,,0,0
        2,Good Omens,Terry Pratchett,"Pratchett, Terry",Neil Gaiman,"=""""","=""9780060853983""",0,4.2,Ace,Paperback,535,2006,,,2024/01/02,to-read,to-read (#1),to-read,,,,0,0
        """#

    private static let storyGraph = """
        Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,Character- or Plot-Driven?,Strong Character Development?,Loveable Characters?,Diverse Characters?,Flawed Characters?,Star Rating,Review,Content Warnings,Content Warning Description,Tags,Owned?
        Dune,Frank Herbert,,9780441172719,paperback,to-read,2024/01/02,,,0,,,,,,,,,,,,,No
        Good Omens,"Terry Pratchett, Neil Gaiman",Dave McKean (Illustrator),9780060853983,paperback,to-read,2024/01/02,,,0,,,,,,,,,,,,,No
        """

    private static let libraryThing = """
        Book Id\tTitle\tSort Character\tPrimary Author\tPrimary Author Role\tSecondary Author\tSecondary Author Roles\tPublication\tDate\tReview\tRating\tComment\tPrivate Comment\tSummary\tMedia\tPhysical Description\tWeight\tHeight\tThickness\tLength\tDimensions\tPage Count\tLCCN\tAcquired\tDate Started\tDate Read\tBarcode\tBCID\tTags\tCollections\tLanguages\tOriginal Languages\tLC Classification\tISBN\tISBNs\tSubjects\tDewey Decimal\tDewey Wording\tOther Call Number\tCopies\tSource\tEntry Date\tFrom Where\tOCLC\tWork id\tLending Patron\tLending Status\tLending Start\tLending End
        1\tDune\t1\tHerbert, Frank\tAuthor\t\t\tAce (1990), 535 pages\t1990\t\t\t\t\t\tBook\t\t\t\t\t\t\t535\t\t\t\t\t\t\tsf\tYour library\tEnglish\tEnglish\tPS\t[0441172717]\t0441172717, 9780441172719\t\t\t\t\t1\tamazon.com\t2024-01-02\t\t\t5\t\t\t\t
        2\tGood Omens\t1\tPratchett, Terry\tAuthor\tGaiman, Neil\tAuthor\tAce (2006), 400 pages\t2006\t\t\t\t\t\tBook\t\t\t\t\t\t\t400\t\t\t\t\t\t\t\tYour library\tEnglish\tEnglish\tPR\t[]\t9780060853983\t\t\t\t\t1\tamazon.com\t2024-01-02\t\t\t6\t\t\t\t
        """

    private static let calibre = """
        \u{FEFF}"author_sort","authors","comments","cover","formats","id","identifiers","isbn","languages","library_name","pubdate","publisher","rating","series","series_index","size","tags","timestamp","title","title_sort","uuid"
        "Herbert, Frank","Frank Herbert","<p>Long
        comment</p>","/home/me/cover.jpg","epub","1","goodreads:234225,isbn:9780441172719","9780441172719","eng","Books","1990-08-01T00:00:00+00:00","Ace","4","","1.0","1433809","sf","2021-01-19T22:41:16+01:00","Dune","Dune","3051ed45-8943-4900-a22a-d2704e3583df"
        "Pratchett, Terry & Gaiman, Neil","Terry Pratchett & Neil Gaiman","","","epub","2","isbn:9780060853983,mobi-asin:B00ABCDEFG","","eng","Books","2006-11-28T00:00:00+00:00","Ace","4","","1.0","1433809","","2021-01-19T22:41:16+01:00","Good Omens","Good Omens","3051ed45-8943-4900-a22a-d2704e3583d0"
        """

    private static let libib = """
        item_type,title,creators,first_name,last_name,collection,ean_isbn13,upc_isbn10,description,publisher,publish_date,group,tags,notes,price,length,number_of_discs,number_of_players,age_group,ensemble,aspect_ratio,esrb,rating,review,review_date,status,began,completed,added,copies
        book,Dune,Frank Herbert,Frank,Herbert,My Shelf,9780441172719,0441172717,,Ace,1990-08-01,,,,,535,,,,,,,,,,Completed,,,2024-01-02,1
        movie,Dune,David Lynch,David,Lynch,My Films,,025192215827,,Universal,1984-12-14,,,,,137,1,,,,,,,,,,,,2024-01-02,1
        book,Good Omens,"Terry Pratchett, Neil Gaiman",Terry,Pratchett,My Shelf,,0060853980,,Ace,2006-11-28,,,,,400,,,,,,,,,,,,,2024-01-02,1
        """

    private static let bookBuddy = """
        Title,Original Title,Subtitle,Series,Volume,Author,"Author (Last, First)",Illustrator,Narrator,Translator,Photographer,Editor,Publisher,Place of Publication,Date Published,Year Published,Original Date Published,Original Year Published,Edition,Genre,Summary,Guided Reading Level,Lexile Measure,Lexile Code,Grade Level Equivalent,Developmental Reading Assessment,Interest Level,AR Level,AR Points,AR Quiz Number,Word Count,Number of Pages,Format,Audio Runtime,Dimensions,Weight,List Price,Language,Original Language,DDC,LCC,LCCN,OCLC,ISBN,ISSN,Favorites,Rating,Physical Location,Status,Status Incompleted Reason,Status Hidden,Date Started,Date Finished,Current Page,Loaned To,Date Loaned,Borrowed From,Date Borrowed,Returned from Borrow,Not Owned Reason,Quantity,Condition,Recommended By,Date Added,User Supplied ID,User Supplied Descriptor,Tags,Purchase Date,Purchase Place,Purchase Price,Notes,Google VolumeID,Category,Wish List,Previously Owned,Up Next,Position,Uploaded Image URL,Activities
        Dune,,,,,Frank Herbert,"Herbert, Frank",,,,,,Ace,,1990-08-01,1990,,,,,,,,,,,,,,,,535,,,,,,English,,,,,,9780441172719,,0,0,,Unread,,,,,,,,,,,,1,,,2024/01/02,,,,,,,,9Fi-BfAGnooC,,0,0,0,,,
        Good Omens,,,,,,"Pratchett, Terry; Gaiman, Neil",,,,,,Ace,,,2006,,,,,,,,,,,,,,,,400,,,,,,English,,,,,,9780060853983,,0,0,,Unread,,,,,,,,,,,,1,,,2024/01/02,,,,,,,,,,0,0,0,,,
        """

    private static let openLibrary = """
        Work ID,Title,Authors,First Publish Year,Edition ID,Edition Count,Bookshelf,My Ratings,Ratings Average,Ratings Count,Has Ebook,Subjects,Subject People,Subject Places,Subject Times
        OL1W,Dune,Frank Herbert,1965,OL2M,12,Already Read,5,4.2,900,True,Science fiction,,,
        OL3W,Good Omens,Terry Pratchett | Neil Gaiman,1990,OL4M,12,Already Read,5,4.2,800,True,Fantasy,,,
        """

    private static let bookWyrm = """
        title,author_text,remote_id,openlibrary_key,inventaire_id,librarything_key,goodreads_key,bnf_id,viaf,wikidata,asin,aasin,isfdb,isbn_10,isbn_13,oclc_number,start_date,finish_date,stopped_date,rating,review_name,review_cw,review_content,review_published,shelf,shelf_name,shelf_date
        Dune,Frank Herbert,https://example.test/book/1,,,,,,,,,,,0441172717,9780441172719,,,,,4,,,,,read,Read,2024-02-03
        Good Omens,"Terry Pratchett, Neil Gaiman",https://example.test/book/2,,,,,,,,,,,0060853980,,,,,,4,,,,,read,Read,2024-02-03
        """

    private static let oldLibraryThing = """
        'TITLE',"'AUTHOR (first, last)'","'AUTHOR (last, first)'",'DATE','LCC','DDC','ISBNs','SOURCE','ENTRY DATE','RATINGS','TAGS'
        Dune,Frank Herbert,"Herbert, Frank",1990,PS,813,[0441172717],amazon.com,2024-01-02,4,sf
        Good Omens,"Terry Pratchett, Neil Gaiman","Pratchett, Terry",2006,PR,823,[0060853980],amazon.com,2024-01-02,4,sf
        """

    static let exports = [
        Export(program: "Goodreads", text: goodreads),
        Export(program: "The StoryGraph", text: storyGraph, years: [nil, nil]),
        Export(program: "LibraryThing", text: libraryThing),
        Export(program: "LibraryThing, once", text: oldLibraryThing),
        Export(program: "Calibre", text: calibre), Export(program: "Libib", text: libib),
        Export(program: "BookBuddy", text: bookBuddy),
        Export(program: "Open Library", text: openLibrary, hasISBN: false, years: [1965, 1990]),
        Export(program: "BookWyrm", text: bookWyrm, years: [nil, nil]),
    ]

    private func build(_ bytes: [UInt8]) throws -> (books: [BookRecord], report: ListReport) {
        let file = FileManager.default.temporaryDirectory.appending(path: "list-\(UUID().uuidString).csv")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var builder = CatalogueBuilder(name: "test")
        let report = try builder.add(list: file.path)
        return (builder.books, report)
    }

    @Test(arguments: exports)
    func titlesAuthorsNumbersAndYearsAreKept(export: Export) throws {
        let (books, report) = try build(Array(export.text.utf8))
        #expect(books.map(\.title) == ["Dune", "Good Omens"])
        #expect(books.map(\.authors) == [["Frank Herbert"], ["Terry Pratchett", "Neil Gaiman"]])
        #expect(books.map { $0.isbn?.digits } == (export.hasISBN ? ["9780441172719", "9780060853983"] : [nil, nil]))
        #expect(books.map(\.year) == export.years)
        #expect(books.allSatisfy { $0.coverURL == nil && ($0.publisher ?? "Ace") == "Ace" && $0.series != "My Shelf" })
        #expect(report.wrongISBNs == 0 && report.badRows == 0)
    }

    @Test(
        "what a spreadsheet makes of a table is still that table",
        arguments: [
            { "\u{FEFF}" + $0 }, { "sep=,\r\n" + $0 }, { "\u{FEFF}\"sep=,\"\n" + $0 },
            { $0.replacing("\n", with: "\r\n") + "\r\n,,,,,\r\n" }, { ",,,\n\n" + $0 + "\n,,,,\n\"\",\"\"\n" },
            { $0.replacing("\n", with: "\r") },
            { $0.split(separator: "\n").map { $0 + ",,," }.joined(separator: "\n") },
        ] as [@Sendable (String) -> String]
    )
    func habits(change: @Sendable (String) -> String) throws {
        let table = #"""
            title,author,isbn,year
            Dune,"Herbert, Frank","=""9780441172719""",1990
            "=""1984""","Orwell, George",'9780060853983,'1949
            """#
        for encode in [{ Array($0.utf8) }, Self.utf16(isLittle: true), Self.utf16(isLittle: false)] {
            let (books, report) = try build(encode(change(table)))
            #expect(
                books == [
                    BookRecord(title: "Dune", authors: ["Frank Herbert"], isbn: ISBN("9780441172719"), year: 1990),
                    BookRecord(title: "1984", authors: ["George Orwell"], isbn: ISBN("9780060853983"), year: 1949),
                ]
            )
            #expect(report.rows == 2 && report.badRows == 0)
        }
    }

    @Test(
        "the first line may name the separator",
        arguments: [("sep=;", ";"), ("SEP=|", "|"), ("sep=\t", "\t"), ("\"sep=;\"", ";"), ("sep=;;;", ";")]
    )
    func separators(line: String, separator: String) throws {
        let rows = [["title", "author, first"], ["Dune, a novel", "Herbert"]].map { $0.joined(separator: separator) }
        let (books, report) = try build(Array(([line] + rows + ["\(separator)x"]).joined(separator: "\r\n").utf8))
        #expect(books.map(\.title) == ["Dune, a novel"])
        #expect(report.listed.map(\.line) == [4])
    }

    @Test func namesThatAreKnownToBeTurnedAreTurned() throws {
        let list = "Title\tPrimary Author\tSecondary Author\nA\tLe Guin, Ursula K.\tde Bodard, Aliette|Kidd, Chip\n"
        #expect(
            try build(Array(list.utf8)).books.map(\.authors) == [
                ["Ursula K. Le Guin", "Aliette de Bodard", "Chip Kidd"]
            ]
        )
    }

    /// A rounded number is invalid: three books stay three.
    @Test func roundedNumbersNameNoBook() throws {
        let list = "title,author,isbn\nA,X Y,9.78067E+12\nB,Z W,9.78067E+12\nC,V U,9.7808E+12\nD,T S,9790260000438\n"
        let (books, report) = try build(Array(list.utf8))
        #expect(books.map(\.title) == ["A", "B", "C", "D"] && books.allSatisfy { $0.isbn == nil })
        #expect(report.wrongISBNs == 4)
    }

    private static func utf16(isLittle: Bool) -> @Sendable (String) -> [UInt8] {
        { text in
            let text = text.hasPrefix("\u{FEFF}") ? text : "\u{FEFF}" + text
            return text.utf16.flatMap {
                isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)]
            }
        }
    }
}
