import Basics
import BookCatalogue
import Foundation
import ScanningPipeline
import ScanningPolicies
import Synchronization
import Talaria

@testable import TalariaServer

/// Sequence of a few spines, a faulty back end, a process that ends at any moment, and a library that must stay
/// consistent.
struct FaultSequence: Sendable {
    /// State of a spine after its scan has returned.
    enum Ending: String, Sendable, CaseIterable {
        case book, queued
        /// Failed, with a text of the error.
        case error
        /// Read without a match, or blank.
        case noMatch
        /// The process ended before anything was in the library.
        case notAccepted
    }

    struct Spine: Sendable {
        let id = UUID()
        let code: FaultCode
        var ending = Ending.notAccepted
    }

    /// Answer of the device's own catalogue to a book's text.
    enum Local: CaseIterable { case none, sure, unsure, wrong }

    let variant: ScanStrategy
    let server: FaultServer
    let clock: ScaledClock
    let local: Local
    private(set) var spines: [Spine] = []
    /// Faults that were on, and other things that were done.
    private(set) var events: Set<String> = []
    private var random: SplitMix64
    private var store: LibraryStore
    private let path: String?
    private let ledger = EgressLedger()
    private let transport: WatchedTransport
    private let deviceID = UUID()
    /// Opened sessions: their pending transfers are part of the sequence.
    private var sessions: [ScanSession] = []
    /// Virtual time in hours, one later for each step, so that no wait of the queue delays it.
    private var hours = 0.0

    /// - Parameters:
    ///   - number: of the sequence; the variants take turns.
    ///   - seed: the seed of its events.
    ///   - server: used by no other client meanwhile.
    ///   - transport: carries the requests.
    ///   - clock: of the client.
    ///   - folder: where one in four has its library; the others have theirs in memory.
    /// - Throws: when there is no room.
    init(
        number: Int,
        seed: UInt64,
        server: FaultServer,
        transport: any HTTPTransport,
        clock: ScaledClock,
        folder: String
    ) throws {
        random = SplitMix64(state: seed)
        variant = [.hybrid, .talariaOnly, .visionFallback][number % 3]
        local = Local.allCases.randomElement(using: &random) ?? .none
        self.server = server
        self.clock = clock
        self.transport = WatchedTransport(transport)
        path = Int.random(in: 0..<4, using: &random) == 0 ? "\(folder)/\(number).sqlite" : nil
        store = try path.map { try LibraryStore(path: $0) } ?? .inMemory()
        for index in 0..<Int.random(in: 1...3, using: &random) {
            let kind: FaultCode.Kind =
                switch Int.random(in: 0..<10, using: &random) {
                case 0: .unknown
                case 1: .blank
                default: .book
                }
            let book = Int.random(in: FaultCatalogue.books.indices, using: &random)
            spines.append(Spine(code: FaultCode(number: number * 3 + index, kind: kind, book: book)))
        }
    }

    /// Plays the sequence, completes everything without faults, and verifies the final state.
    ///
    /// - Throws: `FaultFinding` where a spine is lost or doubled, or anything is left over.
    mutating func run() async throws {
        for index in spines.indices {
            let plan = FaultPlan.random(using: &random, longestDelay: 300)
            events.formUnion(plan.names)
            server.use(plan)
            try await scan(index)
            if Int.random(in: 0..<3, using: &random) == 0 { try await drain() }
        }
        if transport.answers == 0, transport.onlyAway, !ledger.totals().isLocal {
            throw FaultFinding("the ledger lists \(ledger.totals()), but nothing can have been sent")
        }
        server.use(FaultPlan(seed: 0))
        for _ in 0..<5 where try !store.waitingScans().isEmpty {
            hours += 24
            // Virtual clock: answers arrive in time however busy the machine is.
            _ = try await session(clock: ScaledClock(speed: 1)).drain()
        }
        for session in sessions { await session.finish() }
        try await FaultAudit(store: store, path: path, ledger: ledger, server: server, isWrong: local == .wrong)
            .check(spines, answers: transport.answers)
    }

    // MARK: Steps

    private mutating func scan(_ index: Int) async throws {
        hours += 1
        let isAway = Int.random(in: 0..<5, using: &random) == 0
        let session = try session(isAway: isAway)
        let spine = spines[index]
        let picture = try spine.code.picture()
        if isAway { events.insert("server unavailable") }
        let result: Result<PhotoScan, any Error>
        if Int.random(in: 0..<4, using: &random) == 0 {
            events.insert("process ended in a scan")
            result = try await ended { try await session.scan(photo: picture, name: "spine", id: spine.id) }
        } else {
            result = await Result.of { try await session.scan(photo: picture, name: "spine", id: spine.id) }
        }
        spines[index].ending = try FaultAudit.ending(of: spine, result, in: store)
        if case .failure(let error) = result, !(error is CancellationError) {
            throw FaultFinding("a scan ended with an error instead of the queue: \(error)")
        }
    }

    private mutating func drain() async throws {
        hours += 1
        let session = try session()
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            events.insert("process ended in a drain")
            _ = try await ended { try await session.drain() }
        case 1:
            events.insert("two drains at once")
            let other = try self.session()
            async let first = session.drain()
            async let second = other.drain()
            _ = try await (first, second)
        default:
            events.insert("drain under faults")
            _ = try await session.drain()
        }
    }

    /// Lets the work continue for a while, then discards its client, and reopens the library.
    private mutating func ended<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Result<Value, any Error> {
        let task = Task { try await work() }
        try await Task.sleep(for: .microseconds(Int.random(in: 0...60_000, using: &random)))
        task.cancel()
        let result = await task.result
        if let path { store = try LibraryStore(path: path) }
        return result
    }

    private mutating func session(isAway: Bool = false, clock patience: ScaledClock? = nil) throws -> ScanSession {
        let clock = patience ?? clock
        let url = isAway ? WatchedTransport.nowhere : server.url
        let session = try ScanSession.ofFaultCodes(
            strategy: variant,
            client: ClientConfiguration(baseURL: url, deviceID: deviceID),
            transport: transport,
            store: store,
            ledger: ledger,
            matcher: matcher,
            patience: clock,
            clock: clock,
            hours: hours
        )
        sessions.append(session)
        return session
    }

    private var matcher: ScanSession.Matcher? {
        guard local != .none else { return nil }
        let local = local
        return { lines in
            let title = lines.last?.text
            guard let known = FaultCatalogue.books.first(where: { $0.title.uppercased() == title }) else {
                return MatchResult(candidates: [], answer: nil)
            }
            let match = BookMatch(
                book: local == .wrong ? FaultCatalogue.wrong : BookRecord(title: known.title, authors: known.authors),
                confidence: local == .unsure ? 0.6 : 0.95
            )
            return MatchResult(candidates: [match], answer: match)
        }
    }
}

extension FaultPlan {
    /// Returns a random mix of faults: each is on or off, with a random frequency and duration (milliseconds).
    static func random(using random: inout some RandomNumberGenerator, longestDelay: Int) -> FaultPlan {
        var plan = FaultPlan(seed: random.next())
        func chance() -> Double? {
            // One in five is certain to happen: some paths are only taken when every attempt fails.
            switch Int.random(in: 0..<15, using: &random) {
            case 0: 1
            case 1...4: Double.random(in: 0.1...0.9, using: &random)
            default: nil
            }
        }
        for kind in Kind.allCases {
            guard let probability = chance() else { continue }
            plan.faults[kind] = Fault(
                probability: probability,
                milliseconds: Int.random(in: 1...longestDelay, using: &random),
                retryAfterSeconds: Int.random(in: 0...2, using: &random),
                afterEvents: Int.random(in: 0...5, using: &random)
            )
        }
        return plan
    }
}
