package import BookCatalogue
package import LibraryStore
import ScanningPipeline
package import SpineReaders
package import VisualSearch

extension EntitySearch {
    /// A visual search put together from a loaded reader and a catalogue.
    ///
    /// `readings`: texts of a doubtful line that the catalogue chooses from; 1 is the one that was read.
    ///
    /// - Throws: `CatalogueError` when the catalogue has no index, or a damaged one.
    package init(_ loaded: LoadedReader, catalogue: BookCatalogue, readings: Int = 1, library: LibraryStore?) throws {
        let matcher = try CatalogueMatcher(catalogue: catalogue)
        let match: ScanSession.Matcher = { try matcher.match($0, readings: readings) }
        self.init(
            reader: loaded.scanner,
            shelf: loaded.shelf.map { ShelfScanner(reader: $0, matcher: match) },
            catalogue: catalogue,
            matcher: match,
            library: library
        )
    }
}
