import ArgumentParser
import BookCatalogue
import Foundation
import Imaging
import ScanningPipeline
import ScanningPolicies
import Talaria
import TalariaServer

/// The client of the checks that kill one: scans numbered spines into a library, and drains its queue now and then.
///
/// The log contains the begin and the end of each scan: `begin 7`, `end 7 book`. A line is written in one piece, and
/// stays when the process is killed.
struct CheckClient: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "client", shouldDisplay: false)

    @Option var library: String
    @Option var url: String
    @Option var device: String
    @Option var variant: String
    /// Number of the first spine; `stride` is the increment.
    @Option var first = 0
    @Option var stride = 1
    @Option var count: Int
    @Option var log: String
    /// Hours that the clock is fast, so that the queue's waits are over.
    @Option var hours = 0.0
    /// Number of scans between drains; 0 drains only at the end.
    @Option var drainEvery = 3
    /// Maximum file size in bytes, as on a full disk.
    @Option var fileLimit: Int?

    func run() async throws {
        guard let url = URL(string: url), let device = UUID(uuidString: device),
            let variant = ScanStrategy(rawValue: variant)
        else { throw ValidationError("Invalid --url, --device or --variant.") }
        let log = try Journal(path: log)
        if let fileLimit { try Self.limitFiles(to: fileLimit) }
        let transport = try NetworkTransport()
        let session = try ScanSession.ofCheck(
            strategy: variant,
            client: ClientConfiguration(baseURL: url, deviceID: device),
            transport: transport,
            lines: NumberedBook.lines,
            store: LibraryStore(path: library),
            patience: ScaledClock(speed: 20),
            hours: hours
        )
        for index in 0..<count {
            let number = first + index * stride
            try log.add("begin", number)
            let scan = try await session.scan(photo: SpineCode(number).picture(), name: "spine \(number)")
            try log.add("end", number, scan.status.rawValue)
            if drainEvery > 0, index % drainEvery == drainEvery - 1 { _ = try await session.drain() }
        }
        let report = try await session.drain()
        print("\(report.done) drained, \(report.left) left")
    }

    private static func limitFiles(to bytes: Int) throws {
        // The system would end the process; a full disk does not.
        signal(SIGXFSZ, SIG_IGN)
        var limits = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        #if canImport(Glibc)
        let kind = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
        let kind = RLIMIT_FSIZE
        #endif
        guard setrlimit(kind, &limits) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL) }
    }
}

/// The back end of the checks that kill one: reads ``SpineCode``s, and keeps its jobs on disk as `talaria` does.
struct CheckServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "server", shouldDisplay: false)

    @Option var data: String
    @Option var images: String
    /// 0 for a free one.
    @Option var port = 0
    /// File to which the address is written when the server is ready.
    @Option var portFile: String
    @Option var catalogue: String

    func run() async throws {
        var configuration = ServerConfiguration(dataDirectory: data, imageDirectory: images)
        (configuration.port, configuration.queueLimit) = (port, 32)
        let server = try TalariaServer.ofCheck(
            configuration,
            catalogue: BookCatalogue(path: catalogue),
            lines: NumberedBook.lines
        )
        try await server.run { [portFile] port in
            let line = "http://127.0.0.1:\(port)\n"
            try? Data(line.utf8).write(to: URL(filePath: portFile), options: .atomic)
        }
    }
}

extension ScanSession {
    /// Returns the session of a check: it reads ``SpineCode``s, and its ledger contains its client's transfers.
    ///
    /// `patience` is the client's clock, `clock` the session's own; the calendar is a number of hours fast, so that
    /// the queue's waits are over.
    static func ofCheck(
        strategy: ScanStrategy,
        client: ClientConfiguration,
        transport: any HTTPTransport,
        lines: @escaping SpineLines,
        store: LibraryStore,
        ledger: EgressLedger = EgressLedger(),
        matcher: Matcher? = nil,
        patience: any Clock<Duration> = ContinuousClock(),
        clock: any Clock<Duration> = ContinuousClock(),
        hours: Double
    ) throws -> ScanSession {
        try ScanSession(
            strategy: strategy,
            reader: LocalReader(SpineCodeReader(lines: lines)),
            matcher: matcher,
            backEnd: TalariaClient(configuration: client, transport: transport, clock: patience) { ledger.note($0) },
            store: store,
            ledger: ledger,
            deviceID: client.deviceID,
            clock: clock,
            now: { Date().addingTimeInterval(hours * 3_600) }
        )
    }
}

extension TalariaServer {
    /// Returns the back end of a check: it reads ``SpineCode``s, without rate limits; `note` receives each code that
    /// was read, with the bytes of its picture.
    static func ofCheck(
        _ configuration: ServerConfiguration,
        catalogue: BookCatalogue,
        lines: @escaping SpineLines,
        note: @escaping @Sendable (SpineCode, Int) -> Void = { _, _ in }
    ) throws -> TalariaServer {
        var configuration = configuration
        configuration.rateLimits = .none
        return try TalariaServer(
            configuration: configuration,
            catalogue: catalogue,
            reader: PhotoReader { bytes, name in
                let image = try ImageCodec.decode(bytes, name: name).image
                guard let code = SpineCode(image), let lines = lines(code) else {
                    throw CheckFailure("\(name) is not one of this check's")
                }
                note(code, bytes.count)
                return PhotoText(lines: lines.map { ReadLine(text: $0) })
            }
        )
    }
}

extension Process {
    /// Ends the process, and waits until it has ended.
    func end(by signal: Int32) async {
        kill(processIdentifier, signal)
        await hasEnded()
    }

    func hasEnded() async { while isRunning { try? await Task.sleep(for: .milliseconds(5)) } }

    /// Returns the address that a server has written into its port file, once it is there; throws when it ends instead.
    func address(in portFile: String) async throws -> String {
        while true {
            if let line = try? String(contentsOfFile: portFile, encoding: .utf8), line.hasSuffix("\n") {
                return line.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            guard isRunning else {
                throw CheckFailure("\(executableURL?.path ?? "the server") ended with \(terminationStatus)")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
