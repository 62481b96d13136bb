import Basics

/// Makes a record of what the fields of a row say.
struct BookAssembler: Sendable {
    /// Whether the list writes its authors "Last, First".
    var turnsAuthors = false

    /// A record, and what had to be left out of it.
    struct Assembled: Sendable {
        var book: BookRecord
        /// Whether the row states an ISBN, and none that is right.
        var hasWrongISBN: Bool
    }

    /// The record of a row whose field has these texts, the best first.
    ///
    /// - Throws: ``RowFault`` when there is no title.
    func assemble(_ texts: (BookField) -> [String]) throws(RowFault) -> Assembled {
        func text(_ field: BookField) -> String? { texts(field).first.map(HTMLEntities.decode) }
        guard let listed = text(.title) else { throw RowFault("no title") }
        // MARC's subfield codes are left in Project Gutenberg's list.
        let cleaned = listed.utf8.contains(UInt8(ascii: "$")) ? listed.replacing(" $b ", with: " ") : listed
        var title = BookTitle(Self.singleSpaced(cleaned))
        guard !FoldedText.key(title.text).isEmpty else { throw RowFault("a title without a letter or a digit") }
        if let subtitle = text(.subtitle), !title.text.contains(subtitle) { title.text += ": " + subtitle }
        let numbers = texts(.isbn)
        let isbn = ListedISBN.parse(numbers)
        return Assembled(
            book: BookRecord(
                title: title.text,
                authors: authors(texts(.authors)),
                isbn: isbn,
                series: title.series ?? text(.series),
                publisher: text(.publisher),
                year: text(.year).flatMap(Self.year),
                language: text(.language),
                coverURL: text(.cover),
                popularity: texts(.popularity).first.flatMap(Double.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
            ),
            hasWrongISBN: isbn == nil && numbers.contains { !ListedISBN.isPlaceholder($0) }
        )
    }

    private func authors(_ fields: [String]) -> [String] {
        // Several fields are several names; one may have several in it.
        var names: [String] = []
        for field in fields {
            for name in AuthorName.split(HTMLEntities.decode(field), isTurned: turnsAuthors) where !names.contains(name)
            {
                names.append(name)
            }
        }
        return names
    }

    /// The year in "1997", "1997.0", "March 1997" or "1997-03-01"; nil for 0, which lists write for none.
    static func year(_ text: String) -> Int? {
        if let number = Double(text) {
            return number.isFinite && number != 0 && (-3000...2100).contains(number) ? Int(number) : nil
        }
        return text.split { !$0.isASCII || !$0.isNumber }.lazy.filter { $0.count == 4 }.compactMap { Int($0) }
            .first { (1000...2100).contains($0) }
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
    case title, subtitle, authors, isbn, series, publisher, year, language, cover, popularity

    /// The names of columns that hold it, as lists have them, the best first; without case and punctuation.
    var usualNames: [String] {
        switch self {
        case .title: ["title", "booktitle", "name", "titulo", "titol", "titre", "titel", "originaltitle"]
        case .subtitle: ["subtitle", "subtitulo", "subtitol"]
        case .authors:
            [
                "authors", "author", "authornames", "authorname", "bookauthor", "creator", "creators", "writer",
                "autor", "autores", "autors", "auteur", "mainauthor",
            ]
        case .isbn: ["isbn13", "isbn", "isbn10", "ean", "ean13", "isbns", "bookisbn"]
        case .series: ["series", "seriesname", "collection"]
        case .publisher: ["publisher", "publishers", "publishername", "editorial", "imprint"]
        case .year:
            [
                "year", "publicationyear", "originalpublicationyear", "yearofpublication", "publishedyear",
                "publishdate",
                "publicationdate", "publisheddate", "datepublished", "firstpublishyear", "date", "pubyear",
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
}

/// Which columns of a list hold what.
package struct ColumnMapping: Sendable, Equatable {
    /// The columns of each field, the best first; the first that has something in a row counts.
    private(set) var columns: [BookField: [Int]] = [:]
    let header: [String]

    /// Guesses by the names of the columns, but for those that are told.
    ///
    /// - Throws: ``CatalogueError/source(path:problem:)`` when a column that is told is not there, or none has the title.
    init(header: [String], told: [BookField: String], path: String) throws(CatalogueError) {
        self.header = header
        let plain = header.map(Self.plain)
        for field in BookField.allCases {
            guard let name = told[field] else {
                let found = field.usualNames.compactMap { plain.firstIndex(of: $0) }
                if !found.isEmpty { columns[field] = found }
                continue
            }
            if name == "-" { continue }
            guard let index = header.firstIndex(of: name) ?? plain.firstIndex(of: Self.plain(name)) else {
                throw .source(path: path, problem: "has no column \"\(name)\"; it has \(Self.list(header))")
            }
            columns[field] = [index]
        }
        guard columns[.title] != nil else {
            throw .source(
                path: path,
                problem:
                    "has no column that looks like a title; name one out of \(Self.list(header)) by --column title=NAME"
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
