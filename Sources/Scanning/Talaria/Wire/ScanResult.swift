/// An event that brings one book.
public struct ScanResult: Sendable, Equatable {
    /// The book.
    public var book: BookMetadata
    /// Progress of the job.
    public var progress: ScanProgress

    /// A book, and how far the job has come.
    public init(book: BookMetadata, progress: ScanProgress = ScanProgress()) {
        self.book = book
        self.progress = progress
    }
}

extension ScanResult: Codable {
    /// Reads the book under `book` or `data`, or flat among the event's own fields.
    public init(from decoder: any Decoder) throws {
        self.init(book: try BookMetadata(from: decoder), progress: try ScanProgress(from: decoder))
    }

    /// Writes the book under `book`.
    public func encode(to encoder: any Encoder) throws {
        try progress.encode(to: encoder)
        var container = encoder.container(keyedBy: WireKey.self)
        try container.encode(book, forKey: WireKey("book"))
    }
}
