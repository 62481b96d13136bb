import ScanningPolicies
import Testing

@testable import DeviceSimulation

@Suite struct SessionPauseTests {
    private func run(wait: Double = 0, _ change: (inout SessionPlan) -> Void) throws -> SessionOutcome {
        let plan = SessionPlan.with { plan in
            plan.framesPerSecond = 10
            plan.gate = .init(truePositive: 1, falsePositive: 0, seconds: 0)
            plan.user.spread = .fixed
            change(&plan)
        }
        let cost = ReadingCost(imageSeconds: 0.01, inferenceSeconds: 0.02, waitSeconds: wait)
        return try SessionSimulator(plan: plan, values: .plain(), costs: [cost]).run(seed: 1)
    }

    @Test func aCameraThatSeesNoSpinePausesUntilATouch() throws {
        let outcome = try run { ($0.seconds, $0.user.holdSeconds) = (100, 0) }
        // Pauses at 30, 62 and 94 s, and is woken two seconds after each: it is off for 6 s.
        #expect(outcome.scans.pauses == 3)
        #expect(outcome.energy.camera == 94)
        #expect(outcome.counts.arrived == 940)
        #expect(outcome.dropped == 0)
        #expect(outcome.timeline.filter(\.isPaused).isEmpty)
    }

    @Test func anOwnerAtRestDoesNotTouch() throws {
        let outcome = try run {
            ($0.seconds, $0.user.aimSeconds, $0.user.holdSeconds, $0.user.moveSeconds) = (105, 1, 2, 0)
            ($0.user.restEvery, $0.user.restSeconds) = (1, 100)
        }
        // Two frames agree at 1.13 s, so that the frame at 31.2 s finds 30 s without use. The rest ends at 103 s; in
        // the two seconds after it 20 frames come.
        #expect(outcome.scans.pauses == 1)
        #expect(outcome.counts.arrived == 312 + 20)
        #expect(abs(outcome.energy.camera - 33.2) < 1e-9)
        #expect(outcome.timeline.map(\.isPaused).filter(\.self).count == 7)
    }

    @Test func withoutALimitItNeverPauses() throws {
        let outcome = try run { ($0.seconds, $0.user.holdSeconds, $0.idleLimit) = (100, 0, nil) }
        #expect(outcome.scans.pauses == 0)
        #expect(outcome.counts.arrived == 1_000)
    }

    @Test func framesComeAgainOnlyWhenScansFromBeforeAreFinished() throws {
        let outcome = try run(wait: 40) {
            ($0.seconds, $0.strategy) = (50, .hybrid)
            ($0.user.aimSeconds, $0.user.holdSeconds, $0.user.moveSeconds) = (1, 0.05, 1_000)
        }
        // Lost and asked at 1.3 s, paused at 31.3 s and touched at 33.3 s, but the answer comes at 41.3 s: of the 81
        // frames that were due by then, 33.3 to 41.3 s, the last is taken. Paused again at 63.3 s, after the end.
        #expect(outcome.scans.pauses == 1)
        #expect(outcome.dropped == 80)
        #expect(outcome.counts.arrived == 313 + 1 + 86)
        #expect(outcome.offered == 313 + 167)
    }
}
