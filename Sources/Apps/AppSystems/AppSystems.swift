package import BookCatalogue
package import Harness
package import SpineReaders
package import Systems
package import VisualSearch

/// The systems that the harness measures and the core does not have.
package enum AppSystems {
    /// Loads captures or a visual search, by the pictures that the settings are for.
    @Sendable package static func load(_ settings: ScanSettings, folder: String) throws -> WorkerLoop.Loaded {
        settings.pictures == .captures ? try settings.contextSystem(in: folder) : try settings.visualSearchSystem()
    }
}

extension EntitySearch {
    /// Creates a visual search put together from a loaded reader and a catalogue.
    package init(_ loaded: LoadedReader, catalogue: BookCatalogue, readings: Int = 1, library: LibraryStore?) throws {
        self.init(try loaded.pipeline(catalogue, readings: readings), catalogue: catalogue, library: library)
    }
}
