package import Basics
package import Harness

/// Resident memory in bytes: the largest peak of several workers, and else the first worker's.
package struct MemorySummary: Sendable, Equatable, Codable {
    package var atStart: Figure
    /// Loaded and warm, before the first counted reading.
    package var before: Figure
    package var after: Figure
    /// The most while loading and warming up.
    package var peakBefore: Figure
    /// The most during the counted readings.
    package var peakReading: Figure

    /// Growth of the memory during the readings; may be negative.
    package var delta: Figure
    /// Peak during the readings less the memory before: the readings' use.
    package var peakDelta: Figure
    /// Peak in the life of the process, which is judged.
    package var peak: Figure

    init(events: [RunEvent], records: [SampleRecord]) {
        func figure(_ bytes: Int?) -> Figure {
            bytes.map { .value(Double($0)) } ?? .absent("not reported by the system")
        }
        let began = events.filter { $0.kind == .began }
        let readings = records.compactMap(\.memory)
        atStart = figure(events.first { $0.kind == .ready }?.memory?.residentBytes)
        before = figure(began.first?.memory?.residentBytes)
        after = figure(readings.last?.residentBytes)
        peakBefore = figure(began.compactMap { $0.memory?.peakBytes }.max())
        let whole = readings.map(\.peakBytes).max()
        peakReading =
            began.allSatisfy { $0.peakWasReset == true } ? figure(whole) : .absent("the kernel does not reset the peak")
        if peakReading.value == nil, let whole {
            // The counter ran through: its last value is the peak of the whole life.
            peakBefore = .value(max(Double(whole), peakBefore.value ?? 0))
        }
        delta = Self.difference(after, before)
        peakDelta = Self.difference(peakReading, before)
        peak = [peakBefore.value, peakReading.value].compactMap(\.self).max().map { .value($0) } ?? peakReading
        let stated = records.compactMap(\.stated)
        if let last = stated.last(where: { $0.memory != nil })?.memory { delta = .value(last * 1e6) }
        if let most = stated.compactMap(\.memoryPeak).max() { peakDelta = .value(most * 1e6) }
    }

    init(absent none: Figure) {
        (atStart, before, after, peakBefore, peakReading) = (none, none, none, none, none)
        (delta, peakDelta, peak) = (none, none, none)
    }

    private static func difference(_ a: Figure, _ b: Figure) -> Figure {
        a.value.map { first in b.map { first - $0 } } ?? a
    }
}

/// Bytes that scans sent and received, as their system counted them.
package struct TrafficSummary: Sendable, Equatable, Codable {
    package var scans: Int
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

    fileprivate init(_ traffic: Traffic) {
        scans = 1
        silent = traffic.sent == 0 && (traffic.wireUp ?? 0) == 0 ? 1 : 0
        (up, down) = (traffic.up, traffic.down)
        (wireUp, wireDown) = (traffic.wireUp, traffic.wireDown)
        refusedSockets = traffic.refusedSockets
        largestSent = traffic.wireUp ?? traffic.sent
    }

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
    mutating func add(_ traffic: Traffic) {
        let one = TrafficSummary(traffic)
        if self?.add(one) == nil { self = one }
    }
}
