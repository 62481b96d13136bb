/// The sums of many sessions; whole numbers only, so that shards merge to the same bytes in any order.
package struct SessionTally: Sendable, Equatable, Codable {
    package var sessions = 0

    /// None.
    package init() {}

    /// Adds a session.
    package mutating func add(_ outcome: SessionOutcome) { sessions += 1 }

    /// Adds what another one has.
    package mutating func merge(_ other: SessionTally) { sessions += other.sessions }
}
