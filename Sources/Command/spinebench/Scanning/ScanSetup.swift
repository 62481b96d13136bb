import AdaptiveReading
import Basics
import BenchmarkHarness
import BookCatalogue
import Composition
import Foundation
import LibraryStore
import ScanningPipeline
import ScanningPolicies
import SpineReaders
import Talaria

/// A session that is ready to scan, with what has to be closed after it.
struct ScanSetup {
    var plan: ScanPlan
    var session: ScanSession
    var ledger: EgressLedger
    /// Finding out what there is, and deciding (S0-C10).
    var probing: Duration
    private var transport: AsyncHTTPTransport?

    /// Probes what there is, decides, and loads it.
    ///
    /// - Throws: what is missing, and what to do about it.
    init(_ options: ScanOptions, store: LibraryStore) throws {
        let address = options.address.flatMap { URL(string: $0) }
        let start = ContinuousClock.now
        let problems = Self.problems(options.reader)
        let capabilities = DeviceCapabilities(
            visualIntelligence: problems.fast == nil,
            vision: problems.accurate == nil,
            network: address != nil
        )
        plan = try options.strategy.map { try ScanPlan(forced: $0, with: capabilities) } ?? ScanPlan(for: capabilities)
        probing = start.duration(to: .now)
        var reader: LocalReader?
        if plan.strategy.needsReader {
            let isFast = plan.firstReader == .visualIntelligence
            let variant = try Pipelines.resolve(isFast ? "fast" : "accurate")
            if let notice = Installation.firstRunNotice { Console.standardError(notice) }
            if options.adaptive {
                let adaptive = AdaptiveReader.real(best: isFast ? .medium : .high) { Console.standardError($0) }
                reader = LocalReader(adaptive)
            } else {
                let scanner = try Pipelines.settings(of: variant).load().scanner
                reader = LocalReader(scanner, tier: isFast ? .fast : .accurate)
            }
        }
        let matcher = try CatalogueMatcher(catalogue: CatalogueFile.open(options.catalogue))
        let ledger = try EgressLedger(sink: options.egressLog.map(Self.sink))
        let deviceID = address == nil ? UUID() : try DeviceIdentity.load(from: DeviceIdentity.standardFile())
        var backEnd: (any BackEnd)?
        if let address, plan.strategy.needsBackEnd {
            if options.offline {
                backEnd = Absent(host: address.host() ?? address.absoluteString)
            } else {
                let transport = try options.trust.trust.transport()
                self.transport = transport
                backEnd = TalariaClient(
                    configuration: ClientConfiguration(baseURL: address, deviceID: deviceID),
                    transport: transport,
                    onTransfer: ledger.note
                )
            }
        }
        self.ledger = ledger
        session = try ScanSession(
            strategy: plan.strategy,
            reader: reader,
            matcher: { try matcher.match($0) },
            backEnd: backEnd,
            store: store,
            ledger: ledger,
            deviceID: deviceID,
            settings: ScanSession.Settings(
                slowThreshold: .seconds(options.slowThreshold),
                patience: .seconds(options.patience)
            )
        )
    }

    /// Closes connections.
    func close() async { try? await transport?.shutdown() }

    /// What each of the readers lacks; the one that was not asked for counts as missing.
    private static func problems(_ asked: ScanOptions.Reader?) -> (fast: String?, accurate: String?) {
        func problem(_ reader: ScanOptions.Reader) -> String? {
            guard asked == nil || asked == reader else { return "\(reader.rawValue) was not asked for" }
            do {
                return Pipelines.problem(of: try Pipelines.resolve(reader.rawValue))
            } catch {
                return "\(error)"
            }
        }
        return (problem(.fast), problem(.accurate))
    }

    /// Appends every entry to a file at once.
    private static func sink(_ path: String) throws -> @Sendable (EgressLedger.Entry) -> Void {
        if !FileManager.default.fileExists(atPath: path) {
            guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
            else {
                throw HarnessError.configuration(
                    "--egress-log \(path) cannot be made: \(String(cString: strerror(errno))); name a file that can be written"
                )
            }
        }
        let file: FileHandle
        do {
            file = try FileHandle(forWritingTo: URL(filePath: path))
        } catch {
            throw HarnessError.configuration("--egress-log \(path) cannot be written: \(error.systemReason)")
        }
        return { entry in
            do {
                try file.seekToEnd()
                try file.write(contentsOf: Data((EgressLedger.line(entry) + "\n").utf8))
            } catch {
                Console.error("\(path): a line about what was sent could not be written: \(error.systemReason)")
            }
        }
    }
}

/// A back end that must not be asked now.
private struct Absent: BackEnd {
    var host: String
    var rateLimit: RateLimitState? { nil }

    func enrich(_ request: EnrichRequest) throws -> BookMetadata { throw refusal }
    func books(on photo: Photo, id: UUID) throws -> PhotoAnswer { throw refusal }

    private var refusal: TalariaError { .unreachable(host: host, reason: "--offline was given") }
}
