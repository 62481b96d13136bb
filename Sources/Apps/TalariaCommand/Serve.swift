import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Foundation
import Logging
import SpineReaders
import TalariaServer

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answers requests until SIGTERM or SIGINT.",
        discussion: """
            Prints one line with its address once the engine is warm and requests are answered, and writes the same to \
            --port-file. Jobs that were accepted before the process ended, however it ended, are done by the next one \
            with the same --data.

            Ends with 2 when an option or a file that it names is wrong, and with 4 when the machine lacks something: a file, room, or a free port.
            """
    )

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 for any that is free.")
    var port = 8080

    @Option(help: "A file that gets the server's address, one line, once it answers.")
    var portFile: String?

    @Option(help: "The catalogue, as 'spinebench catalogue build' writes it; else the one that comes with the program.")
    var catalogue: String?

    @Option(help: "The folder of the job database; a temporary one, removed at the end, otherwise.")
    var data: String?

    @Option(
        help: "The folder in which 'talaria-pictures' is made, for the pictures of open jobs; that of --data otherwise."
    )
    var images: String?

    @Option(help: "Photos that are read at the same time; each reading uses several threads.")
    var workers = 1

    @Option(help: "Photos that may wait; one more is answered with 429. More means longer waits for all.")
    var queue = 1

    @Option(help: "Requests per device and minute: SCANS,ENRICHMENTS,OTHERS, each a number or 'off'; or 'off'.")
    var rateLimit = "120,1200,1200"

    @Option(help: "The form of the answer to an upload: both, seed, 2026-02, 3.5 or 3.9.", transform: Serve.generation)
    var generation = ServerConfiguration.AnswerGeneration.both

    @Option(help: "Seconds between two signs of life in a stream.")
    var pingSeconds = 30.0

    @Option(help: "Seconds in which the body of a request must arrive.")
    var bodyTimeout = 30.0

    @Option(help: "Seconds that may go by without any of a body that is to come.")
    var bodyIdle = 10.0

    @Option(help: "Seconds that a job's token is good for.")
    var tokenSeconds = 3_600.0

    @Option(help: "Seconds that results are kept.")
    var resultSeconds = 7_200.0

    @Option(help: "Seconds between the two 'completed' events of a stream; 10 in the field.")
    var secondCompletion = 0.0

    @Option(help: "A JSON file of faults to inject, for tests of clients only.")
    var faults: String?

    @Option(help: "The certificate chain (PEM); with --tls-key the server speaks HTTPS.")
    var tlsCertificate: String?

    @Option(help: "The private key (PEM).")
    var tlsKey: String?

    @Option(
        help:
            "A file that gets a certificate (PEM) made for this process, good for clients on this machine; HTTPS as well."
    )
    var tlsSelfSigned: String?

    @Flag(help: "Log lines of JSON instead of text.")
    var jsonLogs = false

    @Option(help: "The least level that is logged: trace, debug, info, warning or error.", transform: Serve.level)
    var logLevel = Logger.Level.info

    func validate() throws {
        _ = try limits()
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key go together; give both or neither.")
        }
        guard tlsSelfSigned == nil || tlsKey == nil else {
            throw ValidationError("--tls-self-signed makes a certificate and a key; leave yours away.")
        }
        let seconds = [
            ("--ping-seconds", pingSeconds), ("--body-timeout", bodyTimeout), ("--body-idle", bodyIdle),
            ("--token-seconds", tokenSeconds), ("--result-seconds", resultSeconds),
        ]
        for (name, value) in seconds where !(value > 0 && value < 1e6) {
            throw ValidationError("\(name) is \(value); expected more than 0 and less than a million seconds.")
        }
        guard (0..<300).contains(secondCompletion) else {
            throw ValidationError("--second-completion is \(secondCompletion); expected 0 to 300 seconds.")
        }
        let inputs = [catalogue, faults, tlsCertificate, tlsKey].compactMap(\.self).compactMap(FileIdentity.init)
        if let portFile, let file = FileIdentity(portFile), inputs.contains(file) {
            throw ValidationError(
                "--port-file \(portFile) is a file that is read here; name another one to be written."
            )
        }
        do {
            try configuration(data: "unused", images: "unused").validate()
        } catch {
            throw ValidationError("\(error)")
        }
    }

    func run() async throws {
        let folder = try setUp { try DataFolder(path: data) }
        defer { folder.removeIfTemporary() }
        let configuration = try resolved(configuration(data: folder.path, images: images))
        let logger = logger()
        if let faults = configuration.faults {
            let names = faults.probabilities.map(\.name).joined(separator: ", ")
            logger.warning("FAULT INJECTION IS ON", metadata: ["faults": "\(names)", "seed": "\(faults.seed)"])
        }
        let reader = try setUp { try EnginePhotoReader() }
        let books = try setUp { try catalogue.map { try BookCatalogue(path: $0) } ?? BookCatalogue.embedded() }
        let server = try setUp {
            let matcher = try CatalogueMatcher(catalogue: books)
            return try TalariaServer(
                configuration: configuration,
                catalogue: books,
                matcher: matcher,
                reader: reader.photoReader(matcher),
                logger: logger,
                lock: folder.lock
            )
        }
        try setUp { try reader.warmUp() }
        let (host, portFile, scheme) = (host, portFile, configuration.tls == nil ? "http" : "https")
        do {
            try await server.run { port in
                let line = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)\n"
                StandardOutput.write("talaria listens on \(line)")
                if let portFile { try? Data(line.utf8).write(to: URL(filePath: portFile), options: .atomic) }
            }
        } catch {
            try setUp { throw error }
        }
    }

    // MARK: Options

    private func configuration(data: String, images: String?) throws -> ServerConfiguration {
        var configuration = ServerConfiguration(dataDirectory: data, imageDirectory: images)
        configuration.host = host
        configuration.port = port
        configuration.workers = workers
        configuration.queueLimit = queue
        configuration.rateLimits = try limits()
        configuration.generation = generation
        configuration.pingInterval = .seconds(pingSeconds)
        configuration.bodyTimeout = .seconds(bodyTimeout)
        configuration.bodyIdleTimeout = .seconds(bodyIdle)
        configuration.tokenLife = .seconds(tokenSeconds)
        configuration.resultLife = .seconds(resultSeconds)
        configuration.secondCompletionDelay = .seconds(secondCompletion)
        return configuration
    }

    private func resolved(_ configuration: ServerConfiguration) throws -> ServerConfiguration {
        var configuration = configuration
        configuration.faults = try setUp { try faults.map(FaultPlan.init(path:)) }
        if let tlsCertificate, let tlsKey {
            configuration.tls = TLSFiles(certificate: tlsCertificate, key: tlsKey)
        }
        if let tlsSelfSigned {
            let folder = configuration.dataDirectory
            configuration.tls = try setUp { try SelfSignedCertificate.write(to: tlsSelfSigned, keyIn: folder) }
        }
        return configuration
    }

    private func limits() throws -> RateLimits {
        if rateLimit == "off" { return .none }
        let parts = rateLimit.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.map { part -> Int? in part == "off" ? .max : Int(part) }
        guard numbers.count == 3, numbers.allSatisfy({ $0.map { $0 > 0 } ?? false }) else {
            throw ValidationError(
                "--rate-limit is '\(rateLimit)'; expected three numbers such as 120,1200,1200, or 'off'."
            )
        }
        var limits = RateLimits()
        let known = numbers.map { $0 == .max ? nil : $0 }
        (limits.scans, limits.enrichments, limits.others) = (known[0], known[1], known[2])
        return limits
    }

    private static func generation(_ text: String) throws -> ServerConfiguration.AnswerGeneration {
        guard let generation = ServerConfiguration.AnswerGeneration(rawValue: text) else {
            let names = ServerConfiguration.AnswerGeneration.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(text)' is no generation; expected one of \(names).")
        }
        return generation
    }

    private static func level(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            let names = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(text)' is no level; expected one of \(names).")
        }
        return level
    }

    private func logger() -> Logger {
        var logger =
            jsonLogs
            ? Logger(label: "talaria") { label in
                JSONLineLogHandler(label: label) { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) }
            }
            : Logger(label: "talaria") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = logLevel
        return logger
    }

    /// Runs `body`, and reports errors of the named files or missing requirements of the machine.
    private func setUp<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            TalariaCommand.standardError("Error: \(error.systemReason)")
            let isOfInput = (error as? TalariaServerError)?.isOfInput ?? false
            throw (isOfInput ? ExitStatus.wrongInput : .environment).exitCode
        }
    }
}
