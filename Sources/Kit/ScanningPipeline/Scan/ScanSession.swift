import Basics
public import BookCatalogue
public import Foundation
public import ScanningPolicies
import Talaria

/// Turns the picture of a spine into a book in the library, by a ``ScanStrategy``.
///
/// A value: the library, the ledger and the back end's client hold all that outlives a call, except the cleanups that
/// ``finish()`` waits for. Any number of scans may run at the same time. A scan enters the library's queue before
/// anything is sent, and leaves it when the answer is in the library: a process killed at any moment loses nothing,
/// and the next ``drain(progress:)`` duplicates nothing.
public struct ScanSession: Sendable {
    /// The fixed settings of a session.
    public struct Settings: Sendable {
        /// Time after which `vision-fallback` no longer waits for the back end (S2-50).
        public var slowThreshold = Duration.seconds(1)
        /// Maximum wait for an answer before the scan stays in the queue.
        public var patience = Duration.seconds(10)
        /// Maximum wait for an answer to a photo of shelves; not shorter than ``patience``.
        public var shelfTimeout: Duration {
            get { max(patience, ownShelfPatience) }
            set { ownShelfPatience = newValue }
        }
        private var ownShelfPatience = Duration.seconds(60)
        /// Time after which the deletion of a picture on the back end is abandoned; no scan waits for that (S2-36).
        public var cleanupLimit = Duration.seconds(5)
        /// Preparation of pictures for upload.
        public var preparation = PhotoPreparation()
        /// Receiver of lines such as `[STAT:vi_latency] 41.2ms`; nil for none (S0-C06).
        public var log: (@Sendable (String) -> Void)?

        /// Creates settings with the app's thresholds.
        public init() {}
    }

    /// The device's own catalogue.
    public typealias Matcher = SpinePipeline.Matcher

    /// Strategy of the session.
    public let strategy: ScanStrategy
    /// Settings of the session.
    public let settings: Settings
    let reader: LocalReader?
    let matcher: Matcher?
    let backEnd: (any BackEnd)?
    let store: LibraryStore
    let ledger: EgressLedger
    let cleanups: Cleanups
    /// Pipeline from a picture to its books; nil without a reader, or if the quality depends on the device's state.
    var pipeline: SpinePipeline? {
        reader?.scanner.map { SpinePipeline(reader: $0, shelf: reader?.shelf, matcher: matcher) }
    }
    let deviceID: UUID
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    /// Creates a session from its parts; the ledger is the one in which the back end's client records its requests.
    ///
    /// - Throws: ``ScanningError`` when a part that the strategy needs is missing.
    public init(
        strategy: ScanStrategy,
        reader: LocalReader?,
        matcher: Matcher?,
        backEnd: (any BackEnd)?,
        store: LibraryStore,
        ledger: EgressLedger,
        deviceID: UUID,
        settings: Settings = Settings(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(ScanningError) {
        if strategy.needsBackEnd && backEnd == nil { throw .noBackEnd(strategy) }
        if strategy.needsReader && reader == nil { throw .noReader(strategy) }
        self.strategy = strategy
        self.settings = settings
        self.reader = strategy.needsReader ? reader : nil
        self.matcher = matcher
        self.backEnd = strategy.needsBackEnd ? backEnd : nil
        self.store = store
        self.ledger = ledger
        self.deviceID = deviceID
        self.clock = clock
        self.now = now
        cleanups = Cleanups(limit: settings.cleanupLimit, clock: clock)
    }

    /// Waits until the back end has deleted the pictures whose books are in the library, but no longer than
    /// ``Settings/cleanupLimit``: to be called before the network or the process ends.
    @discardableResult public func finish() async -> CleanupReport { await cleanups.finish() }

    /// Scans the picture of one spine, all tiers of the strategy, one after the other.
    ///
    /// - Throws: when the picture, the engine, the catalogue or the library fails, and `CancellationError`. A missing
    ///   answer of the back end is not an error: the scan is queued.
    /// - Returns: the state and result of the scan.
    public func scan(
        photo bytes: [UInt8],
        name: String,
        id: UUID = UUID(),
        milestone: @escaping @Sendable (Milestone) -> Void = { _ in }
    ) async throws -> PhotoScan {
        try await EgressLedger.$scan.withValue(id) {
            var scan = PhotoScan(id: id, name: name, strategy: strategy)
            scan.picture = SHA256.hex(of: bytes)
            switch strategy {
            case .onDeviceOnly, .hybrid:
                try await read(.file(bytes), into: &scan, milestone)
                try keepDraft(of: &scan, milestone)
                try await resolve(&scan, milestone)
            case .talariaOnly: _ = try await upload(.file(bytes), of: &scan, within: settings.patience, milestone)
            case .visionFallback: try await uploadOrRead(.file(bytes), of: &scan, milestone)
            }
            scan.egress = ledger.totals(of: id)
            return scan
        }
    }
}
