import Basics
import Evaluation
import Harness

/// Latencies of a measurement on one of the machines that a merged run was read on.
package struct MachineLatency: Sendable, Equatable, Codable {
    package var machine: String
    package var latency: LatencySummary
}

extension MeasurementResult {
    /// Whether several machines read it: its latencies are those of each machine, and pooled nowhere.
    package var isOfSeveralMachines: Bool { (machines?.count ?? 0) > 1 }

    /// Replaces latencies over all readings by those of each machine; leaves those of a single machine as they are.
    mutating func separate(_ machines: [String], _ records: [SampleRecord], _ method: PercentileMethod) {
        let byMachine = Dictionary(grouping: records) { $0.machine ?? 0 }.sorted { $0.key < $1.key }
        self.machines = byMachine.map { index, own in
            MachineLatency(
                machine: machines.indices.contains(index) ? machines[index] : "unknown",
                latency: LatencySummary(own, method: method)
            )
        }
        guard isOfSeveralMachines else { return }
        let reason = "read on \(byMachine.count) machines"
        for index in categories.indices {
            categories[index].latency = LatencySummary(absent: reason, like: categories[index].latency)
            categories[index].milestones = nil
            categories[index].shelves?.millisecondsPerBook = .absent(reason)
        }
    }
}

extension LatencySummary {
    /// Latencies of records.
    init(_ records: [SampleRecord], method: PercentileMethod) {
        self.init(
            milliseconds: records.filter { $0.outcome == .read }.compactMap(\.milliseconds),
            timeouts: records.count { $0.outcome == .timedOut },
            samples: Set(records.map(\.id)).count,
            method: method
        )
    }

    /// The numbers of readings alone, with a reason for the lack of every figure.
    init(absent reason: String, like other: LatencySummary) {
        self.init(milliseconds: [])
        (count, timeouts) = (other.count, other.timeouts)
        takeAway(reason)
    }
}
