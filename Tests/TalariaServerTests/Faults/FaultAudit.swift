import BookCatalogue
import Foundation
import ScanningPipeline
import Talaria

/// Audit of a library and its back end when all is over.
struct FaultAudit: Sendable {
    var store: LibraryStore
    /// Path of the library; nil for one in memory.
    var path: String?
    var ledger: EgressLedger
    var server: FaultServer
    /// Whether the device's own catalogue takes every book for another one.
    var isWrong: Bool

    /// Returns the state of a spine after its scan has returned.
    ///
    /// - Throws: `FaultFinding` when the state is ambiguous, or differs from the scan's result.
    static func ending(
        of spine: FaultSequence.Spine,
        _ result: Result<PhotoScan, any Error>,
        in store: LibraryStore
    ) throws -> FaultSequence.Ending {
        let isWaiting = try store.waitingScans().contains { $0.id == spine.id }
        let failed = try store.failedScans().first { $0.id == spine.id }
        func fail(_ reason: String) -> FaultFinding { FaultFinding("after its scan, \(spine.code): \(reason)") }
        guard case .success(let scan) = result else {
            if isWaiting { return .queued }
            if let failed { return try error(failed.lastError, fail) }
            if try store.drafts().contains(where: { $0.id == spine.id }) { return .noMatch }
            // It may have ended after the book existed and before that was reported.
            let titles = [FaultCatalogue.books[spine.code.book].title, FaultCatalogue.wrong.title]
            let isThere = try spine.code.kind == .book && store.books().contains { titles.contains($0.title) }
            return isThere ? .book : .notAccepted
        }
        guard isWaiting == (scan.status == .queued) else {
            throw fail("the scan reports \(scan.status), the queue \(isWaiting ? "a waiting scan" : "nothing")")
        }
        switch scan.status {
        case .book:
            guard let book = scan.book, try store.book(id: book.id) != nil else { throw fail("its book is missing") }
            return .book
        case .queued: return .queued
        case .draft, .unread:
            if scan.problem != nil || failed != nil { return try error(scan.problem ?? failed?.lastError, fail) }
            guard spine.code.kind != .book else { throw fail("it was read, but has neither a book nor a problem") }
            return .noMatch
        }
    }

    private static func error(_ text: String?, _ fail: (String) -> FaultFinding) throws -> FaultSequence.Ending {
        guard let text, text.contains(" ") else { throw fail("it failed without a reason") }
        return .error
    }

    /// Verifies everything when the queue has been drained without faults.
    ///
    /// `spines`: with the state of each after its scan.
    ///
    /// - Throws: `FaultFinding` with the problem.
    func check(_ spines: [FaultSequence.Spine], answers: Int) async throws {
        let waiting = try store.waitingScans()
        guard waiting.isEmpty else {
            throw FaultFinding("still waiting without faults: \(waiting.map { "\($0.id) \($0.lastError ?? "")" })")
        }
        let failed = try store.failedScans()
        for scan in failed {
            let spine = spines.first { $0.id == scan.id }
            guard spine?.code.kind == .blank else {
                throw FaultFinding("given up: \(spine?.code.lines ?? []): \(scan.lastError ?? "no reason")")
            }
        }
        try checkBooks(spines)
        try checkLedger(spines, answers: answers)
        for spine in spines {
            let times = server.reads.of(spine.code.number).times
            guard times <= 1 else { throw FaultFinding("the server has read \(spine.code) \(times) times") }
        }
        let pictures = try await server.pictures()
        guard pictures == 0 else { throw FaultFinding("pictures on the server: \(pictures)") }
        if let path {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: path + ".queue")) ?? []
            let left = files.count { $0 != "lock" }
            guard left == failed.count else { throw FaultFinding("\(left) pictures in the queue's folder: \(files)") }
        }
    }

    private func checkBooks(_ spines: [FaultSequence.Spine]) throws {
        let titles = try store.books().map(\.title)
        guard Set(titles).count == titles.count else { throw FaultFinding("doubled: \(titles)") }
        let kept = spines.filter { $0.ending != .notAccepted && $0.code.kind == .book }
        var allowed = Set(kept.map { FaultCatalogue.books[$0.code.book].title })
        let most = allowed.count
        for title in allowed where !titles.contains(title) {
            guard isWrong, titles.contains(FaultCatalogue.wrong.title) else {
                throw FaultFinding("lost: \(title); found \(titles)")
            }
        }
        if isWrong { allowed.insert(FaultCatalogue.wrong.title) }
        guard allowed.isSuperset(of: titles), titles.count <= max(most, isWrong ? kept.count : 0) else {
            throw FaultFinding("found \(titles), which differs from the scanned books: \(kept.map(\.code))")
        }
        let unknown = Set(spines.filter { $0.code.kind == .unknown }.map(\.id))
        let drafts = try store.drafts().map(\.id)
        guard unknown.isSuperset(of: drafts) else {
            throw FaultFinding("a draft is left of a book: \(try store.drafts())")
        }
    }

    private func checkLedger(_ spines: [FaultSequence.Spine], answers: Int) throws {
        let all = ledger.totals()
        guard answers == 0 || !all.isLocal else { throw FaultFinding("\(answers) answers, but nothing was sent") }
        for spine in spines {
            let sent = ledger.totals(of: spine.id).bytesUp[.image] ?? 0
            let came = server.reads.of(spine.code.number).bytes
            guard sent >= came else {
                throw FaultFinding("the server received \(came) bytes of \(spine.id), the ledger lists \(sent)")
            }
        }
        let images = ledger.all.filter { $0.contentClass == .image && $0.endpoint != .upload }
        guard images.isEmpty else { throw FaultFinding("pictures where none belong: \(images)") }
    }
}
