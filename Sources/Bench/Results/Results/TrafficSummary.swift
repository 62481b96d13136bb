package import Harness

/// Bytes that scans sent and received, as their system counted them.
package struct TrafficSummary: Sendable, Equatable, Codable {
    package var scans: Int
    /// Number of scans that sent nothing.
    package var silent: Int
    /// Bytes sent in all scans, by their content: keys as in ``Traffic/Content``.
    package var up: [String: Int]
    package var down: [String: Int]
    /// Bytes over the connection, with headers and encryption and after compression; nil unless every scan counted
    /// them.
    package var wireUp: Int?
    package var wireDown: Int?
    package var largestSent: Int
    /// Network sockets that one process asked for at most, and was refused; nil when the scans were not kept from the
    /// network.
    package var refusedSockets: Int?

    /// Of one scan.
    fileprivate init(_ traffic: Traffic) {
        scans = 1
        silent = traffic.sent == 0 && (traffic.wireUp ?? 0) == 0 ? 1 : 0
        (up, down) = (traffic.up, traffic.down)
        (wireUp, wireDown) = (traffic.wireUp, traffic.wireDown)
        refusedSockets = traffic.refusedSockets
        largestSent = traffic.wireUp ?? traffic.sent
    }

    /// Of one measurement; nil when no reading's bytes were counted.
    init?(_ records: [SampleRecord]) {
        var sum: TrafficSummary?
        for traffic in records.lazy.compactMap({ $0.prediction?.traffic }) { sum.add(traffic) }
        guard let sum else { return nil }
        self = sum
    }

    fileprivate mutating func add(_ other: TrafficSummary) {
        func sum(_ a: Int?, _ b: Int?) -> Int? { a.flatMap { a in b.map { a + $0 } } }
        (scans, silent) = (scans + other.scans, silent + other.silent)
        up.merge(other.up, uniquingKeysWith: +)
        down.merge(other.down, uniquingKeysWith: +)
        (wireUp, wireDown) = (sum(wireUp, other.wireUp), sum(wireDown, other.wireDown))
        refusedSockets = [refusedSockets, other.refusedSockets].compactMap(\.self).max()
        largestSent = max(largestSent, other.largestSent)
    }

    /// Mean of the bytes that a scan sent: over the connection if it was counted, else of all classes.
    package var sentPerScan: Double { Double(wireUp ?? up.values.reduce(0, +)) / Double(scans) }

    package var receivedPerScan: Double { Double(wireDown ?? down.values.reduce(0, +)) / Double(scans) }

    package func sentPerScan(_ content: Traffic.Content) -> Double {
        Double(up[content.rawValue] ?? 0) / Double(scans)
    }
}

extension TrafficSummary? {
    /// Counts the bytes of one scan more.
    mutating func add(_ traffic: Traffic) {
        let one = TrafficSummary(traffic)
        if self?.add(one) == nil { self = one }
    }
}
