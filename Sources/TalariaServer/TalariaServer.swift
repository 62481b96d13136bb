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
    let files: JobFiles
    let queue: JobQueue
    let signals = JobSignals()
    let readiness = Readiness()
    let resolver: BookResolver
    let metrics: PrometheusMetrics
    let faults: FaultInjector?
    private let reader: PhotoReader
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let clock = ContinuousClock()
    private let resolvingQueue = BlockingQueue(label: "talaria.catalogue")

    /// Opens or makes the database and the folder of pictures.
    ///
    /// - Parameters:
    ///   - configuration: valid or not.
    ///   - catalogue: of books that can be named.
    ///   - reader: of photos.
    ///   - metrics: what `/metrics` shows.
    ///   - logger: gets no text and no pictures.
    ///   - now: the time of day.
    /// - Throws: `TalariaServerError`, which says what to do.
    package init(
        configuration: ServerConfiguration,
        catalogue: BookCatalogue,
        reader: PhotoReader,
        metrics: PrometheusMetrics = PrometheusMetrics(),
        logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        try configuration.validate()
        self.configuration = configuration
        self.reader = reader
        self.metrics = metrics
        self.logger = logger
        self.now = now
        do {
            try FileManager.default.createDirectory(
                atPath: configuration.dataDirectory,
                withIntermediateDirectories: true
            )
        } catch {
            throw TalariaServerError.file(path: configuration.dataDirectory, reason: "\(error)")
        }
        store = try JobStore(path: configuration.dataDirectory + "/talaria.sqlite")
        files = try JobFiles(directory: configuration.imageDirectory)
        queue = JobQueue(workers: configuration.workers, limit: configuration.queueLimit)
        resolver = try BookResolver(catalogue: catalogue)
        faults = configuration.faults.map(FaultInjector.init)
    }

    /// Serves until SIGTERM or SIGINT.
    ///
    /// - Parameter onRunning: told the port once requests are answered.
    /// - Throws: `TalariaServerError`, and what listening on the address reports.
    package func run(onRunning: @escaping @Sendable (_ port: Int) async -> Void) async throws {
        try await application(onRunning: onRunning).runService()
    }

    /// Changes what goes wrong from now on, in a server that was given a plan at its start.
    ///
    /// - Parameter plan: takes the place of the one before, with a seed of its own.
    package func use(_ plan: FaultPlan) { faults?.plan = plan }

    /// The server with its worker, not yet running.
    ///
    /// - Parameter onRunning: told the port once requests are answered.
    /// - Returns: what Hummingbird runs.
    /// - Throws: `TalariaServerError.tls`.
    func application(
        onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) throws -> Application<RouterResponder<TalariaContext>> {
        let (store, files, readiness, logger) = (store, files, readiness, logger)
        var application = Application(
            responder: router().buildResponder(),
            server: try serverBuilder(),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: "talaria"
            ),
            services: [worker, purge],
            onServerRunning: { channel in
                readiness.set(true)
                await onRunning(channel.localAddress?.port ?? 0)
            },
            logger: logger
        )
        // Before any upload can make a folder.
        application.beforeServerStarts {
            let open = Set(try await store.openJobs().map(\.id))
            let strays = try files.sweep(keeping: open)
            logger.info("started", metadata: ["openJobs": "\(open.count)", "foldersSwept": "\(strays)"])
        }
        return application
    }

    // MARK: Parts

    private var serverMetrics: ServerMetrics { ServerMetrics(factory: metrics) }

    private var worker: ScanWorker {
        let runner = ScanJobRunner(
            store: store,
            files: files,
            events: events,
            reader: reader,
            readingQueue: BlockingQueue(label: "talaria.reading"),
            resolver: resolver,
            resolvingQueue: resolvingQueue,
            metrics: serverMetrics,
            clock: clock,
            logger: logger
        )
        return ScanWorker(
            queue: queue,
            runner: runner,
            store: store,
            readiness: readiness,
            workers: configuration.workers,
            clock: clock,
            logger: logger
        )
    }

    private var purge: PurgeService {
        PurgeService(
            store: store,
            interval: configuration.purgeInterval,
            resultLife: configuration.resultLife,
            clock: clock,
            now: now,
            logger: logger
        )
    }

    private var events: JobEvents { JobEvents(store: store, signals: signals, now: now) }

    private func serverBuilder() throws -> HTTPServerBuilder {
        let limits = configuration.limits
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
                )
            )
        }
        guard let tls = configuration.tls else { return plain }
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(tls.certificate).map {
                NIOSSLCertificateSource.certificate($0)
            }
            let key = try NIOSSLPrivateKey(file: tls.key, format: .pem)
            return try .tls(
                plain,
                tlsConfiguration: .makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key))
            )
        } catch {
            throw TalariaServerError.tls(reason: "\(error)")
        }
    }
}

// MARK: Routes

extension TalariaServer {
    /// All routes; `openapi.json` describes the same.
    func router() -> Router<TalariaContext> {
        let limiter = RateLimiter(limits: configuration.rateLimits, store: store, now: now)
        let access = JobAccess(store: store, now: now)
        let body = BodyReader(timeout: configuration.bodyTimeout, clock: clock)
        let router = Router(context: TalariaContext.self)
        router.add(middleware: RequestLogMiddleware(metrics: serverMetrics, clock: clock))
        router.add(
            middleware: ProblemMiddleware(limits: configuration.limits, bodyTimeout: configuration.bodyTimeout)
        )
        if let faults {
            router.add(middleware: FaultMiddleware(injector: faults, metrics: serverMetrics, clock: clock))
        }
        let upload = UploadRoute(
            configuration: configuration,
            store: store,
            files: files,
            queue: queue,
            events: events,
            limiter: limiter,
            body: body,
            metrics: serverMetrics,
            clock: clock
        )
        let scans = ScanRoutes(
            store: store,
            files: files,
            events: events,
            access: access,
            limiter: limiter,
            metrics: serverMetrics
        )
        let stream = StreamRoute(
            configuration: configuration,
            store: store,
            signals: signals,
            access: access,
            limiter: limiter,
            faults: faults,
            metrics: serverMetrics,
            clock: clock,
            now: now
        )
        let jobs = router.group("v3/jobs")
        jobs.post("scans", use: upload.handle)
        jobs.get("scans/:id", use: scans.status)
        jobs.delete("scans/:id", use: scans.cancel)
        jobs.get("scans/:id/stream", use: stream.handle)
        jobs.get("scans/:id/results", use: scans.results)
        jobs.delete("scans/:id/cleanup", use: scans.cleanup)
        let enrich = EnrichRoute(
            limits: configuration.limits,
            resolver: resolver,
            resolvingQueue: resolvingQueue,
            limiter: limiter,
            body: body,
            metrics: serverMetrics,
            clock: clock,
            now: now
        )
        jobs.post("enrich", use: enrich.handle)
        let books = BookRoutes(
            catalogue: resolver.catalogue,
            queue: resolvingQueue,
            limits: configuration.limits,
            limiter: limiter
        )
        router.get("v3/books/search", use: books.search)
        addOperations(to: router)
        return router
    }

    private func addOperations(to router: Router<TalariaContext>) {
        let operations = OperationRoutes(
            metrics: metrics,
            serverMetrics: serverMetrics,
            queue: queue,
            signals: signals,
            readiness: readiness,
            faults: faults?.plan
        )
        router.get("health", use: operations.health)
        router.get("ready", use: operations.ready)
        router.get("metrics", use: operations.metrics)
        router.get("openapi.json", use: operations.openAPI)
    }
}
