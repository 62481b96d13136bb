import Basics
package import BookCatalogue
import CommandSupport
package import Foundation
import Harness
package import ScanningPipeline
import ScanningPolicies
package import SpineReaders
import Synchronization
import Talaria

package struct ComposedScan {
    package enum Contact {
        case address(URL, BackEndTrust)
        case offline(host: String)
    }

    package let session: ScanSession
    /// Reader on the device; nil without one, or if its quality depends on the device's state.
    let reader: LoadedReader?
    /// Network to the back end; nil without one.
    let network: ModelledNetwork?

    /// Loads a scan; `adaptive` replaces the settings' reader, and nothing is sent without a `contact`.
    package init(
        _ settings: ScanSettings,
        contact: Contact?,
        store: LibraryStore,
        ledger: EgressLedger,
        deviceID: UUID = UUID(),
        adaptive: AdaptiveReader? = nil
    ) throws {
        reader = adaptive == nil ? try settings.reading?.load() : nil
        let tier: LibraryBook.Tier = settings.reader == .fast ? .fast : .accurate
        let local =
            adaptive.map { LocalReader($0) } ?? reader.map { LocalReader($0.scanner, tier: tier, shelf: $0.shelf) }
        var matcher: ScanSession.Matcher?
        if settings.strategy.needsReader, settings.matching {
            let catalogue = try CatalogueMatcher(catalogue: .named(settings.catalogue))
            matcher = { [readings = settings.readings] in try catalogue.match($0, readings: readings) }
        }
        var backEnd: (any BackEnd)?
        var network: ModelledNetwork?
        switch settings.strategy.needsBackEnd ? contact : nil {
        case .address(let url, let trust):
            let modelled = ModelledNetwork(
                try trust.transport(),
                profile: settings.profile,
                outages: settings.outages,
                seed: settings.networkSeed
            )
            let configuration = ClientConfiguration(baseURL: url, deviceID: deviceID, retry: settings.retry.policy)
            backEnd = TalariaClient(configuration: configuration, transport: modelled) { ledger.note($0) }
            network = modelled
        case .offline(let host): backEnd = Absent(host: host)
        case nil: break
        }
        self.network = network
        var limits = ScanSession.Settings()
        limits.slowThreshold = .seconds(settings.slowThresholdSeconds)
        limits.patience = .seconds(settings.patienceSeconds)
        limits.preparation = PhotoPreparation(longSide: settings.uploadSize, quality: settings.jpegQuality)
        session = try ScanSession(
            strategy: settings.strategy,
            reader: local,
            matcher: matcher,
            backEnd: backEnd,
            store: store,
            ledger: ledger,
            deviceID: deviceID,
            settings: limits
        )
    }
}

private struct Absent: BackEnd {
    var host: String
    var rateLimit: RateLimitState? { nil }

    func enrich(_ request: EnrichRequest) throws -> BookMetadata { throw refusal }
    func books(on photo: Photo, id: UUID) throws -> PhotoAnswer { throw refusal }

    private var refusal: TalariaError { .unreachable(host: host, reason: "--offline is set") }
}

/// The environment of a worker that scans, beside its variant.
package struct ScanEnvironment: Sendable {
    package var backEnd: BackEndAddress?
    /// Folder for the log of sent data and, while a worker runs, its library; nil for a temporary one and no log.
    package var folder: String?

    static let scratch = "scratch"
    /// Name of the log of every request, a JSON object a line.
    static let egressLog = "egress.jsonl"

    package init(backEnd: BackEndAddress? = nil, folder: String? = nil) {
        (self.backEnd, self.folder) = (backEnd, folder)
    }
}

extension ScanSettings {
    func system(in environment: ScanEnvironment) throws -> WorkerLoop.Loaded {
        var (system, reader): (any SystemUnderTest, LoadedReader?)
        let scratch =
            environment.folder.map { "\($0)/\(ScanEnvironment.scratch)" }
            ?? FileManager.default.temporaryDirectory.appending(path: "scans-\(UUID().uuidString)").path
        if pictures == .shelves, let reading {
            let loaded = try reading.load()
            guard loaded.shelf != nil else {
                throw HarnessError.configuration("the engine of \(self.reader) reads single spines, not shelves")
            }
            system = ShelfSystem(pipeline: try loaded.pipeline(.named(catalogue), readings: readings))
            reader = loaded
        } else if pictures == .anything {
            return try visualSearchSystem()
        } else {
            let store = try LibraryStore(path: "\(scratch)/library-\(UUID().uuidString).sqlite")
            let ledger = EgressLedger(sink: try environment.folder.map { try Self.log(in: $0).note })
            var contact: ComposedScan.Contact?
            if strategy.needsBackEnd {
                guard let backEnd = environment.backEnd, let url = URL(string: backEnd.address) else {
                    throw HarnessError.configuration("the worker has no address of the back end")
                }
                contact = .address(url, backEnd.trust)
            }
            let scan = try ComposedScan(self, contact: contact, store: store, ledger: ledger)
            system = ScanSystem(
                session: scan.session,
                store: store,
                ledger: ledger,
                network: scan.network,
                readsShelves: pictures == .shelves
            )
            reader = scan.reader
        }
        var description = reader?.description ?? [:]
        description["strategy"] = strategy.rawValue
        if let profile { description["network"] = "\(profile.name), modelled: \(profile.source)" }
        return WorkerLoop.Loaded(system: system, description: description) { [reader] in try reader?.prepare() }
    }

    private static func log(in folder: String) throws(HarnessError) -> EgressLog {
        let path = "\(folder)/\(ScanEnvironment.egressLog)"
        do { return try EgressLog(path) } catch { throw .storage(path: path, problem: error.systemReason) }
    }
}

/// Log of sent data in a file, to which several processes append whole lines, each in one piece.
package final class EgressLog: Sendable {
    private let path: String
    private let file: FileHandle
    private let failed = Mutex(false)

    /// Opens the file, and creates a missing one.
    package init(_ path: String, permissions: mode_t = 0o644) throws(POSIXError) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, permissions)
        guard descriptor >= 0 else { throw .last }
        self.path = path
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Whether a line was not written; the first failure is printed.
    package var hasFailed: Bool { failed.withLock { $0 } }

    @Sendable package func note(_ entry: EgressLedger.Entry) {
        do {
            try file.write(contentsOf: Data((EgressLedger.line(entry) + "\n").utf8))
        } catch {
            let isFirst = failed.withLock { failed in
                defer { failed = true }
                return !failed
            }
            if isFirst { Console.error("\(path): cannot write a line of the egress log: \(error.systemReason)") }
        }
    }
}

extension LoadedReader {
    /// Returns the pipeline from a picture to its books: of every command, of the harness and of sessions.
    ///
    /// `readings`: number of texts of a doubtful line from which the catalogue chooses; 1 is the reading.
    package func pipeline(_ catalogue: BookCatalogue, readings: Int = 1) throws -> SpinePipeline {
        let matcher = try CatalogueMatcher(catalogue: catalogue)
        return SpinePipeline(reader: scanner, shelf: shelf) { try matcher.match($0, readings: readings) }
    }
}
