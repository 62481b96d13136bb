import Foundation
package import HTTPServer

/// Everything that decides how the server answers, resolved once.
package struct ServerConfiguration: Sendable {
    package var host = "127.0.0.1"
    /// 0 for any free one.
    package var port = 0
    package var dataDirectory: String
    package var imageDirectory: String
    package var workers = 1
    /// Photos that may wait while all workers are busy; one more is answered with 429.
    ///
    /// An accepted job then waits for at most `queueLimit / workers` others, which bounds its time under any load.
    package var queueLimit = 1
    package var limits = RequestLimits()
    package var rateLimits = RateLimits()
    /// Limits of each connection.
    package var connection = HTTPServer.Limits()
    /// Interval between two checks for free space after a disk was full.
    package var storageInterval = Duration.seconds(1)
    /// Interval between two pings in a stream (S2-34).
    package var pingInterval = Duration.seconds(30)
    /// A stream without progress ends after this long (S2-27).
    package var streamCeiling = Duration.seconds(300)
    /// Delay between the first and the second `completed` event.
    package var secondCompletionDelay = Duration.zero
    package var tokenLife = Duration.seconds(3_600)
    package var resultLife = Duration.seconds(7_200)
    package var purgeInterval = Duration.seconds(60)
    /// nil for a server without any.
    package var faults: FaultPlan?

    /// Creates a server on a free loopback port; the pictures are beside the database unless specified.
    package init(dataDirectory: String, imageDirectory: String? = nil) {
        self.dataDirectory = dataDirectory
        self.imageDirectory = imageDirectory ?? dataDirectory
    }

    package func validate() throws {
        func check(_ good: Bool, _ name: String, _ value: some Any, _ expected: String) throws {
            if !good { throw TalariaServerError.option(name: name, value: "\(value)", expected: expected) }
        }
        try check((0...65_535).contains(port), "--port", port, "0 (any free one) to 65535")
        try check((1...64).contains(workers), "--workers", workers, "1 to 64")
        try check((1...100_000).contains(queueLimit), "--queue", queueLimit, "1 to 100000 photos")
        try check(pingInterval > .zero, "--ping-seconds", pingInterval, "more than 0")
        try check(connection.bodyTimeout > .zero, "--body-timeout", connection.bodyTimeout, "more than 0")
        try check(connection.bodyIdleTimeout > .zero, "--body-idle", connection.bodyIdleTimeout, "more than 0")
    }
}

package struct RequestLimits: Sendable, Equatable {
    package var photos = 5
    package var photoBytes = 10 << 20
    package var batchBytes = 50 << 20
    package var textBytes = 64 << 10
    package var urlBytes = 8 << 10
    /// Maximum number of characters of a text; longer ones are not on a spine.
    package var textCharacters = 5_000
    /// Maximum number of characters of a line of text; longer ones are not on a spine.
    package var lineCharacters = 500
    /// Characters of a catalogue query.
    package var queryCharacters = 500

    package init() {}
}
