package import ArgumentParser
package import HTTPServer

/// Options that decide how the server answers.
package struct ServerConfiguration: ParsableArguments, Sendable {
    @Option(help: "Address to listen on.")
    package var host = "127.0.0.1"

    @Option(help: "Port; 0 for a free port.")
    package var port = 8080

    @Option(help: "Folder of the job database. (default: in memory, lost at exit)")
    package var data: String?

    @Option(help: "Photos read in parallel, each by several threads.")
    package var workers = 1

    @Option(help: "Photos that wait; further ones are answered with 429.")
    package var queue = 1

    @Option(help: "Scans, enrichments and other requests per device and minute; off: unlimited.")
    package var rateLimit = "120,1200,1200"

    @Option(help: "Seconds between keep-alive events of a stream.")
    package var pingSeconds = 30.0

    package init() {}

    package func validate() throws {
        func check(_ isValid: Bool, _ option: String, _ value: some Any, _ expected: String) throws {
            if !isValid { throw ValidationError("Invalid \(option) \(value): expected \(expected).") }
        }
        try check((0...65_535).contains(port), "--port", port, "0 (any free one) to 65535")
        try check((1...64).contains(workers), "--workers", workers, "1 to 64")
        try check((1...100_000).contains(queue), "--queue", queue, "1 to 100000 photos")
        let isRate = RateLimiter(rateLimit) != nil
        try check(isRate, "--rate-limit", "'\(rateLimit)'", "three numbers such as 120,1200,1200, or 'off'")
        let isPing = pingSeconds > 0 && pingSeconds < 1e6
        try check(isPing, "--ping-seconds", pingSeconds, "more than 0 and less than a million seconds")
    }
}

/// Limits that no option sets.
package struct ServerLimits: Sendable {
    package var photoBytes = 10 << 20
    package var batchBytes = 50 << 20
    /// Limits of each connection.
    package var connection = HTTPServer.Limits()
    /// Time that a job's token is valid, and that its results are kept.
    package var (tokenLife, resultLife) = (Duration.seconds(3_600), Duration.seconds(7_200))
    /// A stream without progress ends after this long (S2-27).
    package var streamCeiling = Duration.seconds(300)
    /// Time after which a job is tried again that could not be stored, as on a full disk.
    package var storageInterval = Duration.seconds(10)

    package init() {}
}
