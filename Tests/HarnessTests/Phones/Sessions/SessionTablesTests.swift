import Basics
import Documents
import Testing

@testable import Harness

@Suite struct SessionTablesTests {
    @Test func everyTableSaysThatItIsModelledAndHasRanges() throws {
        var plan = SessionPlan()
        plan.seconds = 90
        let draws = Draws(ExampleDevice.profile(ranges: [.cameraPower: (0.5, 3)]).figures, relevant: [], seed: 1)
        let sessions = try draws.all.map { try Session(plan, $0, costs: [.quick]) }
        let own = DeviceSessions(sessions, device: "a phone", seed: 1)
        let tables = [SessionTables.devices([own])] + SessionTables.detail(own)
        for table in tables { #expect(table.title.contains("modelled")) }
        #expect(tables[0].rows[0][0] == "a phone")
        #expect(tables[0].rows[0][6].contains(/^0\.[0-9]+ \[0\.[0-9]+ – 0\.[0-9]+\]$/))
        // 2,700 frames in 90 s, and two minutes.
        #expect(tables[1].rows[0] == ["due while the camera ran", "2700"] && tables[3].rows.count == 2)
    }

    @Test func logNormalCostsHaveTheirPercentiles() throws {
        let costs = try ReadingCost.logNormal(p50: 25, p95: 60, imageShare: 0.2, waitSeconds: 0.1)
        let times = costs.map { ($0.imageSeconds + $0.inferenceSeconds) * 1e3 }
        #expect(times == times.sorted())
        // Half-way between two of a thousand steps.
        #expect(abs((times[499] + times[500]) / 2 - 25) < 0.01)
        #expect(abs((times[949] + times[950]) / 2 - 60) < 0.05)
        #expect(costs.allSatisfy { $0.waitSeconds == 0.1 && $0.inferenceSeconds >= 0 })
        #expect(throws: HarnessError.self) { try ReadingCost.logNormal(p50: 60, p95: 25, imageShare: 0.2) }
        #expect(throws: HarnessError.self) { try ReadingCost.logNormal(p50: .nan, p95: 25, imageShare: 0.2) }
        #expect(try ReadingCost.logNormal(p50: 5, p95: 5, imageShare: 1).allSatisfy { $0.imageSeconds == 0.005 })
    }
}
