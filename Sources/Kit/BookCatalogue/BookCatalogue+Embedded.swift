import Basics
import Foundation
import GRDB

extension BookCatalogue {
    /// Returns the catalogue that needs no file: the package's list of well-known books, and the books of the datasets
    /// that come with the project.
    ///
    /// The lists are `Resources/books.csv` and `Resources/labelled.csv`; their `CARD.md` documents their source and
    /// production. The catalogue is built once and cached in the user's cache folder; if that cannot be written, it is
    /// built in memory.
    ///
    /// - Throws: ``StoreError`` when the lists are missing, or memory is short.
    public static func embedded() throws -> BookCatalogue { try named(embeddedName) }
}

/// The lists that the embedded catalogue is made of.
struct EmbeddedLists {
    /// Version of the result of the same lists: raised when folding, tables or the matcher's index change, so that a
    /// catalogue cached by an earlier program is not used.
    static let version = 5

    var books: Data
    var labelled: Data
    /// Whether the catalogue lacks the ``HeldOutBooks`` among the labelled ones, in all editions.
    var isOpen = false

    private var name: String { isOpen ? BookCatalogue.openName : BookCatalogue.embeddedName }

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
        if let kept = whole(path) { return kept }
        let builder = builder()
        // Every process writes a file of its own and puts it in place when it is whole: none sees another's half.
        let isKept: Void? = try? {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true
            )
            try builder.write(to: path, partial: "\(path).\(UUID().uuidString)")
        }()
        return try isKept.flatMap { whole(path) } ?? builder.inMemory()
    }

    /// Returns the cached catalogue; nil if it is missing or damaged.
    private func whole(_ path: String) -> BookCatalogue? {
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
        return "\(CatalogueSchema.version).\(Self.version)-\(digest.digits)" + (isOpen ? "-open" : "")
    }

    /// Returns a builder with the catalogue's books.
    func builder() -> CatalogueBuilder {
        let printed = labelledBooks()
        var builder = CatalogueBuilder(name: name)
        builder.add(
            table: books,
            of: [CatalogueSource(name: "books.csv", format: "csv", rows: books.count { $0 == 0x0A } - 1)]
        )
        let heldOut = printed.filter { isOpen && HeldOutBooks.contains($0) }
        builder.remove(heldOut)
        builder.add(printed.filter { !heldOut.contains($0) }, from: "labelled.csv")
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
    public static let embeddedName = "embedded"
    /// Name of the same without the ``HeldOutBooks``: what is measured has an open set, what ships has no holes.
    package static let openName = "embedded-open"

    package static func isEmbedded(_ name: String) -> Bool { [embeddedName, openName].contains(name) }

    /// Returns the catalogue of a file, or the one inside the program of such a name.
    public static func named(_ name: String) throws -> BookCatalogue {
        guard isEmbedded(name) else { return try BookCatalogue(path: name) }
        var lists = try EmbeddedLists.load()
        lists.isOpen = name == openName
        return try lists.catalogue(keptIn: UserFolder.cache)
    }
}
