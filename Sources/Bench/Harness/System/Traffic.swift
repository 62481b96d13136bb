/// The bytes that a scan sent and received.
package struct Traffic: Sendable, Equatable, Codable {
    /// Information about the user in transferred bytes.
    package enum Content: String, Sendable, Codable, CaseIterable {
        case image
        /// Text read off a spine, and data of its book.
        case text
        /// Identifiers of users, devices and jobs.
        case id
        /// All other bytes: request lines, headers, the framing of messages.
        case control
    }

    /// Bytes sent, by their content: keys as in ``Content``.
    package var up: [String: Int]
    /// Bytes received, likewise.
    package var down: [String: Int]
    /// Bytes sent over the connection, as far as the system sees them: after compression, with headers and encryption.
    ///
    /// Nil when it does not count them.
    package var wireUp: Int?
    package var wireDown: Int?
    /// Network sockets that the process has asked for since it began, of which it got none; nil when it may have some.
    ///
    /// See ``NetworkGuard``.
    package var refusedSockets: Int?

    /// Creates the traffic of a process without network access.
    package init(refusedSockets: Int) {
        self.init(wireUp: 0, wireDown: 0)
        self.refusedSockets = refusedSockets
    }

    package init(up: [String: Int] = [:], down: [String: Int] = [:], wireUp: Int? = nil, wireDown: Int? = nil) {
        self.up = up
        self.down = down
        self.wireUp = wireUp
        self.wireDown = wireDown
    }

    package var sent: Int { up.values.reduce(0, +) }

    package var received: Int { down.values.reduce(0, +) }
}
