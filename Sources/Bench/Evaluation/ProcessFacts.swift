package import Basics

/// What is known of a measurement as a whole, beside its readings.
package struct ProcessFacts: Sendable {
    package var memory: MemorySummary
    package var coldStart: ColdStart
    /// Nil when the system does not count it.
    package var traffic: TrafficSummary?
    /// Times of fresh processes until the first text, and the longest load; nil in other scenarios.
    package var firstText: LatencySummary?
    package var longestLoad: Figure?

    package init(memory: MemorySummary, coldStart: ColdStart, traffic: TrafficSummary?) {
        (self.memory, self.coldStart, self.traffic) = (memory, coldStart, traffic)
    }
}

/// Times until a variant is of use, by the harness's clock; of several workers, the first one counts.
package struct ColdStart: Sendable, Equatable, Codable {
    /// Loading the variant, inside its process, in milliseconds.
    package var modelLoad: Figure
    /// Time from just before the process was started until it reported the variant as loaded, in milliseconds.
    package var untilReady: Figure
    /// Time from just before the process was started until its first reading, in milliseconds.
    package var untilFirstReading: Figure
    /// Time until everything was loaded, of a process that had to compile all networks first; absent when some may
    /// have existed before, nil when nothing is compiled.
    package var firstStart: Figure?

    package init(modelLoad: Figure, untilReady: Figure, untilFirstReading: Figure) {
        (self.modelLoad, self.untilReady, self.untilFirstReading) = (modelLoad, untilReady, untilFirstReading)
    }
}

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
            _ taken: Taken,
            orAbsent none: String
        ) {
            func figure(_ bytes: Int?) -> Figure { bytes.map { .value(Double($0)) } ?? .absent(none) }
            let readings = taken.readings.compactMap { $0[keyPath: level] }
            atStart = figure(taken.ready?[keyPath: level]?.bytes)
            before = figure(taken.began.first.flatMap { $0?[keyPath: level]?.bytes })
            after = figure(readings.last?.bytes)
            peakBefore = figure(taken.began.compactMap { $0?[keyPath: level]?.peak }.max())
            let whole = readings.map(\.peak).max()
            let isReset = taken.isPeakReset
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

    /// What was taken of the processes: when the first was loaded, before the counted readings of each, and after readings.
    package struct Taken {
        package var ready: MemoryReading?
        package var began: [MemoryReading?]
        /// Whether the peak began anew before all counted readings.
        package var isPeakReset: Bool
        package var readings: [MemoryReading]

        package init(ready: MemoryReading?, began: [MemoryReading?], isPeakReset: Bool, readings: [MemoryReading]) {
            (self.ready, self.began) = (ready, began)
            (self.isPeakReset, self.readings) = (isPeakReset, readings)
        }
    }

    package init(_ taken: Taken) {
        let isEarlier = taken.readings.contains { $0.earlier != nil }
        let none = isEarlier ? Self.redefined : "not reported by the system"
        footprint = Level(\.footprint, taken, orAbsent: none)
        resident = Level(\.resident, taken, orAbsent: none)
        earlier = isEarlier ? Level(\.earlier, taken, orAbsent: none) : nil
    }

    package init(absent none: Figure) { (footprint, resident) = (Level(absent: none), Level(absent: none)) }

    /// The footprint, or the figure of earlier versions where that is all there is.
    package var counted: Level { earlier ?? footprint }
}

/// Bytes that scans sent and received, as their system counted them.
package struct TrafficSummary: Sendable, Equatable, Codable {
    package var scans: Int
    package var silent: Int
    /// Bytes sent in all scans, by their content: image, text, id, control.
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

    /// Creates the summary of the scans whose bytes were counted; nil without any.
    package init?(_ records: [SampleRecord]) {
        let counted = records.compactMap { $0.prediction?.traffic }
        func total(_ bytes: KeyPath<Traffic, [String: Int]>) -> [String: Int] {
            counted.reduce(into: [:]) { $0.merge($1[keyPath: bytes], uniquingKeysWith: +) }
        }
        func total(_ bytes: KeyPath<Traffic, Int?>) -> Int? {
            counted.contains { $0[keyPath: bytes] == nil } ? nil : counted.reduce(0) { $0 + ($1[keyPath: bytes] ?? 0) }
        }
        guard let largest = counted.map({ $0.wireUp ?? $0.sent }).max() else { return nil }
        (scans, largestSent) = (counted.count, largest)
        silent = counted.count { $0.sent == 0 && $0.wireUp ?? 0 == 0 }
        (up, down, wireUp, wireDown) = (total(\.up), total(\.down), total(\.wireUp), total(\.wireDown))
        refusedSockets = counted.compactMap(\.refusedSockets).max()
    }

    /// Mean of the bytes that a scan sent: over the connection if it was counted, else of all classes.
    package var sentPerScan: Double { Double(wireUp ?? up.values.reduce(0, +)) / Double(scans) }

    package var receivedPerScan: Double { Double(wireDown ?? down.values.reduce(0, +)) / Double(scans) }

    package func sentPerScan(_ content: String) -> Double {
        Double(up[content] ?? 0) / Double(scans)
    }
}
