package import BookCatalogue
package import Foundation
import HTTPServer

/// The back end that the pipeline talks to: photos or text in, books out.
package struct TalariaServer: Sendable {
    let configuration: ServerConfiguration
    let store: JobStore
    var files: JobFiles
    let storage: Storage
    let queue: JobQueue
    let signals = JobSignals()
    let readiness = Readiness()
    let resolver: BookResolver
    let metrics = ServerMetrics()
    let faults: FaultInjector?
    let reader: PhotoReader
    let log: ServerLog
    let now: @Sendable () -> Date
    let clock = ContinuousClock()
    let shutdown = Shutdown()
    let readingQueue: BlockingQueue
    let resolvingQueue = BlockingQueue(width: max(2, ProcessInfo.processInfo.activeProcessorCount))
    let limiter: RateLimiter
    private let lock: FolderLock

    /// Opens or makes the database and the folder of pictures.
    ///
    /// `matcher`: of the catalogue, where the reader has one already.
    package init(
        configuration: ServerConfiguration,
        catalogue: BookCatalogue,
        matcher: CatalogueMatcher? = nil,
        reader: PhotoReader,
        log: ServerLog = .none,
        lock: FolderLock? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        try configuration.validate()
        self.configuration = configuration
        self.reader = reader
        self.log = log
        self.now = now
        try FolderLock.makeFolder(configuration.dataDirectory)
        self.lock = try lock ?? FolderLock(folder: configuration.dataDirectory)
        files = try JobFiles(in: configuration.imageDirectory, of: configuration.dataDirectory)
        store = try JobStore(path: "\(configuration.dataDirectory)/\(JobStore.fileName)")
        storage = Storage(paths: [configuration.dataDirectory, files.directory])
        readingQueue = BlockingQueue(width: configuration.workers)
        queue = JobQueue(workers: configuration.workers, limit: configuration.queueLimit)
        resolver = try BookResolver(catalogue: catalogue, matcher: matcher)
        limiter = RateLimiter(limits: configuration.rateLimits, store: store, now: now)
        faults = configuration.faults.map(FaultInjector.init)
    }

    /// Serves until SIGTERM, SIGINT or ``shutdown``, or until the task is cancelled.
    package func run(onRunning: @escaping @Sendable (_ port: Int) async -> Void) async throws {
        let routes = routes
        var limits = configuration.connection
        limits.connections = DescriptorLimit.connections
        let (host, port) = (configuration.host, configuration.port)
        let server = HTTPServer(host: host, port: port, name: "talaria", limits: limits) { request in
            await respond(to: request, routes)
        }
        // The folders are given up last.
        defer { for lock in [lock, files.lock] { lock.release() } }
        try await shutdown.onSignals {
            try await withThrowingTaskGroup(of: Void.self) { group in
                do {
                    try await server.run(until: shutdown) { port in
                        // A server that does not get its address touches no job.
                        await begin()
                        group.addTask { try await doJobs() }
                        group.addTask { await purge() }
                        group.addTask { await watchStorage() }
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

    /// Changes the faults from now on, in a server that was given a plan at its start.
    package func use(_ plan: FaultPlan) { faults?.plan = plan }

    var limits: RequestLimits { configuration.limits }

    /// Removes what an earlier process left; the address is this server's, and no upload can have made a folder yet.
    private func begin() async {
        do {
            let open = Set(try await store.openJobs().map(\.id))
            let strays = try files.sweep(keeping: open)
            log.info("started", ["openJobs": "\(open.count)", "foldersSwept": "\(strays)"])
        } catch {
            log.error("leftover pictures were not removed", ["error": "\(error)"])
        }
        readiness.set(true)
    }
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
