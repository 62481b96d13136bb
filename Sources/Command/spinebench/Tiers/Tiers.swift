import BenchmarkHarness
import BookCatalogue
import Foundation
import LibraryStore
import ScanningPipeline
import ScanningPolicies
import SpineDatasets
import SpineReaders
import Talaria
import TextRecognition

/// Loads the ways of scanning, and says what they need.
enum Tiers {
    /// What a worker is told beside its variant.
    struct Surroundings: Sendable {
        /// Where the back end listens; nil where none is needed.
        var backEnd: String?
        /// How it is known.
        var trust = BackEndTrust()
        /// The folder of the run, which takes the log of what leaves the device and, while a worker runs, its library; nil for
        /// a temporary one and no log.
        var folder: String?

        /// In that folder: what workers keep.
        static let scratch = "scratch"
        /// In that folder: every request, a JSON object a line.
        static let egressLog = "egress.jsonl"
    }

    /// Loads what the settings say.
    ///
    /// - Throws: when the engine, the catalogue or the back end's address is missing.
    static func load(_ settings: TierSettings, in surroundings: Surroundings) throws -> WorkerLoop.Loaded {
        let pipeline = settings.strategy.needsReader ? try readerSettings(settings).load() : nil
        let reader = pipeline.map {
            LocalReader($0.scanner, tier: settings.reader == .fast ? .fast : .accurate)
        }
        let matcher: ScanSession.Matcher? =
            settings.strategy.needsReader && settings.matching ? try matcher(in: settings.catalogue) : nil
        let folder =
            surroundings.folder.map { "\($0)/\(Surroundings.scratch)" }
            ?? FileManager.default.temporaryDirectory.appending(path: "scans-\(UUID().uuidString)").path
        let store = try LibraryStore(path: "\(folder)/library-\(UUID().uuidString).sqlite")
        let log = try surroundings.folder.map { try LineLog(path: "\($0)/\(Surroundings.egressLog)") }
        let ledger = EgressLedger { entry in
            if let line = try? EgressLedger.line(entry) { log?.append(line) }
        }
        let network = try settings.needsBackEnd ? network(settings, surroundings.trust) : nil
        let deviceID = UUID()
        let session = try ScanSession(
            strategy: settings.strategy,
            reader: reader,
            matcher: matcher,
            backEnd: network.map { transport in
                try MeasuredBackEnd(client: client(settings, surroundings, transport, deviceID, ledger))
            },
            store: store,
            ledger: ledger,
            deviceID: deviceID,
            settings: ScanSession.Settings(
                slowThreshold: .seconds(settings.slowThresholdSeconds),
                patience: .seconds(settings.patienceSeconds),
                preparation: PhotoPreparation(longSide: settings.uploadSize, quality: settings.jpegQuality)
            )
        )
        var description = pipeline?.description ?? [:]
        description["strategy"] = settings.strategy.rawValue
        if let profile = settings.profile { description["network"] = "\(profile.name), modelled: \(profile.source)" }
        return WorkerLoop.Loaded(
            system: ScanSystem(session: session, store: store, ledger: ledger, network: network),
            description: description,
            prepare: { try pipeline?.prepare() }
        )
    }

    /// What is missing on this machine, and what to do about it; nil when nothing is known to be missing.
    static func problem(_ settings: TierSettings) -> String? {
        if settings.strategy.needsReader, let problem = readerSettings(settings).problem { return problem }
        for path in files(settings) where !FileManager.default.isReadableFile(atPath: path) {
            return "\(path) cannot be read; name a file that is there ('spinebench catalogue build' makes catalogues)"
        }
        if settings.needsBackEnd, BackEnds.program == nil {
            return "there is no talaria beside this program; build it: swift build -c release --product talaria"
        }
        return nil
    }

    /// The files that decide what is answered: networks, catalogue, faults, and the back end itself.
    static func modelDigests(_ settings: TierSettings) throws -> [String: String] {
        var paths = files(settings)
        if settings.strategy.needsReader { paths += try readerSettings(settings).files }
        var digests: [String: String] = [:]
        for path in paths {
            digests[URL(filePath: path).lastPathComponent] = "sha256:" + (try SHA256.hex(ofFile: path))
        }
        if settings.catalogue == TierSettings.embedded {
            digests["embedded catalogue"] = try BookCatalogue.embedded().information.contentDigest
        }
        return digests
    }

    /// What the settings' catalogue says of itself.
    ///
    /// - Throws: the catalogue's error when it cannot be opened.
    static func catalogue(_ settings: TierSettings) throws -> CatalogueReference {
        let information = try CatalogueFile.open(settings.catalogue).information
        return CatalogueReference(
            name: settings.catalogue == TierSettings.embedded
                ? information.name : URL(filePath: settings.catalogue).lastPathComponent,
            books: information.books,
            booksWithISBN: information.booksWithISBN,
            digest: information.contentDigest
        )
    }

    private static func files(_ settings: TierSettings) -> [String] {
        (settings.catalogue == TierSettings.embedded ? [] : [settings.catalogue])
            + [settings.faultsFile].compactMap(\.self)
    }

    /// What reads on the device.
    static func readerSettings(_ settings: TierSettings) -> PipelineSettings {
        settings.reader == .fast ? .fast : .accurate
    }

    private static func matcher(in catalogue: String) throws -> ScanSession.Matcher {
        let matcher = try CatalogueMatcher(catalogue: CatalogueFile.open(catalogue))
        return { lines in try matcher.match(lines.map { (text: $0.text, confidence: $0.confidence) }) }
    }

    private static func network(_ settings: TierSettings, _ trust: BackEndTrust) throws -> FlakyNetwork {
        let transport = try trust.transport()
        let shaped: any HTTPTransport =
            settings.profile.map { ShapedTransport(transport, profile: $0, seed: UInt64(settings.networkSeed)) }
            ?? transport
        return FlakyNetwork(shaped, share: settings.outages, seed: settings.networkSeed)
    }

    private static func client(
        _ settings: TierSettings,
        _ surroundings: Surroundings,
        _ transport: any HTTPTransport,
        _ deviceID: UUID,
        _ ledger: EgressLedger
    ) throws -> TalariaClient {
        guard let address = surroundings.backEnd, let url = URL(string: address) else {
            throw HarnessError.configuration("the worker was not told where the back end listens")
        }
        return TalariaClient(
            configuration: ClientConfiguration(baseURL: url, deviceID: deviceID, retry: settings.retry.policy),
            transport: transport,
            onTransfer: { ledger.note($0) }
        )
    }
}
