import BookCatalogue
public import Foundation
import Imaging
import Talaria
import TextRecognition

/// The results of the waiting scans.
public struct DrainReport: Sendable, Equatable {
    /// Answered, and out of the queue.
    public var done = 0
    /// Number of scans that the back end itself refused; they remain, with their pictures, among the failed.
    public var failed = 0
    /// Still waiting.
    public var left = 0
    /// Reason for an early end; nil if all scans were tried.
    public var stopped: String?
}

extension ScanSession {
    /// Sends the waiting scans, the oldest first, until all are answered or the back end does not answer any more.
    ///
    /// - Parameter progress: called with each scan that is answered, and the title of its book if there is one.
    /// - Throws: ``ScanningError/noBackEnd(_:)`` without a back end; when the catalogue or the library fails;
    ///   `CancellationError`.
    /// - Returns: the results of the scans.
    public func drain(progress: @Sendable (UUID, String?) -> Void = { _, _ in }) async throws -> DrainReport {
        guard backEnd != nil else { throw ScanningError.noBackEnd(strategy) }
        var report = DrainReport()
        // Scans that are due later wait for the next drain: this one ends.
        let start = now()
        var foreignAnswers = 0
        while report.stopped == nil,
            let waiting = try store.nextScan(now: start, claim: settings.patience(forShelf: true) * 3)
        {
            var scan = PhotoScan(id: waiting.id, name: waiting.id.uuidString, strategy: strategy)
            do {
                try Task.checkCancellation()
                let others = try await EgressLedger.$scan.withValue(waiting.id) { try await resume(waiting, as: &scan) }
                foreignAnswers = 0
                report.done += 1
                for scan in [scan] + others { progress(scan.id, scan.book?.title) }
            } catch let failure as TalariaError {
                // Doubles with every attempt, up to an hour.
                let pause = failure.wait ?? .seconds(min(3_600, 15 << min(waiting.attempts, 8)))
                try markFailed(waiting.id, failure, after: max(.seconds(1), pause))
                if failure.isFinal { report.failed += 1 }
                foreignAnswers = failure.isForeign ? foreignAnswers + 1 : 0
                // A single foreign answer may be a broken one; after three, others would fail too.
                if !failure.isFinal && failure.concernsAll || foreignAnswers == 3 { report.stopped = "\(failure)" }
            } catch {
                try store.release(waiting.id)
                throw error
            }
        }
        report.left = try store.waitingScans().count
        return report
    }

    /// Restores a waiting scan, and asks the back end about it.
    private func resume(_ waiting: QueuedScan, as scan: inout PhotoScan) async throws -> [PhotoScan] {
        let draft = try store.drafts().first { $0.id == waiting.id }
        var lines = draft?.lines ?? []
        let request: ScanRequest
        switch waiting.payload {
        case .text(let text):
            lines = text.split(separator: "\n").map(String.init)
            scan.path = draft.map { [$0.tier] } ?? []
            request = self.request(text, nil)
        case .image(let file):
            guard let data = try? Data(contentsOf: file) else {
                let isThere = FileManager.default.fileExists(atPath: file.path)
                let problem = "the picture of the scan \(isThere ? "cannot be read" : "is missing"): \(file.path)"
                let details = ProblemDetails(detail: problem, isRetryable: isThere)
                throw TalariaError.scanFailed(jobID: waiting.id.uuidString, details)
            }
            let photo = Photo(jpeg: [UInt8](data))
            request = self.request(photo, id: waiting.id, within: settings.patience(forShelf: photo.isOfShelf))
        }
        scan.lines = lines.map { text in
            // Its position is not stored.
            let nowhere = Quad(left: 0, top: 0, right: 0, bottom: 0)
            return RecognizedLine(text: text, confidence: draft?.confidence ?? 1, quad: nowhere)
        }
        try match(&scan)
        // Without a draft, a sure answer of the device is a book already, whose title its owner has seen: the back end
        // can only add to it.
        scan.isBookAlready = request.tier == .enrich && draft == nil && scan.answer != nil && !scan.isUnsure
        return try await submit(request, of: &scan)
    }
}
