package import SpineDatasets

/// Which sample of which dataset a record is of.
package struct SampleIndex: Sendable {
    private let samples: [String: (dataset: DatasetReference, samples: [String: Sample])]

    /// - Parameters:
    ///   - configuration: of the run.
    ///   - datasets: those that it names, in its order.
    package init(_ configuration: RunConfiguration, datasets: [Dataset]) {
        let byName = Dictionary(
            zip(configuration.datasets, datasets).map { reference, dataset in
                let samples = Dictionary(dataset.samples.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
                return (reference.name, (dataset: reference, samples: samples))
            },
            uniquingKeysWith: { first, _ in first }
        )
        samples = Dictionary(
            configuration.measurements.compactMap { measurement in
                byName[measurement.dataset.name].map { (measurement.id, $0) }
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The sample that `record` is a reading of, with its dataset; nil when the run has no such one.
    package func sample(of record: SampleRecord) -> (dataset: DatasetReference, sample: Sample)? {
        guard let (dataset, samples) = samples[record.measurement], let sample = samples[record.id] else { return nil }
        return (dataset, sample)
    }
}
