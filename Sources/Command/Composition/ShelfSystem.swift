import Basics
import BookCatalogue
import Foundation
import Harness
import LibraryStore
import Raster
package import ScanningPipeline
import ScanningPolicies
import SpineReaders
import TextRecognition

/// The reader of whole shelves as the harness measures it.
struct ShelfSystem: SystemUnderTest {
    let scanner: ShelfScanner

    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        let scan = try scanner.scan(bytes, name: name) { _ in reached(.draft) }
        if !scan.books.isEmpty { reached(.draft) }
        reached(.text)
        reached(.enriched)
        return Prediction(scan)
    }
}

/// A back end that answers photos of shelves, as the harness measures it.
struct ShelfUploadSystem: SystemUnderTest {
    let upload: ShelfUpload
    let ledger: EgressLedger
    let network: FlakyNetwork?

    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        let (id, upload) = (UUID(), upload)
        let measured = MeasuredScan(isOffline: network?.isOut(during: name) ?? false, reached: reached)
        let scan = try BlockingTask.run {
            try await MeasuredScan.$current.withValue(measured) {
                try await upload.scan(bytes, name: name, id: id)
            }
        }
        for milestone in [Milestone.draft, .text, .enriched] { reached(milestone) }
        var prediction = Prediction(scan)
        let times: StageTimes = [
            .preparation: scan.decoding.milliseconds, .upload: scan.timings.total.milliseconds,
        ]
        prediction.stages = times
        prediction.traffic = Traffic(ledger.totals(of: id))
        prediction.path = [LibraryBook.Tier.upload.rawValue]
        return prediction
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
