import Basics
import BookCatalogue
import Harness
import Raster
package import ScanningPipeline
import ScanningPolicies
import SpineReaders
import TextRecognition

/// The reader of whole shelves as the harness measures it.
struct ShelfSystem: SystemUnderTest {
    let scanner: ShelfScanner

    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        Prediction(try scanner.scan(bytes, name: name))
    }
}

extension Prediction {
    /// What was found on a photo of shelves.
    package init(_ scan: ShelfScan) {
        self.init(
            lines: scan.books.flatMap { $0.spine.reading.lines.map(Line.init) },
            stages: [
                .total: scan.total.milliseconds, .decode.part(of: .total): scan.decoding.milliseconds,
                .reading.part(of: .total): scan.timings.total.milliseconds,
                .detectionInference: scan.timings.detectionInference.milliseconds,
                .recognitionInference: scan.timings.recognitionInference.milliseconds,
            ]
        )
        spines = scan.books.map { book in
            Spine(
                row: book.spine.row,
                index: book.spine.index,
                outline: book.spine.outline,
                text: book.spine.reading.lines.map(\.text).joined(separator: " "),
                answer: book.match.answer.map(BookCandidate.init),
                guess: book.match.answer == nil ? book.guess.map(BookCandidate.init) : nil
            )
        }
    }
}

extension ScanSettings {
    /// Loads what reads whole shelves.
    ///
    /// - Throws: when the engine or the catalogue is missing.
    func shelfSystem() throws -> WorkerLoop.Loaded {
        let loaded = try (reader == .fast ? ReadingSettings.fast : .accurate).load()
        guard let shelf = loaded.shelf else {
            throw HarnessError.configuration("the engine of \(reader) reads single spines and no shelves")
        }
        let matcher = try CatalogueMatcher(catalogue: .named(catalogue))
        let scanner = ShelfScanner(reader: shelf) { [readings] in try matcher.match($0, readings: readings) }
        var description = loaded.description
        description["strategy"] = strategy.rawValue
        return WorkerLoop.Loaded(
            system: ShelfSystem(scanner: scanner),
            description: description,
            prepare: loaded.prepare
        )
    }
}
