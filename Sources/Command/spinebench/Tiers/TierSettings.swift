import BenchmarkHarness
import Foundation
import ScanningPipeline
import ScanningPolicies
import Talaria

/// Everything that decides how a spine becomes a book: what a variant of the scanning pipeline is made of.
struct TierSettings: Sendable, Equatable {
    /// What reads on the device.
    enum Reader: String, Sendable, CaseIterable {
        case fast
        case accurate
    }

    /// How often a request is made again, and after which waits.
    enum Retry: String, Sendable, CaseIterable {
        case seed
        case upstream
        case documented
        case never

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
    static let embedded = "embedded"
    /// What stands for a network that is not shaped, and for a server without faults.
    static let none = "none"

    var strategy: ScanStrategy
    var reader = Reader.fast
    /// Whether the device has a catalogue of its own.
    var matching = true
    /// Of the device and the server: a file, or ``embedded``.
    var catalogue = Self.embedded
    /// The name of a ``NetworkProfile``, or ``none``.
    var network = Self.none
    /// Share of the scans during which there is no network.
    var outages = 0.0
    /// What jitter, loss and outages are drawn from.
    var networkSeed = 1
    var retry = Retry.seed
    var slowThresholdSeconds = 1.0
    var patienceSeconds = 10.0
    /// Of pictures that are sent: the long side in pixels, and the JPEG's quality.
    var uploadSize = 1920
    var jpegQuality = 85
    /// A file that says what the server does wrong, or ``none``.
    var faults = Self.none
    var serverWorkers = 1
    /// Photos that may wait at the server.
    var serverQueue = 32
    /// Whether the server that is started for it speaks HTTPS.
    var tls = false

    /// The file of ``faults``: one of the ready-made ones when it has such a name; nil for none.
    var faultsFile: String? {
        if faults == Self.none { return nil }
        let known = SuiteLibrary.folder.map { "\($0)/faults/\(faults).json" }
        return known.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil } ?? faults
    }

    var profile: NetworkProfile? { NetworkProfile.named(network) }

    /// Whether anything is sent at all.
    var needsBackEnd: Bool { strategy.needsBackEnd }

    /// How the server for it is started; nil when it needs none.
    var backEnd: BackEndOptions? {
        guard needsBackEnd else { return nil }
        return BackEndOptions(
            catalogue: catalogue == Self.embedded ? nil : catalogue,
            faults: faultsFile,
            workers: serverWorkers,
            queue: serverQueue,
            tls: tls
        )
    }
}

/// A named way of scanning that variants are made from.
struct TierBase: Sendable {
    var name: String
    /// The tier whose targets hold for it; nil when none do.
    var tier: String?
    /// One line for people.
    var summary: String
    var settings: TierSettings

    static let all = [
        TierBase(
            name: "enrich",
            tier: "enrich",
            summary: "fast reads, its text goes to Talaria, which names the book: Tier 1 and 2",
            settings: TierSettings(strategy: .hybrid, matching: false)
        ),
        TierBase(
            name: "upload",
            tier: "upload",
            summary: "the picture goes to Talaria, which reads and names the book: Tier 3",
            settings: TierSettings(strategy: .talariaOnly)
        ),
        TierBase(
            name: "talaria-only",
            tier: "upload",
            summary: "Option A: as upload, with the app's library and queue",
            settings: TierSettings(strategy: .talariaOnly)
        ),
        TierBase(
            name: "hybrid",
            tier: "hybrid",
            summary: "Option B: fast reads and looks the book up, its text goes to Talaria at the same time",
            settings: TierSettings(strategy: .hybrid)
        ),
        TierBase(
            name: "vision-fallback",
            tier: nil,
            summary: "Option C: the picture goes to Talaria; when that fails or is slow, accurate reads on the device",
            settings: TierSettings(strategy: .visionFallback, reader: .accurate)
        ),
        TierBase(
            name: "on-device-only",
            tier: "on-device",
            summary: "fast reads and looks the book up; nothing leaves the device",
            settings: TierSettings(strategy: .onDeviceOnly)
        ),
    ]

    static func named(_ name: String) -> TierBase? { all.first { $0.name == name } }
}
