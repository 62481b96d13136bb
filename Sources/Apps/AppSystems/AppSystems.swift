package import Composition
package import Harness

/// The systems that the harness measures and the core does not have.
package enum AppSystems {
    /// Loads captures or a visual search, by the pictures that the settings are for.
    ///
    /// - Throws: when an engine or the catalogue is missing, or a store cannot be created.
    @Sendable package static func load(_ settings: ScanSettings, folder: String) throws -> WorkerLoop.Loaded {
        settings.pictures == .captures ? try settings.contextSystem(in: folder) : try settings.visualSearchSystem()
    }
}
