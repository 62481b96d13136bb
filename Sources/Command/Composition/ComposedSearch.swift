package import BookCatalogue
package import LibraryStore
package import ScanningPipeline
package import SpineReaders
package import VisualSearch

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

extension EntitySearch {
    /// A visual search put together from a loaded reader and a catalogue.
    ///
    /// - Throws: as ``LoadedReader/pipeline(_:readings:)``.
    package init(_ loaded: LoadedReader, catalogue: BookCatalogue, readings: Int = 1, library: LibraryStore?) throws {
        self.init(try loaded.pipeline(catalogue, readings: readings), catalogue: catalogue, library: library)
    }
}
