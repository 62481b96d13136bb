import Basics
import BookCatalogue
import SpineDatasets

/// The books that a dataset's labels name.
enum LabelledBooks {
    /// Title and author as printed, of spines and of shelves, in the order of the labels.
    ///
    /// - Throws: `DatasetError` when the folder is no dataset.
    static func read(_ folder: String) throws -> [BookRecord] {
        let dataset = try DatasetLoader().load(folder)
        let spines = dataset.samples.map { sample in
            book(sample.title, sample.author, isbn: sample.isbn, language: sample.language, isLegible: sample.legible)
        }
        let shelves = dataset.shelves.flatMap(\.books).map { spine in
            book(spine.title, spine.author, isbn: nil, language: spine.language, isLegible: spine.legible)
        }
        return (spines + shelves).compactMap(\.self)
    }

    private static func book(
        _ title: String?,
        _ author: String?,
        isbn: String?,
        language: String?,
        isLegible: Bool
    ) -> BookRecord? {
        guard isLegible, let title else { return nil }
        return BookRecord(
            title: title,
            authors: author.map(AuthorName.printed) ?? [],
            isbn: isbn.flatMap { ISBN($0) },
            language: language
        )
    }
}
