import Foundation

/// The list of real books: a file of `Resources` for each language.
///
/// A row is `title | author | short name | series | number`. Columns may end early; an empty short name is the one that
/// `Book.shortName(of:)` finds.
enum BookTable {
    static func books(in language: Book.Language) -> [Book] {
        let bytes =
            switch language {
            case .english: PackageResources.books_en_txt
            case .french: PackageResources.books_fr_txt
            case .german: PackageResources.books_de_txt
            case .spanish: PackageResources.books_es_txt
            case .italian: PackageResources.books_it_txt
            case .portuguese: PackageResources.books_pt_txt
            case .polish: PackageResources.books_pl_txt
            case .swedish: PackageResources.books_sv_txt
            case .norwegian: PackageResources.books_no_txt
            }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { book($0, language) }
    }

    /// Returns the book in a row; the rows are ours, so that a malformed one is a mistake in the program.
    static func book(_ row: some StringProtocol, _ language: Book.Language) -> Book {
        let fields = row.split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        precondition([2, 3, 5].contains(fields.count), "a book has 2, 3 or 5 columns: \(row)")
        precondition(!fields[0].isEmpty && !fields[1].isEmpty, "a book has a title and an author: \(row)")
        var series: Book.Series?
        if fields.count == 5 {
            guard !fields[3].isEmpty, let number = Int(fields[4]), number > 0 else {
                preconditionFailure("a series has a name and a number from 1: \(row)")
            }
            series = Book.Series(name: fields[3], number: number)
        }
        let named = fields.count > 2 && !fields[2].isEmpty
        let surname = named ? fields[2] : Book.shortName(of: fields[1])
        return Book(fields[0], fields[1], surname, language, series: series)
    }
}

extension Book {
    /// Returns names of fictitious publishers, so that no picture claims an edition that does not exist.
    package static func imprints(in language: Language) -> [String] { imprints[language] ?? [] }

    /// A row of `Resources/imprints.txt` is a language's code and its names, with `|` between.
    private static let imprints: [Language: [String]] = {
        let rows = String(decoding: PackageResources.imprints_txt, as: UTF8.self).split(separator: "\n")
        let lists = rows.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        return Dictionary(
            uniqueKeysWithValues: lists.compactMap { list in
                Language(rawValue: list[0]).map { ($0, Array(list.dropFirst())) }
            }
        )
    }()
}
