import BookCatalogue
import Foundation
package import Harness
package import ScanningPolicies
package import SpineReaders
import Talaria

/// Settings of scanning: everything that decides how a spine becomes a book.
package struct ScanSettings {
    package enum Pictures: String, Sendable, CaseIterable {
        case spines, shelves
        /// Any object at which the camera is pointed: visual search.
        case anything
    }

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

    /// Name of an unshaped network, and of a server without faults.
    package static let none = "none"

    package var strategy = ScanStrategy.hybrid
    package var reader = Reader.fast
    package var pictures = Pictures.spines
    package var matching = true
    /// Number of texts of each line from which the device's catalogue may choose: 1 is the reading itself.
    package var readings = 1
    /// Catalogue of the device and the server: a file, or an embedded one; a run needs books that it lacks.
    package var catalogue = BookCatalogue.openName
    /// The name of a ``NetworkProfile``, or ``none``.
    package var network = Self.none
    package var outages = 0.0
    package var networkSeed = 1
    package var retry = Retry.seed
    package var slowThresholdSeconds = 1.0
    package var patienceSeconds = 10.0
    /// Long side of uploaded pictures in pixels, and their JPEG quality.
    package var uploadSize = 1920
    package var jpegQuality = 85
    package var faults = Self.none
    package var serverWorkers = 1
    package var serverQueue = 32

    /// The file of ``faults``: one of the ready-made ones when it has such a name; nil for none.
    package var faultsFile: String? {
        if faults == Self.none { return nil }
        let known = SuiteLibrary.folder.map { "\($0)/faults/\(faults).json" }
        return known.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil } ?? faults
    }

    /// Settings of the reader on the device; nil without one.
    package var reading: ReadingSettings? { strategy.needsReader ? reader == .fast ? .fast : .accurate : nil }

    package var profile: NetworkProfile? { NetworkProfile.named(network) }

    package var files: [String] {
        (BookCatalogue.isEmbedded(catalogue) ? [] : [catalogue]) + [faultsFile].compactMap(\.self)
    }

    /// Missing prerequisite on this machine other than the reader, with its remedy; nil if none is known.
    var problem: String? {
        for path in files where !FileManager.default.isReadableFile(atPath: path) {
            return "cannot read \(path); specify an existing file ('spinebench catalogue build' creates catalogues)"
        }
        if strategy.needsBackEnd, BackEndProcess.program == nil {
            return "talaria not found beside this program; build it: swift build -c release --product talaria"
        }
        return nil
    }

    /// Reference of the catalogue, from its own metadata.
    var catalogueReference: CatalogueReference {
        get throws {
            let information = try BookCatalogue.named(catalogue).information
            return CatalogueReference(
                name: BookCatalogue.isEmbedded(catalogue)
                    ? information.name : URL(filePath: catalogue).lastPathComponent,
                books: information.books,
                booksWithISBN: information.booksWithISBN,
                digest: information.contentDigest
            )
        }
    }
}

extension ScanSettings: Settings {
    package static let kindName = "strategy"
    package static let standard = ScanSettings()
    package var kind: ScanStrategy { strategy }

    private static let readers = ScanStrategy.allCases.filter(\.needsReader)
    private static let senders = ScanStrategy.allCases.filter(\.needsBackEnd)
    private static let uploads: [ScanStrategy] = [.talariaOnly, .visionFallback]

    package static let table: [Setting<ScanSettings>] = [
        .init("strategy", \.strategy, .choice, "How the work is divided between the device and the back end."),
        .init("reader", \.reader, .choice, of: readers, "Reader on the device."),
        .init(
            "pictures",
            \.pictures,
            .choice,
            of: [.onDeviceOnly, .talariaOnly],
            isOptional: true,
            "Content of each picture: one spine, whole shelves, or anything (visual search, on the "
                + "device alone)."
        ),
        .init("matching", \.matching, .toggle, of: readers, "Whether the device has its own catalogue."),
        .init(
            "readings",
            \.readings,
            .integer(1...5),
            of: readers,
            isOptional: true,
            "Number of candidate texts per doubtful line for catalogue matching; 1 uses only the text that was read."
        ),
        .init(
            "catalogue",
            \.catalogue,
            .file(without: "\(BookCatalogue.openName), \(BookCatalogue.embeddedName)"),
            "Catalogue of the device and of the back end: the built-in one without a fixed quarter of the labelled "
                + "books, the built-in one, or a file of 'spinebench catalogue build'."
        ),
        .init(
            "network",
            \.network,
            .name(among: [none] + NetworkProfile.all.map(\.name)),
            of: senders,
            "Simulated network that delays requests; results with one are modelled."
        ),
        .init("outages", \.outages, .number(0...1), of: senders, "Share of scans without a network."),
        .init(
            "network-seed",
            \.networkSeed,
            .integer(0...1_000_000_000),
            of: senders,
            "Random seed of delays, lost packets and outages."
        ),
        .init(
            "retry",
            \.retry,
            .choice,
            of: senders,
            "Waits before a request is retried: 1, 2 and 4 s (seed), 2 and 4 s (upstream), 2, 4 and 8 s (documented)."
        ),
        .init(
            "slow-threshold",
            \.slowThresholdSeconds,
            .number(0.05...60),
            of: [.visionFallback],
            "Seconds without an answer after which the device reads."
        ),
        .init(
            "patience",
            \.patienceSeconds,
            .number(0.1...600),
            of: senders,
            "Seconds without an answer after which a scan is queued."
        ),
        .init(
            "upload-size",
            \.uploadSize,
            .integer(160...8_192),
            of: uploads,
            "Maximum long side of a sent picture, in pixels; larger ones are scaled down."
        ),
        .init("jpeg-quality", \.jpegQuality, .integer(1...100), of: uploads, "JPEG quality of sent pictures."),
        .init(
            "faults",
            \.faults,
            .file(without: none),
            of: senders,
            "Faults to inject into the back end: a name out of Suites/faults."
        ),
        .init(
            "server-workers",
            \.serverWorkers,
            .integer(1...64),
            of: senders,
            "Photos that the back end reads in parallel."
        ),
        .init(
            "server-queue",
            \.serverQueue,
            .integer(1...10_000),
            of: senders,
            "Length of the back end's queue, in photos."
        ),
    ]

    package var contradiction: SettingFault? {
        if pictures == .anything, strategy != .onDeviceOnly {
            let problem = "\"\(pictures.rawValue)\" is read on the device alone; expected strategy=on-device-only"
            return SettingFault(key: "pictures", problem: problem)
        }
        guard readings > 1, !matching, strategy.needsReader else { return nil }
        let problem =
            "\"\(readings)\" has no effect with matching=off: the device has no catalogue; "
            + "expected 1, or matching=on"
        return SettingFault(key: "readings", problem: problem)
    }
}
