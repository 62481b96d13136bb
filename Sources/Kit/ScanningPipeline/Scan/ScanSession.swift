import Basics
public import BookCatalogue
public import Foundation
public import ScanningPolicies
import Talaria

/// From the picture of a spine to a book in the library, in one of the ways that a ``ScanStrategy`` names.
///
/// A value: what outlives a call is in the library, the ledger and the back end's client, but for the cleanups that
/// ``finish()`` waits for. Any
/// number of scans may run at the same time. Before anything is sent, it is in the library's queue, and it leaves that
/// when the answer is in the library: a process that is killed at any moment loses nothing, and the next
/// ``drain(progress:)`` doubles nothing.
public struct ScanSession: Sendable {
    /// What a session is told once.
    public struct Settings: Sendable {
        /// After this time `vision-fallback` does not wait for the back end any longer (S2-50).
        public var slowThreshold = Duration.seconds(1)
        /// How long an answer is waited for before the scan is left in the queue.
        public var patience = Duration.seconds(10)
        /// Likewise, for an answer to a photo of shelves; not shorter than ``patience``.
        public var shelfPatience: Duration {
            get { max(patience, ownShelfPatience) }
            set { ownShelfPatience = newValue }
        }
        private var ownShelfPatience = Duration.seconds(60)
        /// After which the back end is no longer asked to forget a picture; no scan waits for that (S2-36).
        public var cleanupLimit = Duration.seconds(5)
        /// How pictures are made ready to be sent.
        public var preparation = PhotoPreparation()
        /// Takes lines such as `[STAT:vi_latency] 41.2ms`; nil for nobody (S0-C06).
        public var log: (@Sendable (String) -> Void)?

        /// With the app's thresholds.
        public init() {}
    }

    /// The device's own catalogue.
    public typealias Matcher = SpinePipeline.Matcher

    /// The way it goes.
    public let strategy: ScanStrategy
    /// What it was told once.
    public let settings: Settings
    let reader: LocalReader?
    let matcher: Matcher?
    let backEnd: (any BackEnd)?
    let store: LibraryStore
    let ledger: EgressLedger
    let cleanups: Cleanups
    /// From a picture to its books; nil where nothing reads, or the quality goes with the device's state.
    var pipeline: SpinePipeline? {
        reader?.scanner.map { SpinePipeline(reader: $0, shelf: reader?.shelf, matcher: matcher) }
    }
    let deviceID: UUID
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    /// A session with its parts; the ledger is the one in which the back end's client notes its requests.
    ///
    /// - Throws: ``ScanningError`` when the strategy needs what is not there.
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

    /// Waits for the back end to forget the pictures whose books are in the library, but no longer than
    /// ``Settings/cleanupLimit``: to be called before the network or the process goes.
    @discardableResult public func finish() async -> CleanupReport { await cleanups.finish() }

    /// Scans the picture of one spine, all tiers of the strategy, one after the other.
    ///
    /// - Throws: when the picture, the engine, the catalogue or the library fails, and `CancellationError`. That the back end
    ///   does not answer is no error: the scan is queued.
    /// - Returns: what has become of it.
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
