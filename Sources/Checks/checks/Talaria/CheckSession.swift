import BookCatalogue
import Foundation
import ImageCodec
import LibraryStore
import Logging
import ScanningPipeline
import ScanningPolicies
import Talaria
import TalariaServer

extension ScanSession {
    /// Session of a check: it reads ``SpineCode``s, and its ledger has what its client sends.
    ///
    /// `patience` is the client's clock, `clock` the session's own; the calendar is so many hours fast, so that the
    /// queue's waits are over.
    static func ofCheck(
        strategy: ScanStrategy,
        client: ClientConfiguration,
        transport: any HTTPTransport,
        store: LibraryStore,
        ledger: EgressLedger = EgressLedger(),
        matcher: Matcher? = nil,
        patience: any Clock<Duration> = ContinuousClock(),
        clock: any Clock<Duration> = ContinuousClock(),
        hours: Double
    ) throws -> ScanSession {
        try ScanSession(
            strategy: strategy,
            reader: LocalReader(SpineCodeReader()),
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
    /// Back end of a check: it reads ``SpineCode``s, without rate limits; `note` gets each code that was read, with the
    /// bytes of its picture.
    static func ofCheck(
        _ configuration: ServerConfiguration,
        catalogue: BookCatalogue,
        note: @escaping @Sendable (SpineCode, Int) -> Void = { _, _ in }
    ) throws -> TalariaServer {
        var configuration = configuration
        configuration.rateLimits = .none
        return try TalariaServer(
            configuration: configuration,
            catalogue: catalogue,
            reader: PhotoReader { bytes, name in
                let image = try ImageCodec.decode(bytes, name: name).image
                guard let code = SpineCode(image) else { throw CheckFailure("\(name) is not one of this check's") }
                note(code, bytes.count)
                return PhotoText(lines: code.lines.map { ReadLine(text: $0) })
            },
            logger: Logger(label: "checks") { _ in SwiftLogNoOpLogHandler() }
        )
    }
}

extension Process {
    /// Starts a program whose input and output nobody has.
    static func start(
        _ program: String,
        _ arguments: [String],
        errors: FileHandle = .standardError
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        return process
    }

    /// Address that a server has written into its port file, once it is there.
    ///
    /// - Throws: `CheckFailure` when the process ends instead.
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
