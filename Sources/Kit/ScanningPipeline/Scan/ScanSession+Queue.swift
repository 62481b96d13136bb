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
        while let waiting = try store.nextScan(now: start, claim: settings.shelfTimeout * 3) {
            var scan = PhotoScan(id: waiting.id, name: waiting.id.uuidString, strategy: strategy)
            let draft: Draft?
            let remote: Remote
            do {
                try Task.checkCancellation()
                draft = try store.drafts().first { $0.id == waiting.id }
                remote = try await EgressLedger.$scan.withValue(waiting.id) {
                    try await send(waiting, draft: draft, scan: &scan)
                }
            } catch {
                try store.release(waiting.id)
                throw error
            }
            switch remote {
            case .answer(let answer):
                var others: [PhotoScan] = []
                if waiting.isText {
                    try settle(&scan, draft: draft, isText: true, book: answer.books.first)
                } else {
                    others = try take(answer, of: &scan) { scan, book in
                        try settle(&scan, draft: draft, isText: false, book: book)
                    }
                }
                try store.markDone(waiting.id)
                if let cleanUp = answer.cleanUp {
                    EgressLedger.$scan.withValue(waiting.id) { cleanups.start(cleanUp) }
                }
                foreignAnswers = 0
                report.done += 1
                for scan in [scan] + others { progress(scan.id, scan.book?.title) }
            case .failure(let failure):
                let wait = failure.wait ?? Self.pause(after: waiting.attempts)
                let date = now().addingTimeInterval(max(1, wait / .seconds(1)))
                try store.markFailed(waiting.id, error: failure.problem, retryAt: failure.isRetryable ? date : nil)
                if !failure.isRetryable { report.failed += 1 }
                foreignAnswers = failure.isForeign ? foreignAnswers + 1 : 0
                if failure.isRetryable && failure.concernsAll || foreignAnswers == Self.maximumForeignAnswers {
                    report.stopped = failure.problem
                    report.left = try store.waitingScans().count
                    return report
                }
            }
        }
        report.left = try store.waitingScans().count
        return report
    }

    /// Maximum number of consecutive foreign answers, after which others would fail too; a single one may be a broken
    /// answer.
    private static let maximumForeignAnswers = 3

    /// Doubles with every attempt, up to an hour.
    private static func pause(after attempts: Int) -> Duration { .seconds(min(3_600, 15 << min(attempts, 8))) }

    private func send(_ waiting: QueuedScan, draft: Draft?, scan: inout PhotoScan) async throws -> Remote {
        switch waiting.payload {
        case .text(let text):
            scan.lines = text.split(separator: "\n").map { .read(String($0), confidence: draft?.confidence) }
            scan.path = draft.map { [$0.tier] } ?? []
            return try await ask(text: text, orientation: nil).0
        case .image(let file):
            scan.lines = (draft?.lines ?? []).map { .read($0, confidence: draft?.confidence) }
            guard let data = try? Data(contentsOf: file) else {
                let isThere = FileManager.default.fileExists(atPath: file.path)
                let problem = ProblemDetails(
                    detail: "the picture of the scan \(isThere ? "cannot be read" : "is missing"): \(file.path)",
                    isRetryable: isThere
                )
                return .failure(Failure(.scanFailed(jobID: waiting.id.uuidString, problem)))
            }
            let photo = Photo(jpeg: [UInt8](data))
            let limit = photo.isOfShelf ? settings.shelfTimeout : settings.patience
            return try await ask("upload", within: limit) { try await $0.books(on: photo, id: waiting.id) }
                .0
        }
    }

    /// Stores a late answer.
    ///
    /// A draft that is a book already, because the device's own catalogue was sure, only gains the back end's further
    /// data: its owner has seen that title.
    private func settle(_ scan: inout PhotoScan, draft: Draft?, isText: Bool, book: BookMetadata?) throws {
        let named = try self.named(scan.lines, on: scan.subject)
        (scan.candidates, scan.answer) = (named.candidates, named.naming.answer)
        let isBookAlready =
            isText && draft == nil
            && !Reconciliation(lines: scan.lines.map(\.text), local: scan.answer, remote: nil).needsReview
        if isBookAlready, let answer = scan.answer,
            !(book.map { BookIdentity.isSame(answer.book, BookRecord($0)) } ?? false)
        {
            return
        }
        try reconcile(&scan, with: book, tier: isText ? .enrich : .upload)
    }
}

extension RecognizedLine {
    /// Returns a line of a waiting scan; its position is not stored.
    fileprivate static func read(_ text: String, confidence: Double?) -> RecognizedLine {
        let nowhere = Quad(left: 0, top: 0, right: 0, bottom: 0)
        return RecognizedLine(text: text, confidence: confidence ?? 1, quad: nowhere)
    }
}

extension QueuedScan {
    fileprivate var isText: Bool {
        if case .text = payload { true } else { false }
    }
}
