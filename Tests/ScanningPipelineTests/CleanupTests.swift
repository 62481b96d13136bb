import BookCatalogue
import Foundation
import ScanningPolicies
import Synchronization
import Talaria
import TestSupport
import Testing

@testable import ScanningPipeline

/// A picture's job is forgotten behind the user's back (S2-36).
@Suite(.inTurns) struct CleanupTests {
    private static let forever: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(3_600)) }

    @Test func aScanDoesNotWaitForTheBackEndToForgetIt() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: UUID?.self)
        let clock = ManualClock()
        let stage = try Stage(.talariaOnly, clock: clock)
        stage.backEnd.cleanUp = {
            ask.yield(EgressLedger.scan)
            try await Self.forever()
        }
        // It would never return if it did.
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.status == .book)
        #expect(try stage.store.waitingScans().isEmpty)
        // Its traffic is the scan's.
        for await id in asked {
            #expect(id == scan.id)
            break
        }
        async let report = stage.session.finish()
        await clock.advance(whenSomebodySleeps: .seconds(5))
        #expect(await report == CleanupReport(done: 0, failed: 1))
    }

    @Test func theEndWaitsForWhatIsOnItsWay() async throws {
        let isDone = Mutex(false)
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        let stage = try Stage(.talariaOnly)
        stage.backEnd.cleanUp = {
            for await _ in opened { break }
            isDone.withLock { $0 = true }
        }
        _ = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(!isDone.withLock { $0 })
        open.yield()
        #expect(await stage.session.finish() == CleanupReport(done: 1, failed: 0))
        #expect(isDone.withLock { $0 })
    }

    @Test func aCleanupThatFailsIsCountedAndAskedOnce() async throws {
        let times = Mutex(0)
        let stage = try Stage(.talariaOnly)
        stage.backEnd.cleanUp = {
            times.withLock { $0 += 1 }
            throw unreachable
        }
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.status == .book && scan.problem == nil)
        #expect(await stage.session.finish() == CleanupReport(done: 0, failed: 1))
        #expect(times.withLock { $0 } == 1)
    }

    @Test func aDrainDoesNotWaitEither() async throws {
        let clock = ManualClock()
        let stage = try Stage(.talariaOnly, clock: clock)
        stage.backEnd.failure = unreachable
        stage.backEnd.cleanUp = Self.forever
        for _ in 0..<3 { _ = try await stage.session.scan(photo: tinyPNG, name: "a") }
        stage.backEnd.failure = nil
        #expect(try await stage.session.drain() == DrainReport(done: 3))
    }

    @Test func whatTheBackEndReadIsKeptApartFromTheBookThatItNames() async throws {
        let lines = [RemoteLine(text: "DUME", confidence: 0.7)]
        let stage = try Stage(.talariaOnly, remoteLines: lines)
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.remoteLines == lines && scan.lines.isEmpty)
        #expect(scan.answer?.book.title == "Dune")
        let silent = try Stage(.talariaOnly)
        #expect(try await silent.session.scan(photo: tinyPNG, name: "a").remoteLines == nil)
    }
}
