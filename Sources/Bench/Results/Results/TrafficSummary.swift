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

    /// Creates the summary of one measurement; nil when no reading's bytes were counted.
    init?(_ records: [SampleRecord]) {
        let traffic = records.compactMap { $0.prediction?.traffic }
        guard !traffic.isEmpty else { return nil }
        func sum(_ part: (Traffic) -> [String: Int]) -> [String: Int] {
            traffic.reduce(into: [:]) { $0.merge(part($1), uniquingKeysWith: +) }
        }
        func total(_ part: (Traffic) -> Int?) -> Int? {
            let counted = traffic.compactMap(part)
            return counted.count == traffic.count ? counted.reduce(0, +) : nil
        }
        scans = traffic.count
        silent = traffic.count { $0.sent == 0 && ($0.wireUp ?? 0) == 0 }
        (up, down) = (sum(\.up), sum(\.down))
        (wireUp, wireDown) = (total(\.wireUp), total(\.wireDown))
        refusedSockets = traffic.compactMap(\.refusedSockets).max()
        largestSent = traffic.map { $0.wireUp ?? $0.sent }.max() ?? 0
    }

    /// Mean of the bytes that a scan sent: over the connection if it was counted, else of all classes.
    package var sentPerScan: Double { Double(wireUp ?? up.values.reduce(0, +)) / Double(scans) }

    package var receivedPerScan: Double { Double(wireDown ?? down.values.reduce(0, +)) / Double(scans) }

    package func sentPerScan(_ content: Traffic.Content) -> Double {
        Double(up[content.rawValue] ?? 0) / Double(scans)
    }
}
