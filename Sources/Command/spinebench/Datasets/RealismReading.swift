import Basics
import Composition
import Foundation
import Harness
import ImageCodec
import Realism
import SpineDatasets
import SpineReaders
import TextRecognition

/// Reads datasets with several variants and measures their pictures.
struct RealismReading {
    var variants: [VariantBase]
    /// The name of the variant whose lines say where text is; it reads in any case.
    var lineFinder: String
    var progress: ProgressDisplay

    /// All that read: the variants, and the line finder where it is not among them.
    private var all: [VariantBase] {
        variants + (variants.contains { $0.name == lineFinder } ? [] : [finder].compactMap(\.self))
    }

    private var finder: VariantBase? { VariantBase.readers.first { $0.name == lineFinder } }

    /// Looks for what every variant needs.
    ///
    /// - Throws: ``HarnessError/unavailable(variant:reason:)`` for the first that lacks something.
    func check() throws {
        guard finder != nil else {
            throw HarnessError.unavailable(variant: lineFinder, reason: "this build has no engine that finds lines")
        }
        for variant in all {
            if let problem = variant.settings.problem {
                throw HarnessError.unavailable(variant: variant.name, reason: problem)
            }
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
            guard let loaded = try variant.settings.reading?.load() else { continue }
            try loaded.prepare()
            for (index, dataset) in datasets.enumerated() {
                let label = "\(dataset.manifest.name), \(variant.name)"
                let total = dataset.samples.count
                progress.begin(label, done: 0, total: total)
                for spine in sets[index].spines.indices {
                    do {
                        try read(&sets[index].spines[spine], of: dataset, as: variant.name, with: loaded.scanner)
                    } catch {
                        let id = sets[index].spines[spine].sample.id
                        problems.append("\(label), sample \"\(id)\": \(error.systemReason)")
                    }
                    progress.step(label, done: spine + 1, total: total)
                }
                progress.end(label)
            }
        }
        return (sets, problems)
    }

    /// Adds what the variant reads, and with the line finder the figures of the picture.
    ///
    /// A spine that cannot be read is measured all the same: most figures concern no text.
    private func read(
        _ spine: inout RealismSpine,
        of dataset: Dataset,
        as variant: String,
        with scanner: SpineScanner
    ) throws {
        let sample = spine.sample
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: dataset.path).appending(path: sample.image)))
        let reading = Result { try scanner.process(bytes, name: sample.image) }
        if variant == lineFinder {
            spine.statistics = SpineMeasurement.measure(
                try ImageCodec.decode(bytes, name: sample.image).image,
                lines: (try? reading.get())?.lines ?? [],
                characters: sample.transcription.count
            )
        }
        spine.texts[variant] = try reading.get().text
    }
}
