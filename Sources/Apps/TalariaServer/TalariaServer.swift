package import BookCatalogue
package import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle

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
    let logger: Logger
    let now: @Sendable () -> Date
    let clock = ContinuousClock()
    let readingQueue = BlockingQueue(label: "talaria.reading")
    let resolvingQueue: FairQueue
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
        logger: Logger,
        lock: FolderLock? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        try configuration.validate()
        self.configuration = configuration
        self.reader = reader
        self.logger = logger
        self.now = now
        try FolderLock.makeFolder(configuration.dataDirectory)
        self.lock = try lock ?? FolderLock(folder: configuration.dataDirectory)
        files = try JobFiles(in: configuration.imageDirectory, of: configuration.dataDirectory)
        store = try JobStore(path: "\(configuration.dataDirectory)/\(JobStore.fileName)")
        storage = Storage(paths: [configuration.dataDirectory, files.directory], limits: configuration.limits)
        resolvingQueue = FairQueue(
            label: "talaria.catalogue",
            width: max(2, ProcessInfo.processInfo.activeProcessorCount)
        )
        queue = JobQueue(workers: configuration.workers, limit: configuration.queueLimit)
        resolver = try BookResolver(catalogue: catalogue, matcher: matcher)
        limiter = RateLimiter(limits: configuration.rateLimits, store: store, now: now)
        faults = configuration.faults.map(FaultInjector.init)
    }

    /// Serves until SIGTERM or SIGINT.
    package func run(onRunning: @escaping @Sendable (_ port: Int) async -> Void) async throws {
        do {
            try await application(onRunning: onRunning).runService()
        } catch let error as IOError {
            // An error of listening: no other error of this kind arrives here.
            if error.errnoCode == EADDRNOTAVAIL { throw TalariaServerError.host(configuration.host) }
            throw TalariaServerError.address(
                host: configuration.host,
                port: configuration.port,
                reason: String(cString: strerror(error.errnoCode))
            )
        } catch let error where error is SocketAddressError || error is SocketAddressError.UnknownHost {
            throw TalariaServerError.host(configuration.host)
        }
    }

    /// Changes the faults from now on, in a server that was given a plan at its start.
    package func use(_ plan: FaultPlan) { faults?.plan = plan }

    /// Returns the server with its worker, not yet running.
    func application(
        onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) throws -> Application<RouterResponder<TalariaContext>> {
        let (lock, store, files, readiness, logger) = (lock, store, files, readiness, logger)
        let (started, starting) = AsyncStream.makeStream(of: Void.self)
        return Application(
            responder: router().buildResponder(),
            server: try serverBuilder(),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: "talaria",
                availableConnectionsDelegate: .maximum(DescriptorLimit.connections, logger: logger)
            ),
            // They end in the opposite order: the folders are given up last.
            services: [
                SideWork {
                    try? await gracefulShutdown()
                    for lock in [lock, files.lock] { lock.release() }
                },
                worker(started: started), purge, storageMonitor,
            ],
            onServerRunning: { channel in
                // The address is this server's, and no upload can have made a folder yet.
                do {
                    let open = Set(try await store.openJobs().map(\.id))
                    let strays = try files.sweep(keeping: open)
                    logger.info("started", metadata: ["openJobs": "\(open.count)", "foldersSwept": "\(strays)"])
                } catch {
                    logger.error("leftover pictures were not removed", metadata: ["error": "\(error)"])
                }
                starting.yield()
                starting.finish()
                readiness.set(true)
                await onRunning(channel.localAddress?.port ?? 0)
            },
            logger: logger
        )
    }

    // MARK: Parts

    var limits: RequestLimits { configuration.limits }

    private func serverBuilder() throws -> HTTPServerBuilder {
        let (limits, configuration) = (limits, configuration)
        let plain = HTTPServerBuilder { responder in
            CompressedHTTP1Channel(
                base: HTTP1Channel(
                    responder: responder,
                    configuration: HTTP1Channel.Configuration(
                        idleTimeout: .seconds(75),
                        httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                            maxHeaderFieldSize: limits.headerBytes,
                            maxHeaderListSize: limits.headerBytes,
                            maxHeaderFieldCount: 100
                        )
                    )
                ),
                writeTimeout: configuration.writeTimeout,
                shutdownTimeout: configuration.shutdownTimeout
            )
        }
        guard let tls = configuration.tls else { return plain }
        let identity = try TLSIdentity(tls)
        if let warning = identity.warning { logger.warning("\(warning)") }
        return try .tls(
            plain,
            tlsConfiguration: Self.tlsConfiguration(identity.chain.map { .certificate($0) }, identity.key)
        )
    }
}

extension TalariaServer {
    /// Returns a configuration of TLS 1.2 with forward secrecy and authenticated encryption, or 1.3.
    ///
    /// No HTTP/2: a device has one upload or one stream at a time, which a second connection serves as well, and the
    /// limits on bodies, writes and connections are of HTTP/1.1's connections.
    /// Source for the suites: Mozilla's server side TLS guidelines 5.7, "intermediate".
    fileprivate static func tlsConfiguration(
        _ chain: [NIOSSLCertificateSource],
        _ key: NIOSSLPrivateKey
    ) -> TLSConfiguration {
        var tls = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key))
        tls.minimumTLSVersion = .tlsv12
        tls.cipherSuiteValues = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
        tls.applicationProtocols = ["http/1.1"]
        return tls
    }
}

// MARK: Routes

extension TalariaServer {
    /// Returns all routes; `openapi.json` describes the same.
    func router() -> Router<TalariaContext> {
        let routes = Router(context: TalariaContext.self)
        addRoutes(to: routes)
        let router = Router(context: TalariaContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestLogMiddleware(metrics: metrics, clock: clock))
        router.add(middleware: ProblemMiddleware(server: self, routes: RouteTable(routes)))
        if let faults {
            router.add(middleware: FaultMiddleware(injector: faults, metrics: metrics, clock: clock))
        }
        addRoutes(to: router)
        return router
    }

    private func addRoutes(to router: Router<TalariaContext>) {
        let jobs = router.group("v3/jobs")
        jobs.post("scans", use: upload)
        jobs.get("scans/:id", use: status)
        jobs.delete("scans/:id", use: cancel)
        jobs.get("scans/:id/stream", use: stream)
        jobs.get("scans/:id/results", use: results)
        jobs.delete("scans/:id/cleanup", use: cleanup)
        jobs.post("enrich", use: enrich)
        router.get("v3/books/search", use: search)
        router.get("health", use: health)
        router.get("ready", use: ready)
        router.get("metrics", use: showMetrics)
        router.get("openapi.json", use: openAPI)
    }
}
