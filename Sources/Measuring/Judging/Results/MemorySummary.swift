package import Basics
package import Harness

/// What a measurement's process held resident, in bytes.
///
/// Of several workers the largest peak counts, and else the first one.
package struct MemorySummary: Sendable, Equatable, Codable {
    /// Before the variant was loaded.
    package var atStart: Figure
    /// Loaded and warm, before the first counted reading.
    package var before: Figure
    /// After the last reading.
    package var after: Figure
    /// The most while loading and warming up.
    package var peakBefore: Figure
    /// The most during the counted readings.
    package var peakReading: Figure

    /// After less before: what the readings left behind.
    ///
    /// May be negative.
    package var delta: Figure
    /// Peak during the readings less before: what the readings took.
    package var peakDelta: Figure
    /// The most in the life of the process: what is judged.
    package var peak: Figure

    /// - Parameters:
    ///   - events: of one measurement, in the order in which they happened.
    ///   - records: of the same measurement, likewise.
    package init(events: [RunEvent], records: [SampleRecord]) {
        let unknown = "the system does not say"
        func figure(_ bytes: Int?) -> Figure { bytes.map { .value(Double($0)) } ?? .absent(unknown) }
        let began = events.filter { $0.kind == .began }
        let readings = records.compactMap(\.memory)
        let atStart = figure(events.first { $0.kind == .ready }?.memory?.residentBytes)
        let before = figure(began.first?.memory?.residentBytes)
        let after = figure(readings.last?.residentBytes)
        var peakBefore = figure(began.compactMap { $0.memory?.peakBytes }.max())
        let peakReading =
            began.allSatisfy { $0.peakWasReset == true }
            ? figure(readings.map(\.peakBytes).max())
            : .absent("the kernel does not reset the peak")
        if peakReading.value == nil, let whole = readings.map(\.peakBytes).max() {
            // The counter ran through: its last value is the peak of the whole life.
            peakBefore = .value(max(Double(whole), peakBefore.value ?? 0))
        }
        self.init(
            atStart: atStart,
            before: before,
            after: after,
            peakBefore: peakBefore,
            peakReading: peakReading
        )
    }

    /// - Parameter none: Why there is no figure.
    init(absent none: Figure) {
        self.init(atStart: none, before: none, after: none, peakBefore: none, peakReading: none)
    }

    private init(atStart: Figure, before: Figure, after: Figure, peakBefore: Figure, peakReading: Figure) {
        self.atStart = atStart
        self.before = before
        self.after = after
        self.peakBefore = peakBefore
        self.peakReading = peakReading
        delta = Self.difference(after, before)
        peakDelta = Self.difference(peakReading, before)
        peak = [peakBefore.value, peakReading.value].compactMap(\.self).max().map { .value($0) } ?? peakReading
    }

    private static func difference(_ a: Figure, _ b: Figure) -> Figure {
        guard let first = a.value else { return a }
        return b.map { first - $0 }
    }
}
