package import Harness
package import SpineDatasets

/// Which sample of which dataset a record is of.
package struct SampleIndex: Sendable {
    private var labels: [String: (dataset: Dataset, samples: [String: Sample])] = [:]

    /// Of a run's measurements and their datasets, as far as these are at hand.
    package init(_ measurements: [MeasurementResult], datasets: [Dataset]) {
        for dataset in datasets.reversed() {
            let samples = Dictionary(first: dataset.samples.map { ($0.id, $0) })
            for measurement in measurements where measurement.dataset == dataset.manifest.name {
                labels[measurement.id] = (dataset, samples)
            }
        }
    }

    /// The sample that `record` is a reading of, with its dataset's name and digest; nil when its labels are not at hand.
    package func sample(of record: SampleRecord) -> (sample: Sample, dataset: String, digest: String)? {
        guard let labels = labels[record.measurement], let sample = labels.samples[record.id] else { return nil }
        return (sample, labels.dataset.manifest.name, labels.dataset.digest)
    }
}

extension Dictionary {
    /// Of several values of a key the first.
    init(first pairs: some Sequence<(Key, Value)>) { self.init(pairs) { first, _ in first } }
}
