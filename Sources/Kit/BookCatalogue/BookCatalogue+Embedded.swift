import Foundation
import GRDB

extension BookCatalogue {
    /// The catalogue that needs no file: the package's list of well-known books and the books of the datasets that come
    /// with the project, without a quarter of the latter.
    ///
    /// The lists are `Resources/books.csv` and `Resources/labelled.csv`; their `CARD.md` says where they are from and how
    /// they are made. ``HeldOutBooks`` says which of the labelled books are left out, in all editions. The catalogue is
    /// built once and kept in the user's cache folder; where that cannot be written, it is built in memory.
    ///
    /// - Throws: ``CatalogueError`` when the lists are not there, or there is no room.
    public static func embedded() throws -> BookCatalogue {
        try EmbeddedLists.load().catalogue(keptIn: EmbeddedLists.cacheFolder)
    }
}

/// The lists that the embedded catalogue is made of.
struct EmbeddedLists {
    /// Version of what the same lists become: raised when folding, tables or the matcher's index change, so that no
    /// catalogue is used that an earlier program has kept.
    static let version = 3
    static let name = "embedded"

    var books: Data
    var labelled: Data

    /// The lists of this package.
    ///
    /// - Throws: ``CatalogueError/operation(path:problem:)`` when they are not where the program is.
    static func load() throws -> EmbeddedLists {
        func list(_ name: String) throws -> Data {
            guard let path = folder.map({ $0.appendingPathComponent(name) }) else {
                throw CatalogueError.operation(
                    path: "\(Bundle.main.bundlePath)/\(bundleName)",
                    problem:
                        "does not exist, but contains the embedded catalogue's lists; keep the program in the folder "
                        + "of 'swift build', copy its \(bundleName) as well, or specify a catalogue file"
                )
            }
            do {
                return try Data(contentsOf: path, options: .alwaysMapped)
            } catch {
                throw CatalogueError.operation(
                    path: path.path,
                    problem: "cannot be read: \(error.localizedDescription); rebuild the program"
                )
            }
        }
        return EmbeddedLists(books: try list("books.csv"), labelled: try list("labelled.csv"))
    }

    private static let bundleName = "SpineBench_BookCatalogue.resources"

    #if canImport(Darwin)
    private static let folder = Bundle.module.resourceURL
    #else
    /// Beside the program, where SwiftPM puts it; `Bundle.module` ends the process when it is not there.
    private static let folder: URL? = {
        let beside = Bundle.main.bundleURL.appendingPathComponent(bundleName)
        return FileManager.default.fileExists(atPath: beside.path) ? beside : nil
    }()
    #endif

    /// The user's cache folder, or what `SPINEBENCH_CACHE` says; nil when there is none.
    static var cacheFolder: String? {
        if let path = ProcessInfo.processInfo.environment["SPINEBENCH_CACHE"], !path.isEmpty { return path }
        return FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
            .appendingPathComponent("spinebench").path
    }

    /// The catalogue of the lists.
    ///
    /// - Parameter folder: where it is kept between processes; nil to build it in memory.
    /// - Throws: ``CatalogueError`` when a list is none, or there is no room.
    /// - Returns: the kept one, or one in memory where it cannot be kept.
    func catalogue(keptIn folder: String?) throws -> BookCatalogue {
        guard let path = folder.map({ "\($0)/catalogue-\(key).sqlite" }) else { return try builder().inMemory() }
        if let kept = Self.whole(path) { return kept }
        let builder = try builder()
        // Every process writes a file of its own and puts it in place when it is whole: none sees another's half.
        let isKept: Void? = try? {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true
            )
            try builder.write(to: path, partial: "\(path).\(UUID().uuidString)")
        }()
        return try isKept.flatMap { Self.whole(path) } ?? builder.inMemory()
    }

    /// The kept catalogue; nil when there is none, or it is damaged.
    private static func whole(_ path: String) -> BookCatalogue? {
        // Opening a pipe would wait for its writer.
        let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard kind == .typeRegular, let kept = try? BookCatalogue(path: path),
            kept.information.name == name,
            let check = try? kept.read({ try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }), check == "ok"
        else { return nil }
        return kept
    }

    /// Tells catalogues of other lists and other programs apart.
    var key: String {
        var digest = ContentDigest()
        digest.add(books)
        digest.add(labelled)
        return "\(CatalogueSchema.version).\(Self.version)-\(digest.digits)"
    }

    /// The books that the catalogue is made of.
    ///
    /// - Throws: ``CatalogueError`` when a list is none.
    func builder() throws -> CatalogueBuilder {
        let printed = try labelledBooks()
        var builder = CatalogueBuilder(name: Self.name)
        try builder.add(books, path: "books.csv")
        builder.remove(printed.filter(HeldOutBooks.contains))
        builder.add(printed.filter { !HeldOutBooks.contains($0) }, from: "labelled.csv")
        return builder
    }

    /// The books of the datasets, those that are held out among them.
    func labelledBooks() throws -> [BookRecord] {
        var builder = CatalogueBuilder(name: "labelled")
        try builder.add(labelled, path: "labelled.csv")
        return builder.books
    }
}

extension CatalogueBuilder {
    fileprivate mutating func add(_ list: Data, path: String) throws {
        try list.withUnsafeBytes { bytes in
            _ = try add(bytes.bindMemory(to: UInt8.self), path: path, limit: nil, progress: { _, _ in })
        }
    }
}
