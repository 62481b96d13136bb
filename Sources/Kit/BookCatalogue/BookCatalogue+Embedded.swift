import Basics
import Foundation
import GRDB

extension BookCatalogue {
    /// Returns the catalogue that needs no file: the package's list of well-known books and the books of the datasets
    /// that come with the project, without a quarter of the latter.
    ///
    /// The lists are `Resources/books.csv` and `Resources/labelled.csv`; their `CARD.md` documents their source and
    /// production. ``HeldOutBooks`` determines the labelled books that are omitted, in all editions. The catalogue is
    /// built once and cached in the user's cache folder; if that cannot be written, it is built in memory.
    ///
    /// - Throws: ``StoreError`` when the lists are missing, or memory is short.
    public static func embedded() throws -> BookCatalogue {
        try EmbeddedLists.load().catalogue(keptIn: UserFolder.cache)
    }
}

/// The lists that the embedded catalogue is made of.
struct EmbeddedLists {
    /// Version of the result of the same lists: raised when folding, tables or the matcher's index change, so that a
    /// catalogue cached by an earlier program is not used.
    static let version = 4
    static let name = "embedded"

    var books: Data
    var labelled: Data

    /// Returns the lists of this package.
    ///
    /// - Throws: ``StoreError/operation(path:problem:)`` when they are not where the program is.
    static func load() throws -> EmbeddedLists {
        func list(_ name: String) throws -> Data {
            guard let path = folder.map({ $0.appendingPathComponent(name) }) else {
                throw StoreError.operation(
                    path: "\(Bundle.main.bundlePath)/\(bundleName)",
                    problem:
                        "does not exist, but contains the embedded catalogue's lists; keep the program in the folder "
                        + "of 'swift build', copy its \(bundleName) as well, or specify a catalogue file"
                )
            }
            do {
                return try Data(contentsOf: path, options: .alwaysMapped)
            } catch {
                throw StoreError.operation(
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
    /// Resource folder beside the program, as SwiftPM places it; `Bundle.module` ends the process without it.
    private static let folder: URL? = {
        let beside = Bundle.main.bundleURL.appendingPathComponent(bundleName)
        return FileManager.default.fileExists(atPath: beside.path) ? beside : nil
    }()
    #endif

    /// Returns the catalogue of the lists.
    ///
    /// - Parameter folder: cache between processes; nil to build it in memory.
    /// - Throws: ``StoreError`` when a list is invalid, or memory is short.
    /// - Returns: the cached one, or one in memory if it cannot be cached.
    func catalogue(keptIn folder: String?) throws -> BookCatalogue {
        guard let path = folder.map({ "\($0)/catalogue-\(key).sqlite" }) else { return try builder().inMemory() }
        if let kept = Self.whole(path) { return kept }
        let builder = builder()
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

    /// Returns the cached catalogue; nil if it is missing or damaged.
    private static func whole(_ path: String) -> BookCatalogue? {
        // Opening a pipe would wait for its writer.
        let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard kind == .typeRegular, let kept = try? BookCatalogue(path: path),
            kept.information.name == name,
            let check = try? kept.read({ try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }), check == "ok"
        else { return nil }
        return kept
    }

    /// Key that distinguishes catalogues of other lists and other programs.
    var key: String {
        var digest = ContentDigest()
        digest.add(books)
        digest.add(labelled)
        return "\(CatalogueSchema.version).\(Self.version)-\(digest.digits)"
    }

    /// Returns a builder with the catalogue's books.
    func builder() -> CatalogueBuilder {
        let printed = labelledBooks()
        var builder = CatalogueBuilder(name: Self.name)
        builder.add(
            table: books,
            of: [CatalogueSource(name: "books.csv", format: "csv", rows: books.count { $0 == 0x0A } - 1)]
        )
        builder.remove(printed.filter(HeldOutBooks.contains))
        builder.add(printed.filter { !HeldOutBooks.contains($0) }, from: "labelled.csv")
        return builder
    }

    /// Returns the books of the datasets, those that are held out among them.
    func labelledBooks() -> [BookRecord] {
        var builder = CatalogueBuilder(name: "labelled")
        builder.add(table: labelled, of: [])
        return builder.books
    }
}

extension BookCatalogue {
    /// Name that options give to the catalogue inside the program.
    public static let embeddedName = EmbeddedLists.name

    /// Returns the catalogue of a file; the one inside the program for ``embeddedName``.
    public static func named(_ name: String) throws -> BookCatalogue {
        name == embeddedName ? try embedded() : try BookCatalogue(path: name)
    }
}
