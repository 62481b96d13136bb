import Basics
import BookCatalogue
import CommandSupport
import Foundation
import Harness
import ScanningPipeline
import ScanningPolicies
import SpineReaders
import Systems
import Talaria

struct ScanSetup {
    var plan: ScanPlan
    /// What names books on this device; nil if nothing is read here.
    let catalogue: BookCatalogue?
    private let scan: ComposedScan
    let ledger: EgressLedger
    private let log: EgressLog?
    /// Time of detecting the available parts, and of the decision (S0-C10).
    var probing: Duration
    /// Percent of a phone's battery that half an hour takes at a share of reading time; nil without profiles.
    let battery: @Sendable (_ duty: Double) -> Double?

    /// Probes the machine, plans the scan, and loads its parts; throws the missing part, and the remedy.
    init(_ options: ScanOptions, store: LibraryStore) throws {
        let address = options.address.flatMap { URL(string: $0) }
        let start = ContinuousClock.now
        let phone = try PhoneBattery.device(options.device)
        battery = { PhoneBattery.readerPercentPer30Minutes(duty: $0, on: phone) }
        func isUsable(_ reader: ScanOptions.Reader) -> Bool {
            [nil, reader].contains(options.reader) && ComposedVariant.named(reader.rawValue)?.settings.problem == nil
        }
        let capabilities = DeviceCapabilities(
            fastReader: isUsable(.fast),
            accurateReader: isUsable(.accurate),
            network: address != nil
        )
        plan = try ScanPlan(for: capabilities, forced: options.strategy)
        probing = start.duration(to: .now)
        let isFast = plan.firstReader == .fast
        var settings = ScanSettings.standard
        settings.strategy = plan.strategy
        settings.reader = isFast ? .fast : .accurate
        settings.catalogue = options.catalogue
        settings.slowThresholdSeconds = options.slowThreshold
        settings.patienceSeconds = options.patience
        if plan.strategy.needsReader, let notice = Installation.firstRunNotice { Console.standardError(notice) }
        // One that is not used has to be valid all the same.
        let books = try BookCatalogue.named(options.catalogue)
        catalogue = plan.strategy.needsReader ? books : nil
        log = try options.egressLog.map { path in
            do { return try EgressLog(path, permissions: 0o600) } catch {
                let reason = "\(error.systemReason); specify a writable file"
                throw HarnessError.configuration("--egress-log \(path) cannot be written: \(reason)")
            }
        }
        ledger = EgressLedger(sink: log?.note)
        let trust = options.trust.trust
        scan = try ComposedScan(
            settings,
            contact: address.map { address in
                options.offline ? .offline(host: address.host() ?? address.absoluteString) : .address(address, trust)
            },
            store: store,
            ledger: ledger,
            deviceID: address == nil ? UUID() : try DeviceIdentity.load(from: DeviceIdentity.standardFile()),
            adaptive: options.adaptive && plan.strategy.needsReader
                ? .real(best: isFast ? .medium : .high, battery: battery) { Console.standardError($0) } : nil
        )
    }

    var session: ScanSession { scan.session }

    var hasLostEntries: Bool { log?.hasFailed ?? false }
}
