import Basics
import BookCatalogue
import CommandSupport
import Evaluation
package import Foundation
import Harness
import Imaging
import ScanningPipeline
import ScanningPolicies
import Synchronization
import Talaria
import TextRecognition

final class ScanSystem: SystemUnderTest {
    let session: ScanSession
    let readsShelves: Bool
    private let network: FlakyNetwork?
    private let store: LibraryStore
    private let ledger: EgressLedger
    /// The scan that ended last.
    private let last = Mutex<(id: UUID, isOffline: Bool)?>(nil)

    init(
        session: ScanSession,
        store: LibraryStore,
        ledger: EgressLedger,
        network: FlakyNetwork?,
        readsShelves: Bool = false
    ) {
        (self.session, self.store, self.ledger) = (session, store, ledger)
        (self.network, self.readsShelves) = (network, readsShelves)
    }

    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        let (session, isOnDevice) = (session, session.strategy == .onDeviceOnly)
        let isOffline = network?.isOut(during: name) ?? false
        let measured = MeasuredScan(isOffline: isOffline, reached: reached)
        return try BlockingTask.run { [readsShelves] in
            func size() throws -> (width: Int, height: Int) {
                let header = try ImageCodec.header(of: bytes, name: name)
                return (header.orientedWidth, header.orientedHeight)
            }
            if readsShelves {
                let scans = try await MeasuredScan.$current.withValue(measured) {
                    try await session.scan(shelf: bytes, name: name)
                }
                if scans[0].problem == nil { [.draft, .text, .enriched].forEach(reached) }
                self.last.withLock { $0 = (scans[0].id, isOffline) }
                return try self.prediction(of: scans, size: size())
            }
            let scan = try await MeasuredScan.$current.withValue(measured) {
                try await session.scan(photo: bytes, name: name) { milestone in
                    switch milestone {
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
            }
            self.last.withLock { $0 = (scan.id, isOffline) }
            return try self.prediction(of: scan, size: size)
        }
    }

    /// Does what an app does when its network returns: sends waiting scans, and has uploaded pictures deleted.
    func conclude(_ prediction: inout Prediction) throws {
        guard let (id, isOffline) = last.withLock({ $0 }) else { return }
        if session.strategy.needsBackEnd, !isOffline {
            let session = session
            let drained = try BlockingTask.run {
                let done = try await session.drain().done
                await session.finish()
                return done
            }
            if drained > 0 { prediction.drained = drained }
        }
        prediction.traffic = traffic(ledger.totals(of: id))
        prediction.waiting = try store.waitingScans().count
    }

    /// Returns the prediction of the scans of a photo of shelves: one waiting scan, or one scan of each book.
    private func prediction(of scans: [PhotoScan], size: (width: Int, height: Int)) throws -> Prediction {
        var prediction = try prediction(of: scans[0]) { size }
        let predictions = try scans.map { scan in try self.prediction(of: scan) { size } }
        prediction.lines = predictions.flatMap(\.lines)
        (prediction.books, prediction.answer) = ([], nil)
        prediction.spines = scans.enumerated().filter { $1.remoteLines != nil || $1.answer != nil }.map { index, scan in
            Prediction.Spine(scan, number: index + 1, width: size.width, height: size.height)
        }
        return prediction
    }

    /// Returns the prediction of a scan; the picture's size is read only if the back end located something in it.
    func prediction(of scan: PhotoScan, size: () throws -> (width: Int, height: Int)) throws -> Prediction {
        var prediction = Prediction(
            lines: scan.lines.map(Prediction.Line.init),
            orientation: scan.orientation?.rawValue,
            stages: stages(scan.timings)
        )
        if let lines = scan.remoteLines, scan.timings.reading == nil {
            let (width, height) = try size()
            prediction.lines = lines.map { line in
                .init(
                    text: line.text,
                    confidence: line.confidence,
                    quad: line.corners.flatMap { Quad($0, width: width, height: height) }
                )
            }
        } else if scan.timings.reading == nil, scan.path.contains(.upload), scan.problem == nil {
            // The title that the catalogue has is not one that was read.
            prediction.linesProblem = "the back end does not report the text that it read"
        }
        prediction.books = scan.candidates.map(BookCandidate.init)
        prediction.answer = scan.answer.map(BookCandidate.init)
        if scan.isDraft { prediction.answer?.isDraft = true }
        prediction.path = scan.path.map(\.rawValue)
        prediction.isQueued = scan.status == .queued
        (prediction.reconnects, prediction.malformedEvents) = (scan.stream?.reconnects, scan.stream?.malformedEvents)
        prediction.traffic = traffic(scan.egress)
        return prediction
    }

    /// Returns the traffic; nil if nothing is sent through the client that counts.
    private func traffic(_ totals: EgressLedger.Totals) -> Traffic? {
        session.strategy.needsBackEnd ? Traffic(totals) : nil
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

extension Quad {
    /// Creates a quad from corners in shares of a picture's width and height; nil unless they are four.
    init?(_ corners: [NormalizedPoint], width: Int, height: Int) {
        guard corners.count == 4 else { return nil }
        let points = corners.map { Point(x: $0.x * Double(width), y: $0.y * Double(height)) }
        self.init(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
    }
}

extension Traffic {
    init(_ totals: EgressLedger.Totals) {
        self.init(
            up: Dictionary(uniqueKeysWithValues: totals.bytesUp.map { ($0.key.rawValue, $0.value) }),
            wireUp: totals.allBytesUp,
            wireDown: totals.bytesDown
        )
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

/// The data about a measured scan for the parts below it.
final class MeasuredScan: Sendable {
    /// Scan of the current task: set around each scan, inherited by its child tasks.
    ///
    /// An object, and one value instead of several: the optimised program crashed in the runtime (Swift 6.3.1) where
    /// a closure was a task's local value.
    @TaskLocal static var current: MeasuredScan?

    let isOffline: Bool
    let reached: @Sendable (Evaluation.Milestone) -> Void

    init(isOffline: Bool, reached: @escaping @Sendable (Evaluation.Milestone) -> Void = { _ in }) {
        self.isOffline = isOffline
        self.reached = reached
    }
}

/// A back end that reports to the harness when a picture is ready for upload.
struct MeasuredBackEnd: BackEnd {
    var client: TalariaClient

    var rateLimit: RateLimitState? { client.rateLimit }

    func enrich(_ request: EnrichRequest) async throws -> BookMetadata { try await client.enrich(request) }

    func books(on photo: Photo, id: UUID) async throws -> PhotoAnswer {
        MeasuredScan.current?.reached(.prepared)
        return try await client.books(on: photo, id: id)
    }
}

/// A file to which several processes append whole lines.
///
/// Unchecked: the descriptor does not change, and the system appends each write in one piece.
package final class LineLog: @unchecked Sendable {
    private let descriptor: Int32

    /// Opens the file, and creates a missing one.
    package init(path: String, permissions: mode_t = 0o644) throws(POSIXError) {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, permissions)
        guard descriptor >= 0 else { throw .last }
    }

    deinit { close(descriptor) }

    package func append(_ line: String) throws(POSIXError) {
        let bytes = Array((line + "\n").utf8)
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw .last }
        guard count == bytes.count else { throw POSIXError(.ENOSPC) }
    }
}
