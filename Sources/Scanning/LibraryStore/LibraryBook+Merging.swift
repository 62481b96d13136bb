import BookCatalogue

extension LibraryBook {
    /// Identity: what makes it the same book as another.
    var identity: BookIdentity { BookIdentity(title: title, authors: authors, isbn: isbn) }

    /// The record as a catalogue would have it, to be judged by ``BookIdentity``.
    var record: BookRecord { BookRecord(title: title, authors: authors, isbn: isbn) }

    /// Both in one: what either knows is kept, and where both know something, the better record's word counts.
    ///
    /// An enriched record is better than one to be reviewed, and that is better than a ghost; of two alike, the newer.
    ///
    /// - Parameter newer: another record of the same book.
    /// - Returns: with the older one's row and the earlier date.
    func merged(with newer: LibraryBook) -> LibraryBook {
        let isNewerBetter = newer.state.rank >= state.rank
        let (better, other) = isNewerBetter ? (newer, self) : (self, newer)
        var merged = better
        merged.id = id
        if merged.title.isEmpty { merged.title = other.title }
        if merged.authors.isEmpty { merged.authors = other.authors }
        merged.isbn = better.isbn ?? other.isbn
        merged.coverURL = better.coverURL ?? other.coverURL
        merged.publisher = better.publisher ?? other.publisher
        merged.year = better.year ?? other.year
        merged.format = better.format ?? other.format
        merged.addedAt = min(addedAt, newer.addedAt)
        merged.spineConfidence = [spineConfidence, newer.spineConfidence].compactMap(\.self).max()
        // A later failure does not undo an enrichment.
        if other.enrichment == .success { merged.enrichment = .success }
        return merged
    }
}

extension LibraryBook.State {
    fileprivate var rank: Int {
        switch self {
        case .ghost: 0
        case .review: 1
        case .enriched: 2
        }
    }
}
