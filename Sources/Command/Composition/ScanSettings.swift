package import BookCatalogue
import Foundation
package import Harness
package import ScanningPolicies
package import SpineReaders
import Talaria

/// Settings of scanning: everything that decides how a spine becomes a book.
package struct ScanSettings: Sendable, Equatable {
    /// The subject of the input pictures.
    package enum Pictures: String, Sendable, CaseIterable {
        case spines, shelves
        /// Any object at which the camera is pointed: visual search.
        case anything
        /// Any content saved to a session: the context pipeline.
        case captures
    }

    /// The text reader on the device.
    package enum Reader: String, Sendable, CaseIterable { case fast, accurate }

    /// The number of retries of a request and the waits between them.
    package enum Retry: String, Sendable, CaseIterable {
        case seed, upstream, documented, never

        var policy: RetryPolicy {
            switch self {
            case .seed: .seed
            case .upstream: .upstream
            case .documented: .documented
            case .never: .never
            }
        }
    }

    /// Name of the catalogue inside the program.
    package static let embedded = "embedded"
    /// Name of an unshaped network, and of a server without faults.
    package static let none = "none"

    /// Strategy by which the scan uses the tiers.
    package var strategy: ScanStrategy
    package var reader = Reader.fast
    package var pictures = Pictures.spines
    /// Whether the device has a catalogue of its own.
    package var matching = true
    /// Number of texts of each line from which the device's catalogue may choose: 1 is the reading itself.
    package var readings = 1
    /// Catalogue of the device and the server: a file, or ``embedded``.
    package var catalogue = Self.embedded
    /// The name of a ``NetworkProfile``, or ``none``.
    package var network = Self.none
    /// Share of the scans without a network.
    package var outages = 0.0
    /// Random seed of jitter, loss and outages.
    package var networkSeed = 1
    package var retry = Retry.seed
    package var slowThresholdSeconds = 1.0
    package var patienceSeconds = 10.0
    /// Long side of uploaded pictures in pixels, and their JPEG quality.
    package var uploadSize = 1920
    package var jpegQuality = 85
    /// File with the server's faults, or ``none``.
    package var faults = Self.none
    package var serverWorkers = 1
    /// Photos that may wait at the server.
    package var serverQueue = 32
    /// Whether the variant's server speaks HTTPS.
    package var tls = false

    /// The file of ``faults``: one of the ready-made ones when it has such a name; nil for none.
    package var faultsFile: String? {
        if faults == Self.none { return nil }
        let known = SuiteLibrary.folder.map { "\($0)/faults/\(faults).json" }
        return known.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil } ?? faults
    }

    /// Settings of the reader on the device; nil without one.
    package var reading: ReadingSettings? { strategy.needsReader ? reader == .fast ? .fast : .accurate : nil }

    /// The shaped network; nil for one that is not shaped.
    package var profile: NetworkProfile? { NetworkProfile.named(network) }

    /// Start options of the strategy's server; nil if it needs none.
    var backEnd: BackEndOptions? {
        guard strategy.needsBackEnd else { return nil }
        return BackEndOptions(
            catalogue: catalogue == Self.embedded ? nil : catalogue,
            faults: faultsFile,
            workers: serverWorkers,
            queue: serverQueue,
            tls: tls
        )
    }

    /// Files that determine the answers, except those of the reader.
    package var files: [String] {
        (catalogue == Self.embedded ? [] : [catalogue]) + [faultsFile].compactMap(\.self)
    }

    /// Missing prerequisite on this machine other than the reader, with its remedy; nil if none is known.
    var problem: String? {
        for path in files where !FileManager.default.isReadableFile(atPath: path) {
            return "cannot read \(path); specify an existing file ('spinebench catalogue build' creates catalogues)"
        }
        if strategy.needsBackEnd, BackEnds.program == nil {
            return "talaria not found beside this program; build it: swift build -c release --product talaria"
        }
        return [.anything, .captures].contains(pictures) ? Companion.apps.problem : nil
    }

    /// Reference of the catalogue, from its own metadata.
    ///
    /// - Throws: the catalogue's error when it cannot be opened.
    var catalogueReference: CatalogueReference {
        get throws {
            let information = try BookCatalogue.named(catalogue).information
            return CatalogueReference(
                name: catalogue == Self.embedded ? information.name : URL(filePath: catalogue).lastPathComponent,
                books: information.books,
                booksWithISBN: information.booksWithISBN,
                digest: information.contentDigest
            )
        }
    }
}

extension BookCatalogue {
    /// Returns the catalogue of a file; the one inside the program for ``ScanSettings/embedded``.
    ///
    /// - Throws: `CatalogueError` when it cannot be opened.
    package static func named(_ name: String) throws -> BookCatalogue {
        name == ScanSettings.embedded ? try embedded() : try BookCatalogue(path: name)
    }
}
