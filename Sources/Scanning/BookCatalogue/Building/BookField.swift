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
