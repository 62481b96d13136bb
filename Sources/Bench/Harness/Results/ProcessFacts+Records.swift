package import Basics
package import Evaluation

extension LatencySummary {
    package init(_ records: [SampleRecord], method: PercentileMethod) {
        self.init(
            milliseconds: records.filter { $0.outcome == .read }.compactMap(\.milliseconds),
            timeouts: records.count { $0.outcome == .timedOut },
            samples: Set(records.map(\.id)).count,
            method: method
        )
    }
}

extension ColdStart {
    init(events: [RunEvent]) {
        func figure(_ value: Double?) -> Figure { value.map { .value($0) } ?? .absent("no worker reached it") }
        let ready = events.first { $0.kind == .ready }
        self.init(
            modelLoad: figure(ready?.modelLoadMilliseconds),
            untilReady: figure(ready?.sinceProcessStartMilliseconds),
            untilFirstReading: figure(events.first { $0.kind == .firstReading }?.sinceProcessStartMilliseconds)
        )
    }
}

extension MemorySummary {
    package init(events: [RunEvent], records: [SampleRecord]) {
        let began = events.filter { $0.kind == .began }
        self.init(
            Taken(
                ready: events.first { $0.kind == .ready }?.memory,
                began: began.map(\.memory),
                isPeakReset: began.allSatisfy { $0.peakWasReset == true },
                readings: records.compactMap(\.memory)
            )
        )
        // Files of readings made elsewhere state what counts against the app's limit.
        let stated = records.compactMap(\.stated)
        if let last = stated.last(where: { $0.memory != nil })?.memory { footprint.delta = .value(last * 1e6) }
        if let most = stated.compactMap(\.memoryPeak).max() { footprint.peakDelta = .value(most * 1e6) }
    }
}
