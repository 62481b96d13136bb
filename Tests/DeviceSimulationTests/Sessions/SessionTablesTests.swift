import Basics
import Testing

@testable import DeviceSimulation

@Suite struct SessionTablesTests {
    private func outcome() throws -> SessionOutcome {
        let plan = SessionPlan.with { $0.seconds = 90 }
        return try SessionSimulator(plan: plan, values: .plain(), costs: [.quick]).run(seed: 1)
    }

    @Test func everyTableSaysThatItIsModelled() throws {
        let outcome = try outcome()
        var tally = SessionTally()
        tally.add(outcome)
        let tables =
            [SessionTables.devices([("a phone", outcome)]), SessionTables.tally(tally, title: "a phone")]
            + SessionTables.detail(outcome, device: "a phone")
        for table in tables { #expect(table.title.contains("modelled")) }
    }

    @Test func framesAddUpInTheTable() throws {
        let table = try #require(SessionTables.detail(outcome(), device: "a phone").first)
        let counts = table.rows.compactMap { Int($0[1]) }
        #expect(counts.dropLast().reduce(0, +) == counts.last)
        #expect(counts.last == 2_700)
    }

    @Test func emptySumsAreDashes() {
        let table = SessionTables.tally(SessionTally(), title: "nothing")
        #expect(table.rows[0] == ["books", "–", "–", "– … –"])
    }

    @Test func csvHasARowForEachPoint() throws {
        let lines = try outcome().csv(device: "My \"own\"").split(separator: "\r\n")
        #expect(lines.count == 1 + 10)
        #expect(lines[0].hasPrefix("device,second,chip_c"))
        #expect(lines[1].hasPrefix("\"My \"\"own\"\"\",0.0,25.0,25.0,nominal,0.0,0,0,0,0,0"))
        #expect(try outcome().csv(hasHeader: false).split(separator: "\r\n").count == 10)
    }

    @Test func logNormalCostsHaveTheirPercentiles() throws {
        let costs = try ReadingCost.logNormal(p50: 25, p95: 60, imageShare: 0.2, waitSeconds: 0.1)
        let times = costs.map { ($0.imageSeconds + $0.inferenceSeconds) * 1e3 }
        #expect(times == times.sorted())
        // Half-way between two of a thousand steps.
        #expect(abs((times[499] + times[500]) / 2 - 25) < 0.01)
        #expect(abs((times[949] + times[950]) / 2 - 60) < 0.05)
        #expect(costs.allSatisfy { $0.waitSeconds == 0.1 && $0.inferenceSeconds >= 0 })
        #expect(throws: SessionError.self) { try ReadingCost.logNormal(p50: 60, p95: 25, imageShare: 0.2) }
        #expect(throws: SessionError.self) { try ReadingCost.logNormal(p50: .nan, p95: 25, imageShare: 0.2) }
        #expect(try ReadingCost.logNormal(p50: 5, p95: 5, imageShare: 1).allSatisfy { $0.imageSeconds == 0.005 })
    }
}
