package import BookCatalogue
package import ScanningPipeline
package import SpineReaders

extension LoadedReader {
    /// The way from a picture to its books: of every command, of the harness and of sessions.
    ///
    /// `readings`: texts of a doubtful line that the catalogue chooses from; 1 is the one that was read.
    ///
    /// - Throws: `CatalogueError` when the catalogue has no index, or a damaged one.
    package func pipeline(_ catalogue: BookCatalogue, readings: Int = 1) throws -> SpinePipeline {
        let matcher = try CatalogueMatcher(catalogue: catalogue)
        return SpinePipeline(reader: scanner, shelf: shelf) { try matcher.match($0, readings: readings) }
    }
}
