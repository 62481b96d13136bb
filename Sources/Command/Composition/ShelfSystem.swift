import Basics
package import BookCatalogue
import Evaluation
import Foundation
import Harness
import Imaging
package import ScanningPipeline
import ScanningPolicies
package import SpineReaders
import Talaria
import TextRecognition

struct ShelfSystem: SystemUnderTest {
    let pipeline: SpinePipeline

    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        let scan = try pipeline.books(of: .file(bytes), name: name) {
            if $0.named.naming.answer != nil { reached(.draft) }
        }
        if !scan.books.isEmpty { reached(.draft) }
        reached(.text)
        reached(.enriched)
        return Prediction(scan)
    }
}

extension Prediction {
    /// Creates a prediction from the results on a photo of shelves.
    package init(_ scan: PictureBooks) {
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
                answer: book.named.naming.answer.map(BookCandidate.init),
                guess: book.named.naming.answer == nil ? book.named.naming.guess.map(BookCandidate.init) : nil
            )
        }
    }
}

extension Prediction.Spine {
    /// Creates a book of the back end's answer to a photo; without an outline of its own it has the photo's.
    init(_ scan: PhotoScan, number: Int, width: Int, height: Int) {
        let photo = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map { NormalizedPoint(x: $0, y: $1) }
        self.init(
            row: scan.place?.row ?? 1,
            index: scan.place?.index ?? number,
            outline: Quad(scan.place?.outline ?? photo, width: width, height: height),
            text: (scan.remoteLines ?? []).map(\.text).joined(separator: " "),
            // A draft is not a book of the catalogue.
            answer: scan.isDraft ? nil : scan.answer.map(BookCandidate.init)
        )
    }
}

extension ScanSettings {
    /// Loads the system that reads whole shelves.
    func shelfSystem() throws -> WorkerLoop.Loaded {
        let loaded = try (reader == .fast ? ReadingSettings.fast : .accurate).load()
        guard loaded.shelf != nil else {
            throw HarnessError.configuration("the engine of \(reader) reads single spines, not shelves")
        }
        var description = loaded.description
        description["strategy"] = strategy.rawValue
        return WorkerLoop.Loaded(
            system: ShelfSystem(pipeline: try loaded.pipeline(.named(catalogue), readings: readings)),
            description: description,
            prepare: loaded.prepare
        )
    }
}

extension LoadedReader {
    /// Returns the pipeline from a picture to its books: of every command, of the harness and of sessions.
    ///
    /// `readings`: number of texts of a doubtful line from which the catalogue chooses; 1 is the reading.
    package func pipeline(_ catalogue: BookCatalogue, readings: Int = 1) throws -> SpinePipeline {
        let matcher = try CatalogueMatcher(catalogue: catalogue)
        return SpinePipeline(reader: scanner, shelf: shelf) { try matcher.match($0, readings: readings) }
    }
}
