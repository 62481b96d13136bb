import Basics
import BookCatalogue
import Evaluation
import Foundation
import Harness
import Imaging
package import ScanningPipeline
import ScanningPolicies
import Synchronization
import Talaria
import TextRecognition

/// A session that scans pictures of spines, or of shelves, into a library of its own.
final class ScanSystem: SystemUnderTest {
    let session: ScanSession
    let readsShelves: Bool
    private let network: ModelledNetwork?
    private let store: LibraryStore
    private let ledger: EgressLedger
    /// The scan that ended last.
    private let last = Mutex<(id: UUID, isOffline: Bool)?>(nil)

    init(
        session: ScanSession,
        store: LibraryStore,
        ledger: EgressLedger,
        network: ModelledNetwork?,
        readsShelves: Bool = false
    ) {
        (self.session, self.store, self.ledger) = (session, store, ledger)
        (self.network, self.readsShelves) = (network, readsShelves)
    }

    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        let (session, isOnDevice) = (session, session.strategy == .onDeviceOnly)
        let isOffline = network?.isOut(during: name) ?? false
        let scans = try BlockingTask.run { [readsShelves] in
            try await ModelledNetwork.$isOut.withValue(isOffline) {
                if readsShelves {
                    return try await session.scan(
                        shelf: bytes,
                        name: name,
                        milestone: { milestone in
                            if milestone == .prepared { reached(.prepared) }
                        }
                    )
                }
                let scan = try await session.scan(photo: bytes, name: name) { milestone in
                    switch milestone {
                    case .prepared: reached(.prepared)
                    case .draft: reached(.draft)
                    case .text: reached(.text)
                    case .matched: if isOnDevice { reached(.enriched) }
                    case .enriched:
                        // Text that only the back end has read is available with its answer.
                        reached(.text)
                        reached(.enriched)
                    case .queued: break
                    }
                }
                return [scan]
            }
        }
        if readsShelves, scans[0].problem == nil { [.draft, .text, .enriched].forEach(reached) }
        last.withLock { $0 = (scans[0].id, isOffline) }
        return try prediction(of: scans) { try ScanPicture.file(bytes).size(name: name) }
    }

    /// Does what an app does when its network returns: sends waiting scans, and has uploaded pictures deleted.
    func conclude(_ prediction: inout Prediction) throws {
        guard let (id, isOffline) = last.withLock({ $0 }) else { return }
        if session.strategy.needsBackEnd, !isOffline {
            let drained = try BlockingTask.run { [session] in
                let done = try await session.drain().done
                await session.finish()
                return done
            }
            if drained > 0 { prediction.drained = drained }
        }
        prediction.traffic = traffic(ledger.totals(of: id))
        prediction.waiting = try store.waitingScans().count
    }

    /// Returns the prediction of a picture's scan, or of a photo of shelves: one waiting scan, or one of each book.
    ///
    /// The picture's size is read only if the back end located something in it.
    func prediction(of scans: [PhotoScan], size: () throws -> (width: Int, height: Int)) throws -> Prediction {
        let scan = scans[0]
        var prediction = Prediction(
            lines: try scans.flatMap { try lines(of: $0, size: size) },
            orientation: scan.orientation?.rawValue,
            stages: stages(scan.timings)
        )
        if scan.remoteLines == nil, scan.timings.reading == nil, scan.path.contains(.upload), scan.problem == nil {
            // The title that the catalogue has is not one that was read.
            prediction.linesProblem = "the back end does not report the text that it read"
        }
        prediction.path = scan.path.map(\.rawValue)
        prediction.isQueued = scan.status == .queued
        (prediction.reconnects, prediction.malformedEvents) = (scan.stream?.reconnects, scan.stream?.malformedEvents)
        prediction.traffic = traffic(scan.egress)
        if readsShelves {
            let (width, height) = try size()
            prediction.books = []
            prediction.spines = scans.enumerated().filter { $1.remoteLines != nil || $1.answer != nil }.map {
                index,
                scan in
                Prediction.Spine(scan, number: index + 1, width: width, height: height)
            }
        } else {
            prediction.books = scan.candidates.map(BookCandidate.init)
            prediction.answer = scan.answer.map(BookCandidate.init)
            if scan.isDraft { prediction.answer?.isDraft = true }
        }
        return prediction
    }

    /// Returns the lines that the device has read, or else those that the back end has.
    private func lines(
        of scan: PhotoScan,
        size: () throws -> (width: Int, height: Int)
    ) throws -> [Prediction.Line] {
        guard let lines = scan.remoteLines, scan.timings.reading == nil else {
            return scan.lines.map(Prediction.Line.init)
        }
        let (width, height) = try size()
        return lines.map { line in
            let quad = line.corners.flatMap { Quad($0, width: width, height: height) }
            return .init(text: line.text, confidence: line.confidence, quad: quad)
        }
    }

    /// Returns the traffic; nil if nothing is sent through the client that counts.
    private func traffic(_ totals: EgressLedger.Totals) -> Traffic? {
        guard session.strategy.needsBackEnd else { return nil }
        return Traffic(
            up: Dictionary(uniqueKeysWithValues: totals.bytesUp.map { ($0.key.rawValue, $0.value) }),
            wireUp: totals.allBytesUp,
            wireDown: totals.bytesDown
        )
    }

    private func stages(_ timings: PhotoScan.Timings) -> StageTimes {
        [
            .decode: timings.decoding?.milliseconds, .preparation: timings.preparation?.milliseconds,
            .reading: timings.reading?.milliseconds, .detectionInference: timings.detectionInference?.milliseconds,
            .recognitionInference: timings.recognitionInference?.milliseconds,
            .matching: timings.matching?.milliseconds, .enrichment: timings.enrichment?.milliseconds,
            .upload: timings.upload?.milliseconds,
        ]
    }
}

/// A reader of whole shelves on the device, without a library.
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
            let (spine, naming) = (book.spine, book.named.naming)
            return Spine(
                row: spine.row,
                index: spine.index,
                outline: spine.outline,
                text: spine.reading.lines.map(\.text).joined(separator: " "),
                answer: naming.answer.map(BookCandidate.init),
                guess: naming.answer == nil ? naming.guess.map(BookCandidate.init) : nil
            )
        }
    }
}

extension Prediction.Spine {
    /// Creates a book of the back end's answer to a photo; without an outline of its own it has the photo's.
    fileprivate init(_ scan: PhotoScan, number: Int, width: Int, height: Int) {
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

extension Quad {
    /// Creates a quad from corners in shares of a picture's width and height; nil unless they are four.
    fileprivate init?(_ corners: [NormalizedPoint], width: Int, height: Int) {
        guard corners.count == 4 else { return nil }
        let points = corners.map { Point(x: $0.x * Double(width), y: $0.y * Double(height)) }
        self.init(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
    }
}

extension BookCandidate {
    init(_ match: BookMatch) {
        self.init(
            title: match.book.title,
            authors: match.book.authors,
            isbn: match.book.isbn?.digits,
            confidence: match.confidence
        )
    }
}
