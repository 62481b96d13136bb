package import Harness
package import SpineDatasets

/// Which sample of which dataset a record is of.
package struct SampleIndex: Sendable {
    private struct Labels {
        var dataset: String
        var digest: String
        var samples: [String: Sample]
    }

    private let labels: [String: Labels]

    /// - Parameters:
    ///   - measurements: Of a run.
    ///   - datasets: Those that they read, as far as they are at hand.
    package init(_ measurements: [MeasurementResult], datasets: [Dataset]) {
        let byName = Dictionary(
            datasets.map { dataset in
                let samples = Dictionary(dataset.samples.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
                let name = dataset.manifest.name
                return (name, Labels(dataset: name, digest: dataset.digest, samples: samples))
            },
            uniquingKeysWith: { first, _ in first }
        )
        labels = Dictionary(
            measurements.compactMap { measurement in byName[measurement.dataset].map { (measurement.id, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The sample that `record` is a reading of, with its dataset's name and digest; nil when its labels are not at hand.
    package func sample(of record: SampleRecord) -> (sample: Sample, dataset: String, digest: String)? {
        guard let labels = labels[record.measurement], let sample = labels.samples[record.id] else { return nil }
        return (sample, labels.dataset, labels.digest)
    }
}
