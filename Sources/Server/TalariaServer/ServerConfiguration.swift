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

    @Option(help: "Seconds for a request's body.")
    package var bodyTimeout = 30.0

    @Option(help: "Seconds that a job's token is valid.")
    package var tokenSeconds = 3_600.0

    @Option(help: "Seconds that results are kept.")
    package var resultSeconds = 7_200.0

    @Option(help: "Seconds between a stream's two 'completed' events; 10 in production.")
    package var secondCompletion = 0.0

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
        for (option, seconds) in [
            ("--ping-seconds", pingSeconds), ("--body-timeout", bodyTimeout),
            ("--token-seconds", tokenSeconds), ("--result-seconds", resultSeconds),
        ] {
            let isValid = seconds > 0 && seconds < 1e6
            try check(isValid, option, seconds, "more than 0 and less than a million seconds")
        }
        let isDelay = (0..<300).contains(secondCompletion)
        try check(isDelay, "--second-completion", secondCompletion, "0 to 300 seconds")
    }
}

/// Limits that no option sets.
package struct ServerLimits: Sendable {
    package var photoBytes = 10 << 20
    package var batchBytes = 50 << 20
    /// Limits of each connection.
    package var connection = HTTPServer.Limits()
    /// A stream without progress ends after this long (S2-27).
    package var streamCeiling = Duration.seconds(300)
    /// Interval between two checks for free space after a disk was full.
    package var storageInterval = Duration.seconds(1)

    package init() {}
}
