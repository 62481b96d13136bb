import Foundation

/// The list of real books, as text: a file for each language.
///
/// A row is `title | author | short name | series | number`. Columns may end early; an empty short name is the one that
/// `Book.shortName(of:)` finds.
enum BookTable {
    static func books(in language: Book.Language) -> [Book] {
        let text =
            switch language {
            case .english: english
            case .french: french
            case .german: german
            case .spanish: spanish
            case .italian: italian
            case .portuguese: portuguese
            case .polish: polish
            case .swedish: swedish
            case .norwegian: norwegian
            }
        return text.split(separator: "\n").map { book($0, language) }
    }

    /// The book in a row; the rows are ours, so that a malformed one is a mistake in the program.
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
