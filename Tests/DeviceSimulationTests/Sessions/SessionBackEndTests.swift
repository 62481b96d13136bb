import ScanningPolicies
import Testing

@testable import DeviceSimulation

@Suite struct SessionBackEndTests {
    /// Runs ten frames a second, a spine for two seconds of three, and a gate that is always right and takes no time.
    private func run(
        _ variant: ScanStrategy,
        wait: Double,
        cost: ReadingCost = .quick,
        _ change: (inout SessionPlan) -> Void
    ) throws -> SessionOutcome {
        let plan = SessionPlan.with { plan in
            plan.strategy = variant
            plan.framesPerSecond = 10
            plan.gate = .init(truePositive: 1, falsePositive: 0, seconds: 0)
            plan.user = UserScript(spineShare: 2.0 / 3)
            plan.user.spread = .fixed
            change(&plan)
        }
        var cost = cost
        cost.waitSeconds = wait
        return try SessionSimulator(plan: plan, values: .plain(), costs: [cost]).run(seed: 1)
    }

    @Test func textIsAskedAboutBesideTheNextFrames() throws {
        let outcome = try run(.hybrid, wait: 2) { ($0.seconds, $0.link) = (5, .wifi) }
        // The first spine is read at 1.00…1.03 s and 1.10…1.13, which agree, and its answer arrives at 3.13; the
        // second, read from 4.10, as its first frame does not show the camera's motion, and asked about at 4.23,
        // waits for its own.
        #expect(outcome.answers == [2_130])
        #expect(outcome.books == 1)
        #expect(outcome.scans.news == 2)
        #expect(outcome.scans.requests == 2)
        #expect(outcome.dropped == 0)
        #expect(outcome.counts.read == 29 && outcome.counts.moving == 1)
        // Active 1.13…3.13, the tail until 3.63, active 4.23…5: 2.77 s of 1 W and 0.5 s of 0.25 W.
        #expect(outcome.energy.radio == 2.895)
    }

    @Test func onlyPicturesAreSentByTalariaOnly() throws {
        let outcome = try run(.talariaOnly, wait: 0.5) { ($0.seconds, $0.link) = (6, .cellular) }
        // One picture for each of two spines, of the second frame, as the first one does not show the camera's
        // motion; the others of a spine are the same.
        #expect(outcome.scans.requests == 2)
        #expect(outcome.counts.read == 38 && outcome.counts.moving == 2)
        #expect(outcome.counts.noNews == 36)
        // 10 ms of preparation beside the next frames, then the answer: that is the first result, too.
        #expect(outcome.latencies == [510, 510])
        #expect(outcome.answers == [510, 510])
        #expect(outcome.unitSeconds == 0)
        #expect(outcome.cpuSeconds == 0.02)
        #expect(outcome.books == 2)
    }

    @Test func aGateThatMissesAFrameDoesNotHaveASpineSentAgain() throws {
        let outcome = try run(.talariaOnly, wait: 0.1) {
            ($0.seconds, $0.gate) = (600, .init(truePositive: 0.95, falsePositive: 0, seconds: 0))
        }
        // 200 spines of 20 frames, a second apart; four frames in a row have to be missed for a spine to count as
        // lost.
        #expect(outcome.scans.requests == 200)
        #expect(outcome.books == 200)
    }

    @Test func visionFallbackReadsWhenItCannotSend() throws {
        let outcome = try run(.visionFallback, wait: 0.5) { ($0.seconds, $0.offlineShare) = (6, 1) }
        #expect(outcome.scans.queued == 2)
        #expect(outcome.scans.waiting == 2)
        #expect(outcome.scans.requests == 0)
        // 10 ms of preparation and 20 of reading.
        #expect(outcome.latencies == [30, 30])
        #expect(outcome.unitSeconds == 0.04)
        #expect(outcome.books == 0)
    }

    @Test func aClosedShutterCountsFrames() throws {
        let outcome = try run(.talariaOnly, wait: 0.1) {
            ($0.seconds, $0.rateLimit, $0.idleLimit) = (70, .init(requests: 1, windowSeconds: 60), nil)
        }
        // The first spine is sent at 1.1 s. The second, at 4.1 s, is refused until 60 s: the frames from 4.2 to 59.9.
        // It is sent then, and the one at 61.1 s is refused: the frames from 61.2 to 69.9.
        #expect(outcome.counts.shutterClosed == 558 + 88)
        #expect(outcome.scans.refused == 2)
        #expect(outcome.scans.queued == 2)
        #expect(outcome.scans.waiting == 1)
        #expect(outcome.books == 2)
        #expect(outcome.answers.count == 1)
    }

    @Test func whatWaitsIsSentWhenTheNetworkIsBack() throws {
        let always = try run(.hybrid, wait: 0.2) { $0.seconds = 600 }
        let often = try run(.hybrid, wait: 0.2) { ($0.seconds, $0.offlineShare, $0.offlineSeconds) = (600, 0.5, 20) }
        #expect(always.books == 200)
        #expect(often.scans.queued > 50)
        #expect(often.scans.queued + often.answers.count == 200)
        #expect(often.books == 200 - often.scans.waiting)
        #expect(often.counts == always.counts)
    }

    @Test func textIsNotAskedAboutMoreOftenThanTheBackEndTakes() throws {
        let outcome = try run(.hybrid, wait: 0.1) {
            ($0.seconds, $0.rateLimit) = (600, .init(requests: 10, windowSeconds: 60))
        }
        // 20 new spines a minute, 10 requests a minute: half of them wait, and no shutter closes.
        #expect(outcome.counts.shutterClosed == 0)
        #expect(outcome.books == 100)
        #expect(outcome.scans.waiting == 100)
    }
}
