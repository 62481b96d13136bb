import Evaluation
package import Harness
import SpineDatasets

extension ReadingErrors {
    /// Returns the errors of each measurement of runs, whose readings of the same dataset are witnesses for each other, by
    /// its id, with its run's name where several have the same id.
    package static func of(_ runs: [RunContents]) -> [(id: String, errors: ReadingErrors)] {
        var witnesses: [String: [String: [FaultJudge.Witness]]] = [:]
        var samples: [String: [Sample]] = [:]
        for run in runs {
            let variants = Dictionary(run.result.measurements.map { ($0.id, $0.variant) }) { $1 }
            for dataset in run.datasets { samples[dataset.digest] = dataset.samples + dataset.pictures(of: .shelves) }
            let index = run.samples
            var seen: Set<SampleRecord.Key> = []
            for record in run.records where record.outcome == .read {
                guard let variant = variants[record.measurement], let digest = index.sample(of: record)?.digest,
                    seen.insert(.init(measurement: record.measurement, repetition: 1, id: record.id)).inserted
                else { continue }
                witnesses[digest, default: [:]][record.id, default: []].append(.init(variant, record))
            }
        }
        let judges = Dictionary(
            uniqueKeysWithValues: samples.map { ($0, FaultJudge($1, witnesses[$0] ?? [:])) }
        )
        let ids = runs.flatMap { $0.result.measurements.map(\.id) }
        return runs.flatMap { run in
            let (index, records) = (run.samples, Dictionary(grouping: run.records, by: \.measurement))
            return run.result.measurements.map { measurement in
                let dataset = run.datasets.first { $0.manifest.name == measurement.dataset }
                let judge = dataset.flatMap { judges[$0.digest] }
                var errors = ReadingErrors()
                var judged: Set<String> = []
                // A spine that failed once has failed.
                let own = (records[measurement.id] ?? []).sorted {
                    ($0.outcome == .read ? 1 : 0, $0.repetition) < ($1.outcome == .read ? 1 : 0, $1.repetition)
                }
                for record in own {
                    let sample = index.sample(of: record)?.sample
                    if let sample, sample.shelf == nil, record.repetition == 1 {
                        errors.add(record.prediction, of: sample)
                    }
                    guard record.outcome != .read || record.repetition == 1, judged.insert(record.id).inserted else {
                        continue
                    }
                    let traits = sample.flatMap { dataset?.traits[$0.image] }
                    errors.faults += [judge?.fault(of: record, by: measurement.variant.name, traits)].compactMap(\.self)
                }
                errors.faults += run.lostSamples(of: measurement.id).filter { id in
                    !errors.faults.contains { $0.id == id }
                }.map {
                    SpineFault(
                        id: $0,
                        owner: .harness,
                        evidence: "a record of it is missing, though the measurement is complete"
                    )
                }
                errors.faults.sort { $0.id < $1.id }
                return (
                    ids.count { $0 == measurement.id } > 1 ? "\(run.name):\(measurement.id)" : measurement.id, errors
                )
            }
        }
    }
}
