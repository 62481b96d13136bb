import Basics
package import DeviceSimulation
import Evaluation
import Foundation
package import Harness

extension RunContents {
    /// The measurements whose variants have a tier, as far as devices need them.
    ///
    /// Only spines that are read one after the other: elsewhere readings wait for each other.
    ///
    /// - Parameter setup: how a variant is used, and its reader's key in the calibration; nil for one without networks.
    /// - Returns: in the run's order.
    package func subjects(
        _ setup: (Variant) throws -> (plan: SessionPlan, reader: String?)
    ) rethrows -> [AssessmentSubject] {
        let records = Dictionary(grouping: records, by: \.measurement)
        let labels = samples
        return try result.measurements.compactMap { measurement in
            guard let tier = measurement.variant.tier, measurement.scenario.kind == .single else { return nil }
            let own = records[measurement.id] ?? []
            let targets = result.configuration.targets.filter { $0.holds(for: tier) }
            var (plan, reader) = try setup(measurement.variant)
            let memory = measurement.memory.peak.value.map { $0 / 1e6 }
            plan.memory = memory ?? plan.memory
            return AssessmentSubject(
                name: measurement.id,
                tier: tier,
                readings: own.compactMap { record in
                    let score = labels.sample(of: record).flatMap { label in
                        record.text.map { SampleScore($0, against: label.sample) }
                    }
                    return HostReading(record, isTitleRead: score?.title.isRead ?? false)
                },
                unanswered: own.count { $0.outcome != .read && $0.outcome != .notAttempted },
                samples: Set(own.filter { $0.outcome != .notAttempted }.map(\.id)).count,
                method: result.configuration.percentileMethod,
                memory: memory,
                reader: reader,
                plan: plan,
                targets: targets.filter { $0.category == nil && ($0.metric.percent != nil || $0.metric == .peakMemory) }
            )
        }
    }
}
