package import BookCatalogue
import Composition
package import SpineReaders
package import VisualSearch

extension EntitySearch {
    /// Creates a visual search put together from a loaded reader and a catalogue.
    ///
    /// - Throws: as ``LoadedReader/pipeline(_:readings:)``.
    package init(_ loaded: LoadedReader, catalogue: BookCatalogue, readings: Int = 1, library: LibraryStore?) throws {
        self.init(try loaded.pipeline(catalogue, readings: readings), catalogue: catalogue, library: library)
    }
}
