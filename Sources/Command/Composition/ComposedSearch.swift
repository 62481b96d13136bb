package import BookCatalogue
package import ScanningPipeline
package import SpineReaders

extension LoadedReader {
    /// Returns the pipeline from a picture to its books: of every command, of the harness and of sessions.
    ///
    /// `readings`: number of texts of a doubtful line from which the catalogue chooses; 1 is the reading.
    ///
    /// - Throws: `CatalogueError` when the catalogue has no index, or a damaged one.
    package func pipeline(_ catalogue: BookCatalogue, readings: Int = 1) throws -> SpinePipeline {
        let matcher = try CatalogueMatcher(catalogue: catalogue)
        return SpinePipeline(reader: scanner, shelf: shelf) { try matcher.match($0, readings: readings) }
    }
}
