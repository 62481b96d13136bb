package import BookCatalogue
import Foundation
package import Harness
package import ScanningPolicies
package import SpineReaders
import Talaria

/// Settings of scanning: everything that decides how a spine becomes a book.
package struct ScanSettings: Sendable, Equatable {
    /// What the pictures show that it is given.
    package enum Pictures: String, Sendable, CaseIterable {
        case spines, shelves
        /// Whatever somebody points at: visual search.
        case anything
        /// Whatever somebody keeps in a session: the context pipeline.
        case captures
    }

    /// What reads on the device.
    package enum Reader: String, Sendable, CaseIterable { case fast, accurate }

    /// How often a request is made again, and after which waits.
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

    /// What stands for the catalogue inside the program.
    package static let embedded = "embedded"
    /// What stands for a network that is not shaped, and for a server without faults.
    package static let none = "none"

    /// How the scan uses the tiers.
    package var strategy: ScanStrategy
    package var reader = Reader.fast
    package var pictures = Pictures.spines
    /// Whether the device has a catalogue of its own.
    package var matching = true
    /// Number of texts of each line that the device's catalogue may choose from: 1 is the one that was read.
    package var readings = 1
    /// Of the device and the server: a file, or ``embedded``.
    package var catalogue = Self.embedded
    /// The name of a ``NetworkProfile``, or ``none``.
    package var network = Self.none
    /// Share of the scans during which there is no network.
    package var outages = 0.0
    /// What jitter, loss and outages are drawn from.
    package var networkSeed = 1
    package var retry = Retry.seed
    package var slowThresholdSeconds = 1.0
    package var patienceSeconds = 10.0
    /// Of pictures that are sent: the long side in pixels, and the JPEG's quality.
    package var uploadSize = 1920
    package var jpegQuality = 85
    /// A file that says what the server does wrong, or ``none``.
    package var faults = Self.none
    package var serverWorkers = 1
    /// Photos that may wait at the server.
    package var serverQueue = 32
    /// Whether the server that is started for it speaks HTTPS.
    package var tls = false

    /// The file of ``faults``: one of the ready-made ones when it has such a name; nil for none.
    package var faultsFile: String? {
        if faults == Self.none { return nil }
        let known = SuiteLibrary.folder.map { "\($0)/faults/\(faults).json" }
        return known.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil } ?? faults
    }

    /// What reads on the device; nil where nothing does.
    package var reading: ReadingSettings? { strategy.needsReader ? reader == .fast ? .fast : .accurate : nil }

    /// The shaped network; nil for one that is not shaped.
    package var profile: NetworkProfile? { NetworkProfile.named(network) }

    /// How the server for it is started; nil when it needs none.
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

    /// Files that decide what is answered, but for those of what reads.
    package var files: [String] {
        (catalogue == Self.embedded ? [] : [catalogue]) + [faultsFile].compactMap(\.self)
    }

    /// What is missing on this machine beside what reads, and what to do about it; nil when nothing is known to be missing.
    var problem: String? {
        for path in files where !FileManager.default.isReadableFile(atPath: path) {
            return "cannot read \(path); specify an existing file ('spinebench catalogue build' creates catalogues)"
        }
        if strategy.needsBackEnd, BackEnds.program == nil {
            return "talaria not found beside this program; build it: swift build -c release --product talaria"
        }
        return [.anything, .captures].contains(pictures) ? Companion.apps.problem : nil
    }

    /// What the catalogue says of itself.
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
    /// The catalogue of a file; the one inside the program for ``ScanSettings/embedded``.
    ///
    /// - Throws: `CatalogueError` when it cannot be opened.
    package static func named(_ name: String) throws -> BookCatalogue {
        name == ScanSettings.embedded ? try embedded() : try BookCatalogue(path: name)
    }
}
