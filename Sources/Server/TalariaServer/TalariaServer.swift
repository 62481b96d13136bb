import Basics
package import BookCatalogue
package import Foundation
import HTTPServer

/// The back end that the pipeline talks to: photos or text in, books out.
package struct TalariaServer: Sendable {
    let configuration: ServerConfiguration
    let limits: ServerLimits
    let store: JobStore
    let queue = JobQueue()
    /// Signals to the workers that there are jobs, and to the streams that their job has news.
    let arrivals = Signals()
    let signals = Signals()
    let resolver: BookResolver
    let faults: FaultInjector?
    let reader: PhotoReader
    let log: ServerLog
    let now: @Sendable () -> Date
    let clock = ContinuousClock()
    let shutdown = Shutdown()
    let readingQueue: CallQueue
    let resolvingQueue = CallQueue(width: max(2, ProcessInfo.processInfo.activeProcessorCount))
    let limiter: RateLimiter
    private let lock: FileLock?

    /// Opens or makes the database.
    ///
    /// `matcher`: of the catalogue, where the reader has one already.
    package init(
        configuration: ServerConfiguration,
        limits: ServerLimits = ServerLimits(),
        faults: FaultPlan? = nil,
        catalogue: BookCatalogue,
        matcher: CatalogueMatcher? = nil,
        reader: PhotoReader,
        log: ServerLog = .none,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.configuration = configuration
        self.limits = limits
        self.reader = reader
        self.log = log
        self.now = now
        lock = try configuration.data.map(Self.lock)
        store = try JobStore(folder: configuration.data)
        readingQueue = CallQueue(width: configuration.workers)
        resolver = try BookResolver(catalogue: catalogue, matcher: matcher)
        guard let limiter = RateLimiter(configuration.rateLimit, now: now) else {
            preconditionFailure("a rate limit that was not validated: \(configuration.rateLimit)")
        }
        self.limiter = limiter
        self.faults = faults.map(FaultInjector.init)
    }

    /// Serves until SIGTERM, SIGINT or ``shutdown``, or until the task is cancelled.
    package func run(onRunning: @escaping @Sendable (_ port: Int) async -> Void) async throws {
        let routes = routes
        let (host, port) = (configuration.host, configuration.port)
        let server = HTTPServer(host: host, port: port, name: "talaria", limits: limits.connection) { request in
            await respond(to: request, routes)
        }
        // The folder is released last.
        defer { lock?.end() }
        try await shutdown.onSignals {
            try await withThrowingTaskGroup(of: Void.self) { group in
                do {
                    try await server.run(until: shutdown) { port in
                        // A server that does not get its address touches no job.
                        group.addTask { await doJobs() }
                        await onRunning(port)
                    }
                } catch let error as SocketError {
                    throw TalariaServerError(error, host: host, port: port)
                }
                shutdown.begin()
                try await group.waitForAll()
            }
        }
    }

    /// Takes a folder for this process, and creates a missing one, which only this user can look into.
    private static func lock(folder: String) throws -> FileLock {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw TalariaServerError.folder(folder, reason: error.systemReason)
        }
        guard let lock = try FileLock(path: "\(folder)/.talaria") else { throw TalariaServerError.inUse(path: folder) }
        return lock
    }

    /// Changes the faults from now on, in a server that was given a plan at its start.
    package func use(_ plan: FaultPlan) { faults?.plan = plan }
}

extension TalariaServerError {
    fileprivate init(_ error: SocketError, host: String, port: Int) {
        guard let number = error.number, number != EADDRNOTAVAIL else {
            self = .host(host)
            return
        }
        self = .address(host: host, port: port, reason: error.description)
    }
}
