import Basics
import Testing

@testable import DeviceSimulation

@Suite struct BackEndAccessTests {
    private func at(_ seconds: Double) -> Int { VirtualTime.nanoseconds(seconds) }

    @Test func refusesMoreThanAWindowTakes() {
        let plan = SessionPlan.with { $0.rateLimit = .init(requests: 2, windowSeconds: 60) }
        var access = BackEndAccess(plan, random: SplitMix64(state: 1))
        let taken = [50, 51, 52].map { access.admit(at: at($0)) }
        #expect(taken == [true, true, false])
        #expect(access.isLimited(at: at(59.9)))
        #expect(!access.isLimited(at: at(60)))
        let next = access.admit(at: at(60))
        #expect(next)
    }

    @Test func withoutAShareItIsAlwaysOnline() {
        let access = BackEndAccess(SessionPlan(), random: SplitMix64(state: 1))
        #expect(access.isOnline)
        #expect(access.nextChange == VirtualTime.never)
    }

    @Test func withoutANetworkItIsNeverOnline() {
        let access = BackEndAccess(.with { $0.offlineShare = 1 }, random: SplitMix64(state: 1))
        #expect(!access.isOnline)
        #expect(access.nextChange == VirtualTime.never)
    }

    @Test(arguments: [0.1, 0.5, 0.8])
    func isOfflineForItsShareOfTime(share: Double) {
        var offline = 0
        for seed in 0..<200 {
            let plan = SessionPlan.with { $0.offlineShare = share }
            var access = BackEndAccess(plan, random: SplitMix64(state: UInt64(seed)))
            var now = 0
            while now < at(10_000) {
                let next = min(access.nextChange, at(10_000))
                if !access.isOnline { offline += next - now }
                now = next
                access.toggleNetwork(at: now)
            }
        }
        // 200 × 10,000 s hold some ten thousands of episodes.
        #expect(abs(VirtualTime.seconds(offline) / 2e6 - share) < 0.01)
    }
}
