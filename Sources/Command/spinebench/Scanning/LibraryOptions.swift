import ArgumentParser
import Basics
import BookCatalogue
import Foundation

struct LibraryOptions: ParsableArguments {
    @Option(
        help: "Library file. (default: spinebench/library.sqlite in XDG_DATA_HOME or ~/.local/share)",
        completion: .file()
    )
    var library: String?

    /// Opens the existing library; `list` and `export` do not create one.
    func openExisting() throws -> LibraryStore {
        let path = path()
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError.unusable(path: path, problem: "does not exist; 'spinebench scan' creates it")
        }
        // SQLite would take an empty file for a library without books.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        if attributes?[.type] as? FileAttributeType == .typeRegular, (attributes?[.size] as? NSNumber)?.intValue == 0 {
            throw StoreError.unusable(path: path, problem: "is empty and not a library; specify another file")
        }
        return try LibraryStore(path: path)
    }

    /// Database file with the files that SQLite keeps beside it.
    var files: [String] { ["", "-wal", "-shm"].map { path() + $0 } }

    /// Returns the file that was named, else the user's own.
    func path(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        library ?? UserFolder.data(environment) + "/library.sqlite"
    }
}
