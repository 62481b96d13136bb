package import Basics
import Harness

/// Resident memory of a measurement's process, in bytes.
///
/// Of several workers the largest peak counts, and else the first one.
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

    /// Creates the summary of one measurement from its events in chronological order.
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
    }

    /// Creates a summary without figures, for a reason.
    init(absent none: Figure) {
        (atStart, before, after, peakBefore, peakReading) = (none, none, none, none, none)
        (delta, peakDelta, peak) = (none, none, none)
    }

    private static func difference(_ a: Figure, _ b: Figure) -> Figure {
        a.value.map { first in b.map { first - $0 } } ?? a
    }
}
