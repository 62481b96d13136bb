import BenchmarkHarness
import Foundation
import ImageCodec
import SpineDatasets
import TextRecognition

/// Reads datasets with several variants and measures their pictures.
struct RealismReading {
    var variants: [ReaderVariant]
    /// The name of the variant whose lines say where text is; it reads in any case.
    var lineFinder: String
    var progress: ProgressDisplay

    /// All that read: the variants, and the line finder where it is not among them.
    private var all: [ReaderVariant] {
        variants + (variants.contains { $0.name == lineFinder } ? [] : [readers[lineFinder]].compactMap(\.self))
    }

    /// Looks for what every variant needs.
    ///
    /// - Throws: ``HarnessError/unavailable(tier:reason:)`` for the first that lacks something.
    func check() throws {
        guard readers[lineFinder] != nil else {
            throw HarnessError.unavailable(tier: lineFinder, reason: "this build has no engine that finds lines")
        }
        for variant in all {
            if let problem = variant.problem() { throw HarnessError.unavailable(tier: variant.name, reason: problem) }
        }
    }

    /// Every sample read and measured, and what failed, each with its set and sample.
    ///
    /// - Throws: when a variant cannot be loaded; a reading that fails is no error.
    func read(_ datasets: [Dataset]) throws -> (sets: [RealismSet], problems: [String]) {
        var sets = datasets.map { dataset in
            RealismSet(
                name: dataset.manifest.name,
                digest: dataset.digest,
                spines: dataset.samples.map { RealismSpine(sample: $0) }
            )
        }
        var problems: [String] = []
        for variant in all {
            let loaded = try variant.load()
            try loaded.prepare()
            let scanner = SpineScanner(reader: loaded.reader)
            for (index, dataset) in datasets.enumerated() {
                let label = "\(dataset.manifest.name), \(variant.name)"
                progress.show(.tierStarted(tier: label, done: 0, total: dataset.samples.count))
                for (spine, sample) in dataset.samples.enumerated() {
                    do {
                        let bytes = try self.bytes(of: sample, in: dataset)
                        // Measured in any case: what concerns no text needs no reading.
                        var lines: [Prediction.Line] = []
                        defer {
                            if variant.name == lineFinder {
                                sets[index].spines[spine].statistics = measure(bytes, sample, lines)
                            }
                        }
                        let prediction = try scanner.process(bytes, name: sample.image)
                        lines = prediction.lines
                        sets[index].spines[spine].texts[variant.name] = prediction.text
                    } catch {
                        problems.append("\(label), sample \"\(sample.id)\": \(error)")
                    }
                    progress.show(.readingDone(tier: label, done: spine + 1, total: dataset.samples.count))
                }
                progress.show(.tierFinished(tier: label))
            }
        }
        return (sets, problems)
    }

    private func bytes(of sample: Sample, in dataset: Dataset) throws -> [UInt8] {
        let url = URL(filePath: dataset.path).appending(path: sample.image)
        return try [UInt8](Data(contentsOf: url))
    }

    private func measure(_ bytes: [UInt8], _ sample: Sample, _ lines: [Prediction.Line]) -> [SpineStatistic: Double] {
        // What does not decode has failed to be read as well, and is told there.
        guard let image = try? ImageCodec.decode(bytes, name: sample.image).image else { return [:] }
        return SpineMeasurement.measure(image, lines: lines, characters: sample.transcription.count)
    }
}
