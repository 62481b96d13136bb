import Testing

@testable import DeviceSimulation

@Suite struct RadioUseTests {
    private let scan = Scan(taken: 0, cost: 0)
    private let cost = ReadingCost(
        imageSeconds: 0,
        inferenceSeconds: 0,
        waitSeconds: 2,
        bytesUp: 1_000_000,
        bytesDown: 125_000
    )
    private func at(_ seconds: Double) -> Int { VirtualTime.nanoseconds(seconds) }

    @Test func bytesMoveThenAnAnswerIsWaitedForThenTheTailRuns() {
        // 8 Mbit at 16 Mbit/s and 1 Mbit at 10: 0.6 s.
        let plan = SessionPlan.with { ($0.link, $0.uplink, $0.downlink) = (.cellular, 16, 10) }
        var radio = RadioUse(plan: plan, values: .plain())
        #expect(radio.state(at: 0) == .asleep)
        radio.begin(scan, cost: cost, isLate: false, at: at(1))
        #expect(radio.state(at: at(1)) == .active)
        #expect(radio.nextChange(after: at(1)) == at(1.6))
        #expect(radio.state(at: at(1.6)) == .tail)
        // The answer comes at 3 s, and 10 s later the modem sleeps.
        #expect(radio.nextEnd == at(3))
        #expect(radio.nextChange(after: at(2)) == at(13))
        #expect(radio.state(at: at(13)) == .asleep)
        #expect(radio.nextChange(after: at(13)) == VirtualTime.never)
    }

    @Test func withoutRatesItIsActiveAsLongAsARequestTakes() {
        let plan = SessionPlan.with { $0.link = .wifi }
        var radio = RadioUse(plan: plan, values: .plain())
        radio.begin(scan, cost: cost, isLate: false, at: 0)
        #expect(radio.nextChange(after: 0) == at(2))
        #expect(radio.nextChange(after: at(2)) == at(2.5))
    }

    @Test func requestsShareATail() {
        let plan = SessionPlan.with { $0.link = .cellular }
        var radio = RadioUse(plan: plan, values: .plain())
        radio.begin(scan, cost: cost, isLate: false, at: 0)
        radio.begin(scan, cost: cost, isLate: true, at: at(5))
        // The tail of the first would have ended at 12 s.
        #expect(radio.nextChange(after: at(7)) == at(17))
        let before = radio.finish(at: at(1))
        #expect(before == nil)
        let first = radio.finish(at: at(2))
        #expect(first?.isLate == false)
        #expect(radio.nextEnd == at(7))
        let second = radio.finish(at: at(7))
        #expect(second?.isLate == true)
        #expect(radio.nextEnd == VirtualTime.never)
    }

    @Test func aPlanWithoutALinkHasNoRadio() {
        var radio = RadioUse(plan: SessionPlan(), values: .plain())
        radio.begin(scan, cost: cost, isLate: false, at: 0)
        #expect(radio.state(at: at(1)) == .asleep)
        #expect(radio.nextEnd == at(2))
    }
}
