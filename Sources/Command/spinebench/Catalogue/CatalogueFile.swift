import BookCatalogue
import Foundation

/// Catalogues as the command line names them.
enum CatalogueFile {
    /// The catalogue at `path`; that inside the program for "embedded".
    ///
    /// - Throws: `CatalogueError` when it cannot be opened.
    static func open(_ path: String) throws -> BookCatalogue {
        path == "embedded" ? try BookCatalogue.embedded() : try BookCatalogue(path: path)
    }
}

/// JSON as the commands print it.
enum JSONText {
    /// Indented, with sorted names.
    static func of(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
