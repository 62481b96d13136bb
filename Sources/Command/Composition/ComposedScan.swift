import Basics
package import BookCatalogue
package import Foundation
import Harness
package import ScanningPipeline
import ScanningPolicies
import SpineReaders
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
    let network: FlakyNetwork?

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
        let local =
            adaptive.map { LocalReader($0) }
            ?? reader.map { loaded in
                let tier: LibraryBook.Tier = settings.reader == .fast ? .fast : .accurate
                return LocalReader(loaded.scanner, tier: tier, shelf: loaded.shelf)
            }
        var matcher: ScanSession.Matcher?
        if settings.strategy.needsReader, settings.matching {
            let catalogue = try CatalogueMatcher(catalogue: .named(settings.catalogue))
            matcher = { [readings = settings.readings] in try catalogue.match($0, readings: readings) }
        }
        var backEnd: (any BackEnd)?
        var network: FlakyNetwork?
        switch settings.strategy.needsBackEnd ? contact : nil {
        case .address(let url, let trust):
            let bare = try trust.transport()
            let flaky = FlakyNetwork(
                base: settings.profile.map { ShapedTransport(bare, profile: $0, seed: UInt64(settings.networkSeed)) }
                    ?? bare,
                share: settings.outages,
                seed: settings.networkSeed
            )
            let client = TalariaClient(
                configuration: ClientConfiguration(baseURL: url, deviceID: deviceID, retry: settings.retry.policy),
                transport: flaky,
                onTransfer: { ledger.note($0) }
            )
            (network, backEnd) = (flaky, MeasuredBackEnd(client: client))
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
    package var backEnd: BackEnds.Given?
    /// Folder for the log of sent data and, while a worker runs, its library; nil for a temporary one and no log.
    package var folder: String?

    static let scratch = "scratch"
    /// Name of the log of every request, a JSON object a line.
    static let egressLog = "egress.jsonl"

    package init(backEnd: BackEnds.Given? = nil, folder: String? = nil) {
        (self.backEnd, self.folder) = (backEnd, folder)
    }
}

extension ScanSettings {
    func system(in environment: ScanEnvironment, apps: AppSystemLoader?) throws -> WorkerLoop.Loaded {
        if pictures == .shelves, strategy.needsReader { return try shelfSystem() }
        let folder =
            environment.folder.map { "\($0)/\(ScanEnvironment.scratch)" }
            ?? FileManager.default.temporaryDirectory.appending(path: "scans-\(UUID().uuidString)").path
        if isOfApps {
            guard let apps else {
                throw HarnessError.configuration("only \(Companion.apps.rawValue) can run \(pictures)")
            }
            return try apps(self, folder)
        }
        let store = try LibraryStore(path: "\(folder)/library-\(UUID().uuidString).sqlite")
        let log = try environment.folder.map { folder in
            let path = "\(folder)/\(ScanEnvironment.egressLog)"
            do {
                return try LineLog(path: path)
            } catch {
                throw HarnessError.storage(path: path, problem: error.systemReason)
            }
        }
        // A failed write is ignored: no measurement depends on it.
        let ledger = EgressLedger { try? log?.append(EgressLedger.line($0)) }
        var contact: ComposedScan.Contact?
        if strategy.needsBackEnd {
            guard let backEnd = environment.backEnd, let url = URL(string: backEnd.address) else {
                throw HarnessError.configuration("the worker has no address of the back end")
            }
            contact = .address(url, backEnd.trust)
        }
        let scan = try ComposedScan(self, contact: contact, store: store, ledger: ledger)
        var description = scan.reader?.description ?? [:]
        description["strategy"] = strategy.rawValue
        if let profile { description["network"] = "\(profile.name), modelled: \(profile.source)" }
        let system = ScanSystem(
            session: scan.session,
            store: store,
            ledger: ledger,
            network: scan.network,
            readsShelves: pictures == .shelves
        )
        return WorkerLoop.Loaded(
            system: system,
            description: description,
            prepare: { try scan.reader?.prepare() }
        )
    }
}
