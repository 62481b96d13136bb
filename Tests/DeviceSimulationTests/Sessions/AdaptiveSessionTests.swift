import ScanningPolicies
import Testing

@testable import DeviceSimulation

@Suite struct AdaptiveSessionTests {
    /// Ten frames a second of a spine, readings of 40 ms, and a target of 50.
    private func run(
        values: DeviceValues = .plain([.fairAt: 70, .seriousAt: 75, .criticalAt: 79]),
        _ change: (inout SessionPlan) -> Void = { _ in }
    ) throws -> SessionOutcome {
        let target = try #require(ModelTarget.named("fast"))
        let plan = SessionPlan.with { plan in
            (plan.seconds, plan.framesPerSecond, plan.gate, plan.idleLimit) = (120, 10, nil, nil)
            plan.user = UserScript(spineShare: 1, holdSeconds: 10)
            plan.adaptive = AdaptivePlan(target: target)
            // Its own share of a battery is not what is tested here.
            plan.adaptive?.target.batteryPercentPer30Minutes = 1_000
            change(&plan)
        }
        let cost = ReadingCost(imageSeconds: 0.01, inferenceSeconds: 0.03)
        return try SessionSimulator(plan: plan, values: values, costs: [cost]).run(seed: 1)
    }

    @Test func aReaderThatMeetsItsTargetStaysAsItIs() throws {
        let outcome = try run()
        #expect(outcome.qualityChanges.isEmpty)
        #expect(outcome.alerts == 0)
        #expect(outcome.counts.read == 1_200)
        #expect(outcome.counts.noReader == 0)
    }

    /// The quality from its changes: none of them leaves a step out, and each way down has its reason.
    @Test func aSlowReaderGoesDownStepByStepAndComesBack() throws {
        // 40 ms × 4 = 160 ms, critical above 100; half of it is still above 50; from 60 s on all is as before.
        let outcome = try run {
            $0.seconds = 300
            $0.slowdowns = [.init(from: 20, to: 60, factor: 4)]
        }
        #expect(outcome.alerts > 0)
        let first = try #require(outcome.qualityChanges.first)
        #expect(first.quality == .medium)
        #expect(first.reason == .latency)
        #expect((20..<30).contains(first.second))
        // It comes back 30 quiet seconds after the slow-down at the earliest.
        let last = try #require(outcome.qualityChanges.last)
        #expect(last.quality == .high)
        #expect(last.reason == nil)
        #expect(last.second >= 50)
        // At the best quality and slow, at the best and not, at a lower one and slow.
        #expect(Set([160, 40, 80]).isSubset(of: outcome.latencies))
        #expect(outcome.latencies.last == 40)
    }

    @Test func aSlowReaderThatCannotGiveWayIsUnloadedInTheEnd() throws {
        let outcome = try run {
            $0.slowdowns = [.init(from: 0, to: 120, factor: 20)]
        }
        #expect(outcome.qualityChanges.prefix(3).map(\.quality) == [.medium, .low, nil])
        #expect(outcome.counts.noReader > 0)
    }

    @Test func withoutALadderASlowDownIsOnlySlow() throws {
        let outcome = try run {
            $0.adaptive = nil
            $0.slowdowns = [.init(from: 0, to: 120, factor: 2)]
        }
        #expect(outcome.latencies.allSatisfy { $0 == 80 })
        #expect(outcome.qualityChanges.isEmpty)
    }

    @Test func aMemoryWarningUnloadsAndLoadingCostsTheCPU() throws {
        let outcome = try run { $0.memoryWarnings = [10] }
        let changes = outcome.qualityChanges
        #expect(changes.first?.quality == .some(nil))
        #expect(changes.first?.reason == .memoryWarning)
        #expect(changes.first?.second == 10)
        #expect(changes.dropFirst().first?.quality == .low)
        #expect(changes.dropFirst().first?.reason == nil)
        // From 10 s until it is back, ten frames a second.
        let back = try #require(changes.dropFirst().first?.second)
        #expect(abs(Double(outcome.counts.noReader) - (back - 10) * 10) <= 1)
        let loads = Double(changes.count { $0.quality != nil }) * 0.3
        // A quarter of each reading, without the loading that it may have waited for.
        let shares = outcome.latencies.reduce(0) { $0 + ($1 > 300 ? $1 - 300 : $1) } / 4 / 1_000
        #expect(abs(outcome.cpuSeconds - loads - shares) < 0.05)
    }

    @Test func aDeviceThatIsTooHotHasNoReader() throws {
        let outcome = try run(values: .plain([.skinCapacity: 1_000, .chipCapacity: 100])) {
            ($0.startTemperature, $0.seconds, $0.thermalPolicy) = (60, 10, .none)
        }
        #expect(outcome.qualityChanges == [.init(second: 0, quality: nil, reason: .heat)])
        #expect(outcome.counts.noReader == 100)
        #expect(outcome.counts.read == 0)
    }

    @Test func lowPowerModeBeginsBelowAShareOfTheBatteryAndTakesAQuality() throws {
        // 36,000 J, 20.5 % of them at the start: 180 J until 20 %, at less than 3 W.
        let outcome = try run { ($0.startCharge, $0.lowPowerBelow, $0.seconds) = (0.205, 0.2, 120) }
        let first = try #require(outcome.qualityChanges.first)
        #expect(first.quality == .medium)
        #expect(first.reason == .lowPower)
        let percent = try #require(outcome.timeline.last { $0.second <= first.second }?.percent)
        #expect((0.3...0.55).contains(percent))
        // Half the work at half the speed.
        #expect(outcome.latencies.first == 40)
        #expect(outcome.latencies.last == 40)
    }

    @Test func aLowerQualityThatFitsTheMemoryIsNotSlowedByIt() throws {
        // 310 MB of a target of 200 are critical, and above the budget of 220: inference takes three times as long, 100 ms in
        // all. 217 MB fit, and half of 40 ms are left.
        let outcome = try run(values: .plain([.memoryBudget: 220, .fairAt: 70, .seriousAt: 75, .criticalAt: 79])) {
            $0.memory = 310
            $0.adaptive?.target.p95Milliseconds = 1_000
        }
        #expect(outcome.latencies.first == 100)
        #expect(outcome.qualityChanges.first?.quality == .medium)
        #expect(outcome.qualityChanges.first?.reason == .memory)
        #expect(outcome.latencies.contains(20))
    }

    @Test func anAdaptivePlanIsChecked() {
        #expect(throws: SessionError.self) { try run { $0.slowdowns = [.init(from: 0, to: 1, factor: .nan)] } }
        #expect(throws: SessionError.self) { try run { $0.adaptive?.loadSeconds = -1 } }
        #expect(throws: SessionError.self) { try run { $0.memoryWarnings = [.infinity] } }
    }
}
