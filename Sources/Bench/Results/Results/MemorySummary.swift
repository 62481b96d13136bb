package import Basics
package import Harness

/// Memory of a measurement in bytes, as both figures of ``MemoryReading``.
package struct MemorySummary: Sendable, Equatable, Codable {
    /// A figure: the largest peak of several workers, and else the first worker's.
    package struct Level: Sendable, Equatable, Codable {
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

        fileprivate init(
            _ level: KeyPath<MemoryReading, MemoryReading.Level?>,
            _ events: [RunEvent],
            _ records: [SampleRecord],
            orAbsent none: String
        ) {
            func figure(_ bytes: Int?) -> Figure { bytes.map { .value(Double($0)) } ?? .absent(none) }
            let began = events.filter { $0.kind == .began }
            let readings = records.compactMap { $0.memory?[keyPath: level] }
            atStart = figure(events.first { $0.kind == .ready }?.memory?[keyPath: level]?.bytes)
            before = figure(began.first?.memory?[keyPath: level]?.bytes)
            after = figure(readings.last?.bytes)
            peakBefore = figure(began.compactMap { $0.memory?[keyPath: level]?.peak }.max())
            let whole = readings.map(\.peak).max()
            let isReset = began.allSatisfy { $0.peakWasReset == true }
            peakReading = isReset ? figure(whole) : .absent("the kernel does not reset the peak")
            if peakReading.value == nil, let whole {
                // The counter ran through: its last value is the peak of the whole life.
                peakBefore = .value(max(Double(whole), peakBefore.value ?? 0))
            }
            delta = Self.difference(after, before)
            peakDelta = Self.difference(peakReading, before)
            peak = [peakBefore.value, peakReading.value].compactMap(\.self).max().map { .value($0) } ?? peakReading
        }

        fileprivate init(absent none: Figure) {
            (atStart, before, after, peakBefore, peakReading) = (none, none, none, none, none)
            (delta, peakDelta, peak) = (none, none, none)
        }

        private static func difference(_ a: Figure, _ b: Figure) -> Figure {
            a.value.map { first in b.map { first - $0 } } ?? a
        }
    }

    package var footprint: Level
    package var resident: Level
    /// Figure of versions until 28 November 2026; nil for runs since.
    package var earlier: Level?

    /// Reason why a record of versions until 28 November 2026 has neither figure.
    package static let redefined =
        "its memory was taken by another definition, of versions until 28 November 2026: measure it again"

    package init(events: [RunEvent], records: [SampleRecord]) {
        let isEarlier = records.contains { $0.memory?.earlier != nil }
        let none = isEarlier ? Self.redefined : "not reported by the system"
        footprint = Level(\.footprint, events, records, orAbsent: none)
        resident = Level(\.resident, events, records, orAbsent: none)
        earlier = isEarlier ? Level(\.earlier, events, records, orAbsent: none) : nil
        // Files of readings made elsewhere state what counts against the app's limit.
        let stated = records.compactMap(\.stated)
        if let last = stated.last(where: { $0.memory != nil })?.memory { footprint.delta = .value(last * 1e6) }
        if let most = stated.compactMap(\.memoryPeak).max() { footprint.peakDelta = .value(most * 1e6) }
    }

    /// Reads reports of versions until 28 November 2026 too, which have the figures of one definition.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(absent: .absent(Self.redefined))
        if values.contains(.footprint) {
            footprint = try values.decode(Level.self, forKey: .footprint)
            resident = try values.decode(Level.self, forKey: .resident)
            earlier = try values.decodeIfPresent(Level.self, forKey: .earlier)
        } else {
            earlier = try Level(from: decoder)
        }
    }

    init(absent none: Figure) { (footprint, resident) = (Level(absent: none), Level(absent: none)) }

    /// The footprint, or the figure of earlier versions where that is all there is.
    package var counted: Level { earlier ?? footprint }
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
