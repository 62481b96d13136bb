import Basics
import Testing

@testable import DeviceSimulation

@Suite struct UserWalkTests {
    private func fixed(_ change: (inout UserScript) -> Void = { _ in }) -> UserScript {
        var script = UserScript()
        script.spread = .fixed
        change(&script)
        return script
    }

    private func sights(_ script: UserScript, seconds: Range<Int>) -> [Int?] {
        var walk = UserModel(script, random: SplitMix64(state: 1))
        return seconds.map { second in
            walk.advance(to: second * VirtualTime.second)
            return walk.spineInSight
        }
    }

    @Test func aimsHoldsAndMovesOn() {
        // Two seconds of aiming, two of holding, one of moving.
        #expect(sights(fixed(), seconds: 0..<10) == [nil, nil, 0, 0, nil, nil, nil, 1, 1, nil])
    }

    @Test func aSpineShareIsThatOfItsTimes() {
        let script = UserScript(spineShare: 0.25)
        #expect(script.aimSeconds == 6)
        #expect(script.spineShare == 0.25)
        #expect(UserScript(spineShare: 1).aimSeconds == 0)
    }

    @Test func restsAfterSoManySpines() {
        let script = fixed {
            ($0.restEvery, $0.restSeconds) = (2, 10)
        }
        // The second spine ends at 9 s, the move ends at 10 s, the rest at 20 s.
        let sights = sights(script, seconds: 0..<25)
        #expect(sights[7...8] == [1, 1])
        #expect(sights[9...21].allSatisfy { $0 == nil })
        #expect(sights[22] == 2)
    }

    @Test func spinesThatAreHeldAgainAreTheSame() {
        let sights = sights(fixed { $0.againShare = 1 }, seconds: 0..<100)
        #expect(Set(sights.compactMap(\.self)) == [0])
    }

    @Test func thingsWithoutTimeAreSkipped() {
        let script = fixed { ($0.aimSeconds, $0.moveSeconds) = (0, 0) }
        #expect(sights(script, seconds: 0..<6) == [0, 0, 1, 1, 2, 2])
    }

    @Test func exponentialTimesHaveTheirMeanAndSpread() {
        var random = SplitMix64(state: 7)
        let draws = (0..<200_000).map { _ in random.nextExponential() }
        let mean = draws.reduce(0, +) / Double(draws.count)
        // Mean and standard deviation are 1; the mean of 200,000 has a standard error of 0.0022.
        #expect(abs(mean - 1) < 0.01)
        let variance = draws.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(draws.count)
        #expect(abs(variance - 1) < 0.03)
        // P(X > 1) = 1/e, P(X > 3) = 1/e³.
        #expect(abs(Double(draws.count { $0 > 1 }) / 200_000 - 0.367879) < 0.005)
        #expect(abs(Double(draws.count { $0 > 3 }) / 200_000 - 0.049787) < 0.003)
        #expect(draws.allSatisfy { $0 >= 0 })
    }
}
