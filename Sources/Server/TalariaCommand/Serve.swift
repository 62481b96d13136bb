import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Foundation
import HTTPServer
import SpineReaders
import TalariaServer

extension ServerLog.Level: ExpressibleByArgument {}

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve requests until SIGTERM or SIGINT.",
        discussion: """
            Prints its address when it is ready. Accepted jobs are completed after a restart with the same --data. \
            Manual: Docs/READING.md#the-back-end.
            """
    )

    @Option(help: "Address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "Port; 0 for a free port.")
    var port = 8080

    @Option(help: "File for the address, written when the server is ready.")
    var portFile: String?

    @Option(help: "File of 'spinebench catalogue build'. (default: the built-in one)")
    var catalogue: String?

    @Option(help: "Folder of the job database. (default: a temporary one, deleted at exit)")
    var data: String?

    @Option(help: "Folder of the pictures of open jobs. (default: --data)")
    var images: String?

    @Option(help: "Photos read in parallel, each by several threads.")
    var workers = 1

    @Option(help: "Photos that wait; further ones are answered with 429.")
    var queue = 1

    @Option(help: "Scans, enrichments and other requests per device and minute; off: unlimited.")
    var rateLimit = "120,1200,1200"

    @Option(help: "Seconds between keep-alive events of a stream.")
    var pingSeconds = 30.0

    @Option(help: "Seconds for a request's body.")
    var bodyTimeout = 30.0

    @Option(help: "Seconds without data of a request's body.")
    var bodyIdle = 10.0

    @Option(help: "Seconds that a job's token is valid.")
    var tokenSeconds = 3_600.0

    @Option(help: "Seconds that results are kept.")
    var resultSeconds = 7_200.0

    @Option(help: "Seconds between a stream's two 'completed' events; 10 in production.")
    var secondCompletion = 0.0

    @Option(help: "JSON file of faults to inject, for tests of clients.")
    var faults: String?

    @Flag(help: "Log JSON lines instead of text.")
    var jsonLogs = false

    @Option(help: "Minimum log level.")
    var logLevel = ServerLog.Level.info

    func validate() throws {
        _ = try limits()
        let seconds = [
            ("--ping-seconds", pingSeconds), ("--body-timeout", bodyTimeout), ("--body-idle", bodyIdle),
            ("--token-seconds", tokenSeconds), ("--result-seconds", resultSeconds),
        ]
        for (name, value) in seconds where !(value > 0 && value < 1e6) {
            throw ValidationError("Invalid \(name) \(value): expected more than 0 and less than a million seconds.")
        }
        guard (0..<300).contains(secondCompletion) else {
            throw ValidationError("Invalid --second-completion \(secondCompletion): expected 0 to 300 seconds.")
        }
        let inputs = [catalogue, faults].compactMap(\.self).compactMap(FileIdentity.init)
        if let portFile, let file = FileIdentity(portFile), inputs.contains(file) {
            throw ValidationError("--port-file \(portFile) is also an input file; specify another output file.")
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
        var configuration = try configuration(data: folder.path, images: images)
        configuration.faults = try setUp { try faults.map(FaultPlan.init(path:)) }
        let log = ServerLog(from: logLevel, asJSON: jsonLogs) {
            try? FileHandle.standardError.write(contentsOf: Data($0.utf8))
        }
        if let faults = configuration.faults {
            let names = faults.probabilities.map(\.name).joined(separator: ", ")
            log.warning("FAULT INJECTION IS ON", ["faults": names, "seed": "\(faults.seed)"])
        }
        let reader = try setUp { try EnginePhotoReader() }
        let books = try setUp { try catalogue.map { try BookCatalogue(path: $0) } ?? BookCatalogue.embedded() }
        let server = try setUp { [configuration] in
            let matcher = try CatalogueMatcher(catalogue: books)
            return try TalariaServer(
                configuration: configuration,
                catalogue: books,
                matcher: matcher,
                reader: reader.photoReader(matcher),
                log: log,
                lock: folder.lock
            )
        }
        try setUp { try reader.warmUp() }
        let (host, portFile) = (host, portFile)
        do {
            try await server.run { port in
                let line = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)\n"
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
        configuration.pingInterval = .seconds(pingSeconds)
        configuration.connection.bodyTimeout = .seconds(bodyTimeout)
        configuration.connection.bodyIdleTimeout = .seconds(bodyIdle)
        configuration.tokenLife = .seconds(tokenSeconds)
        configuration.resultLife = .seconds(resultSeconds)
        configuration.secondCompletionDelay = .seconds(secondCompletion)
        return configuration
    }

    private func limits() throws -> RateLimits {
        if rateLimit == "off" { return .none }
        let parts = rateLimit.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.map { part -> Int? in part == "off" ? .max : Int(part) }
        guard numbers.count == 3, numbers.allSatisfy({ $0.map { $0 > 0 } ?? false }) else {
            throw ValidationError(
                "Invalid --rate-limit '\(rateLimit)': expected three numbers such as 120,1200,1200, or 'off'."
            )
        }
        var limits = RateLimits()
        let known = numbers.map { $0 == .max ? nil : $0 }
        (limits.scans, limits.enrichments, limits.others) = (known[0], known[1], known[2])
        return limits
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
