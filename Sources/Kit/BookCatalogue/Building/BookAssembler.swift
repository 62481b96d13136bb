import Basics

/// Converts the fields of a row to a record.
struct BookAssembler: Sendable {
    /// Whether the list writes its authors "Last, First".
    var turnsAuthors = false

    /// A record, with the omitted parts of it.
    struct Assembled: Sendable {
        var book: BookRecord
        /// Whether the row states an ISBN, and none that is right.
        var hasWrongISBN: Bool
    }

    /// Returns the record of a row whose field has these texts, the best first.
    ///
    /// - Throws: ``RowFault`` when the title is missing.
    func assemble(_ texts: (BookField) -> [String]) throws(RowFault) -> Assembled {
        func text(_ field: BookField) -> String? { texts(field).first.map(HTMLEntities.decode) }
        guard let listed = text(.title) else { throw RowFault("no title") }
        // MARC's subfield codes are left in Project Gutenberg's list.
        let cleaned = listed.utf8.contains(UInt8(ascii: "$")) ? listed.replacing(" $b ", with: " ") : listed
        var title = BookTitle(Self.singleSpaced(cleaned))
        guard !FoldedText.key(title.text).isEmpty else { throw RowFault("a title without a letter or a digit") }
        if let subtitle = text(.subtitle), !title.text.contains(subtitle) { title.text += ": " + subtitle }
        let column = text(.series).map { BookTitle.numbered($0[...]) }
        let series = title.series ?? column.map { String($0.name) }
        let volume = text(.seriesNumber).flatMap { Double($0) }.flatMap { Int(exactly: $0) }
        let number = (title.series == nil ? column?.number : title.seriesNumber) ?? volume
        // The number distinguishes volumes of one title. Calibre writes 1 for books without a series.
        if let volume, volume > 0, series.map({ FoldedText.key($0) == FoldedText.key(title.text) }) ?? (volume > 1) {
            title.text += ", Vol. \(volume)"
        }
        let written = WrittenISBN(texts(.isbn))
        return Assembled(
            book: BookRecord(
                title: title.text,
                authors: authors(texts(.authors) + texts(.furtherAuthors)),
                isbn: written.isbn,
                series: series,
                seriesNumber: series == nil ? nil : number,
                publisher: text(.publisher).map(Self.publisher),
                year: text(.year).flatMap(Self.year),
                language: text(.language),
                // Calibre states a file.
                coverURL: text(.cover).flatMap { $0.lowercased().hasPrefix("http") ? $0 : nil },
                popularity: texts(.popularity).first.flatMap(Double.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
            ),
            hasWrongISBN: written == .wrong
        )
    }

    private func authors(_ fields: [String]) -> [String] {
        // Several fields are several names; one may have several in it.
        var names: [String] = []
        for field in fields {
            let text = Self.singleSpaced(HTMLEntities.decode(field))
            for name in AuthorName.split(text, isTurned: turnsAuthors) where !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }

    /// Returns the year in "1997", "1997.0", "March 1997" or "1997-03-01"; nil for 0, which lists write for none.
    static func year(_ text: String) -> Int? {
        if let number = Double(text) {
            return number.isFinite && number != 0 && (-3000...2100).contains(number) ? Int(number) : nil
        }
        return text.split { !$0.isASCII || !$0.isNumber }.lazy.filter { $0.count == 4 }.compactMap { Int($0) }
            .first { (1000...2100).contains($0) }
    }

    /// Returns the publisher in LibraryThing's "Ace (1990), 535 pages".
    private static func publisher(_ text: String) -> String {
        text.firstMatch(of: /(.+?) \([0-9]{4}\)/).map { String($0.1) } ?? text
    }

    private static func singleSpaced(_ text: String) -> String {
        var (wasSpace, isClean) = (false, true)
        for byte in text.utf8 {
            if byte < 0x20 || (byte == 0x20 && wasSpace) {
                isClean = false
                break
            }
            wasSpace = byte == 0x20
        }
        return isClean ? text : text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// Field that a book list may have of a book.
package enum BookField: String, Sendable, CaseIterable, Codable {
    case title, subtitle, authors
    case furtherAuthors = "further-authors"
    case isbn, series
    case seriesNumber = "series-number"
    case publisher, year, language, cover, popularity

    /// Names of the columns that hold it, in the exports of Goodreads, The StoryGraph, LibraryThing, Calibre, Libib,
    /// BookBuddy, Open Library and others, the best first; letters and digits in lower case.
    var usualNames: [String] {
        switch self {
        case .title: ["title", "booktitle", "name", "titulo", "titol", "titre", "titel", "originaltitle"]
        case .subtitle: ["subtitle", "subtitulo", "subtitol"]
        case .authors:
            [
                "authors", "author", "authornames", "authorname", "bookauthor", "creator", "creators", "writer",
                "autor", "autores", "autors", "auteur", "mainauthor", "authortext", "authorfirstlast", "verfasser",
            ] + Self.turnedAuthors
        case .furtherAuthors: ["additionalauthors", "secondaryauthor", "secondaryauthors", "coauthor", "coauthors"]
        case .isbn: WrittenISBN.columnNames
        case .series: ["series", "seriesname", "collection", "reihe"]
        case .seriesNumber: ["seriesindex", "seriesnumber", "volume", "volumenumber", "vol", "bandnummer"]
        case .publisher: ["publisher", "publishers", "publishername", "editorial", "imprint", "publication", "verlag"]
        case .year:
            [
                "year", "publicationyear", "originalpublicationyear", "yearofpublication", "publishedyear",
                "yearpublished", "originalyearpublished", "publishdate", "publicationdate", "publisheddate",
                "datepublished", "pubdate", "firstpublishyear", "date", "pubyear", "erscheinungsjahr", "jahr",
            ]
        case .language: ["language", "languagecode", "lang", "languages", "idioma"]
        case .cover: ["coverurl", "cover", "imageurl", "imageurll", "imageurlm", "thumbnail", "image", "coverimage"]
        case .popularity:
            [
                "popularity", "ratingscount", "numratings", "ratingcount", "workratingscount", "numberofratings",
                "loans",
                "copies", "readinglogcount", "editioncount", "downloads", "checkouts", "count",
            ]
        }
    }

    /// Columns of authors whose names are "Last, First".
    static let turnedAuthors = ["primaryauthor", "authorlastfirst", "authorlf", "authorsort"]

    /// Name of the column with the kind of a row's item: Libib's export also has films, music and games.
    static let kindName = "itemtype"
}

/// The assignment of a list's columns to fields.
package struct ColumnMapping: Sendable, Equatable {
    /// The columns of each field, the best first; the first that has something in a row counts.
    private(set) var columns: [BookField: [Int]] = [:]
    let header: [String]
    /// The column whose value is "book" for books; nil where all rows are books.
    private(set) var kind: Int?
    /// The columns of authors that are known to have "Last, First".
    private(set) var turnedColumns: Set<Int> = []

    /// Assigns columns by their names, except for the given ones.
    ///
    /// - Throws: ``CatalogueError/source(path:problem:)`` when a given column is missing, or none has the title.
    init(header: [String], named: [BookField: String], path: String) throws(CatalogueError) {
        // Behind the last name are the separators that a spreadsheet leaves.
        let header = Array(header.prefix((header.lastIndex { !$0.isEmpty } ?? -1) + 1))
        self.header = header
        let plain = header.map(Self.plain)
        kind = plain.firstIndex(of: BookField.kindName)
        for field in BookField.allCases {
            guard let name = named[field] else {
                var found = field.usualNames.compactMap { plain.firstIndex(of: $0) }
                if field == .isbn {
                    found += plain.indices.filter { !found.contains($0) && WrittenISBN.isColumn(plain[$0]) }
                }
                // A collection of Libib is the user's shelf.
                if field == .series, kind != nil { found.removeAll { plain[$0] == "collection" } }
                if !found.isEmpty { columns[field] = found }
                continue
            }
            if name == "-" { continue }
            guard let index = header.firstIndex(of: name) ?? plain.firstIndex(of: Self.plain(name)) else {
                throw .source(path: path, problem: "has no column \"\(name)\"; it has \(Self.list(header))")
            }
            columns[field] = [index]
        }
        turnedColumns = Set(columns[.authors, default: []].filter { BookField.turnedAuthors.contains(plain[$0]) })
        guard columns[.title] != nil else {
            throw .source(
                path: path,
                problem:
                    "has no title column; specify one of \(Self.list(header)) with --column title=NAME"
            )
        }
    }

    /// "title ← title, original_title", a line for each field that the list has.
    package var lines: [String] {
        BookField.allCases.compactMap { field in
            columns[field].map { "\(field.rawValue) ← \($0.map { header[$0] }.joined(separator: ", "))" }
        }
    }

    private static func plain(_ name: String) -> String {
        FoldedText(name).joined
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(40).map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
