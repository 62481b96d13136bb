import Basics
import BookCatalogue
import Composition
import Foundation
import Harness
import LibraryStore
import ScanningPipeline
import ScanningPolicies
import SpineReaders
import Talaria

/// A session that is ready to scan, with what has to be closed after it.
struct ScanSetup {
    var plan: ScanPlan
    private let scan: ComposedScan
    var ledger: EgressLedger
    /// Finding out what there is, and deciding (S0-C10).
    var probing: Duration

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
        let isFast = plan.firstReader == .visualIntelligence
        var settings = ScanSettings.unset
        settings.strategy = plan.strategy
        settings.reader = isFast ? .fast : .accurate
        settings.catalogue = options.catalogue
        settings.slowThresholdSeconds = options.slowThreshold
        settings.patienceSeconds = options.patience
        if plan.strategy.needsReader {
            if let notice = Installation.firstRunNotice { Console.standardError(notice) }
        } else {
            // It is not looked into, and has to be one all the same.
            _ = try BookCatalogue.named(options.catalogue)
        }
        ledger = try EgressLedger(sink: options.egressLog.map(Self.sink))
        let trust = options.trust.trust
        scan = try ComposedScan(
            settings,
            contact: address.map { address in
                options.offline
                    ? .offline(host: address.host() ?? address.absoluteString) : .address(address, trust)
            },
            store: store,
            ledger: ledger,
            deviceID: address == nil ? UUID() : try DeviceIdentity.load(from: DeviceIdentity.standardFile()),
            adaptive: options.adaptive && plan.strategy.needsReader
                ? .real(best: isFast ? .medium : .high) { Console.standardError($0) } : nil
        )
    }

    /// What scans.
    var session: ScanSession { scan.session }

    /// Closes connections.
    func close() async { await scan.close() }

    /// What each of the readers lacks; the one that was not asked for counts as missing.
    private static func problems(_ asked: ScanOptions.Reader?) -> (fast: String?, accurate: String?) {
        func problem(_ reader: ScanOptions.Reader) -> String? {
            guard asked == nil || asked == reader else { return "\(reader.rawValue) was not asked for" }
            do {
                return try ComposedVariant(reader.rawValue).settings.problem
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
