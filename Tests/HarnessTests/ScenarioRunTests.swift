import Basics
import Evaluation
import Foundation
import SpineDatasets
import Statistics
import TestSupport
import Testing

@testable import Harness

/// Scenarios with scripted workers: requests, records, and the effect of a lost worker.
@Suite(.tags(.io), .inTurns) struct ScenarioRunTests {
    private func spines(_ count: Int, victim: Int? = nil) -> [Sample] {
        (0..<count).map { Sample.made($0 == victim ? "victim" : "spine\($0)") }
    }

    private func rule(_ name: String, _ result: RunResult) throws -> ValidityRule {
        try #require(result.measurements[0].validity.first { $0.name == name })
    }

    @Test func aReadingSaysWhenAndByWhichWorker() throws {
        let setup = try ScriptedRun(spines(5, victim: 2), variants: ["t": "killed-once"], repetitions: 2)
        let (_, folder) = try setup.run()
        let records = folder.records()
        let first = records.filter { $0.worker == 1 }
        #expect(first.count + records.count { $0.worker == 2 } == 10)
        #expect(first.last?.outcome == .workerDied)
        for worker in 1...2 {
            let times = records.filter { $0.worker == worker }.compactMap(\.atSeconds)
            #expect(times == times.sorted() && times.allSatisfy { (0..<600).contains($0) })
        }
    }

    @Test func aServersLatencyCountsFromTheSchedule() throws {
        let scenario = Scenario(kind: .server, ratePerSecond: 500, seconds: 0.1, readings: 100)
        let setup = try ScriptedRun(spines(7), variants: ["t": ""], scenario: scenario)
        let (result, folder) = try setup.run()
        let records = folder.records()
        // Number of readings due in a tenth of a second, and a hundred at least.
        let dues = Array(PoissonArrivals(ratePerSecond: 500, seed: 1).prefix(records.count + 1))
        #expect(records.count == 100 || dues[records.count - 2] < 0.1)
        #expect(records.count >= 100 && dues[records.count - 1] >= 0.1)
        #expect(zip(records, dues).allSatisfy { abs(($0.atSeconds ?? -1) - $1) < 1e-9 })
        // The scripted worker begins on time and takes 2 ms, of which it calls 1.5 ms service.
        #expect(records.allSatisfy { abs(($0.milliseconds ?? 0) - 2) < 1e-3 && $0.serviceMilliseconds == 1.5 })
        // Passes over all samples.
        #expect(Set(records.prefix(7).map(\.id)).count == 7 && records[7].repetition == 2)
        let server = try #require(result.measurements[0].findings?.server)
        #expect(server.readings == records.count && server.askedRate == 500)
        // Readings due in the last 2 ms are not finished at the last arrival, nor is that one itself.
        #expect(server.backlog == dues.prefix(records.count).count { $0 > dues[records.count - 1] - 0.002 })
        #expect(abs(server.scheduledRate - Double(records.count) / dues[records.count - 1]) < 1e-6)
        #expect(!result.measurements[0].validity.contains { $0.invalidates && !$0.isMet })
        #expect(result.measurements[0].invalidReason == nil && !result.isPartial)
        #expect(result.measurements[0].findings?.performanceSet == "7 pictures, 0.0 MB in memory")
    }

    @Test func aServerWhoseWorkerDiesLosesWhatWasInFlight() throws {
        let scenario = Scenario(kind: .server, ratePerSecond: 1_000, readings: 60)
        let setup = try ScriptedRun(spines(10, victim: 4), variants: ["t": "killed-once"], scenario: scenario)
        let (result, folder) = try setup.run()
        let records = folder.records()
        #expect(records.count == 60 && Set(records.map(\.key)).count == 60)
        #expect(result.measurements[0].outcomes == ["read": 59, "workerDied": 1])
        #expect(records.first { $0.outcome == .workerDied }?.id == "victim")
        // The second worker's clock begins with the first reading that is left to it.
        #expect(records.first { $0.worker == 2 }?.atSeconds == 0)
        #expect(try rule("workers lost", result).text == "workers lost: required 0, measured 1")
        #expect(result.measurements[0].invalidReason?.contains("workers lost: required 0, measured 1") == true)
    }

    @Test func aReadingOfAServerThatHangsTimesOut() throws {
        let scenario = Scenario(kind: .server, ratePerSecond: 1_000, readings: 12)
        let setup = try ScriptedRun(
            spines(6, victim: 3),
            variants: ["t": "hangs-once"],
            scenario: scenario
        )
        setup.whenAWorkerHangs { $0.advance(by: .seconds(30)) }
        let (result, folder) = try setup.run()
        #expect(folder.records().count == 12)
        #expect(result.measurements[0].outcomes == ["read": 11, "timedOut": 1])
    }

    @Test func aServerThatDiesOnEverythingIsGivenUp() throws {
        let samples = (0..<4).map { Sample.made("victim\($0)") }
        let scenario = Scenario(kind: .server, ratePerSecond: 1_000, readings: 8)
        let setup = try ScriptedRun(samples, variants: ["t": "killed"], scenario: scenario)
        let (result, _) = try setup.run()
        #expect(result.measurements[0].outcomes == ["workerDied": 5, "notAttempted": 3])
        #expect(try rule("readings not attempted", result).isMet == false)
        #expect(setup.progress.values.contains(.abandoned(measurement: "t/server 1000/s", unread: 3)))
    }

    @Test func offlineReadsEverySample() throws {
        let scenario = Scenario(kind: .offline, lanes: 2)
        let setup = try ScriptedRun(spines(10, victim: 1), variants: ["t": "throws"], scenario: scenario)
        let (result, folder) = try setup.run()
        let records = folder.records()
        expectEveryReadingOnce(records, setup)
        #expect(result.measurements[0].outcomes == ["read": 18, "failed": 2])
        let offline = try #require(result.measurements[0].findings?.offline)
        // The k-th begins after k hundredths of a second. A reading of 1.5 ms at 0.19 s is the last one.
        #expect(offline.seconds >= 0.18 && offline.seconds < 0.2)
        #expect(abs((offline.throughput.value ?? 0) - 18 / offline.seconds) < 1e-9)
        let interval = try #require(offline.interval.value)
        #expect(interval.contains(offline.throughput.value ?? 0))
        #expect(result.measurements[0].invalidReason == nil)
    }

    @Test func offlineGoesOnUntilItsTimeIsOver() throws {
        // Times of the scripted clock, which takes 0.01 s per reading.
        let scenario = Scenario(kind: .offline, seconds: 21)
        let setup = try ScriptedRun(spines(500), variants: ["t": ""], scenario: scenario)
        let (result, folder) = try setup.run()
        #expect(folder.records().count >= 2_100)
        #expect(try rule("duration", result).isMet)
        #expect(!result.isPartial)
        #expect(setup.progress.values.contains(.started(measurement: "t/offline", done: 0, total: nil)))
    }

    @Test func coldStartsAProcessForEachReading() throws {
        let setup = try ScriptedRun(spines(3), variants: ["t": ""], scenario: Scenario(kind: .cold, readings: 7))
        let (result, folder) = try setup.run()
        let records = folder.records()
        #expect(records.count == 7 && Set(records.map(\.worker)).count == 7)
        #expect(records.allSatisfy { $0.loadMilliseconds == 5 && ($0.readyMilliseconds ?? 0) > 0 })
        #expect(records.allSatisfy { ($0.milliseconds ?? 0) >= ($0.readyMilliseconds ?? .infinity) })
        let cold = try #require(result.measurements[0].findings?.cold)
        #expect(cold.load.p50.value == .value(5) && cold.untilText.count == 7)
        #expect(try rule("processes started", result).isMet)
        #expect(result.measurements[0].invalidReason == nil)
    }

    @Test func aColdReadingThatDiesCostsItself() throws {
        let setup = try ScriptedRun(
            [Sample.made("victim"), Sample.made("a"), Sample.made("b")],
            variants: ["t": "killed-cold"],
            scenario: Scenario(kind: .cold, readings: 6)
        )
        let (result, _) = try setup.run()
        #expect(result.measurements[0].outcomes == ["read": 4, "workerDied": 2])
        #expect(result.measurements[0].findings?.cold?.untilText.count == 4)
    }

    @Test func coldReadingsThatDieBetweenOthersGiveNothingUp() throws {
        let setup = try ScriptedRun(
            [Sample.made("victim"), Sample.made("a")],
            variants: ["t": "killed-cold"],
            scenario: Scenario(kind: .cold, readings: 14)
        )
        #expect(try setup.run().result.measurements[0].outcomes == ["read": 7, "workerDied": 7])
    }

    @Test func soakGoesOnForItsTime() throws {
        let setup = try ScriptedRun(spines(4), variants: ["t": ""], scenario: Scenario(kind: .soak, seconds: 0.3))
        let folder = try RunFolder.create(setup.path, setup.configuration)
        // Times of the test's clock, which takes 0.05 s per reading.
        let result = try setup.start(in: folder) { [deadlines = setup.deadlines] in
            if case .readingDone = $0 { deadlines.advance(by: .milliseconds(50)) }
        }
        #expect(folder.records().count >= 6)
        let soak = try #require(result.measurements[0].findings?.soak)
        #expect(soak.windows.reduce(0) { $0 + $1.readings } == folder.records().count)
        // The scripted worker always holds as much.
        #expect(soak.leak.slope == .value(0))
        #expect(result.isPartial == false && result.measurements[0].planned == folder.records().count)
    }

    /// Stops a run of one sample as soon as its worker has begun to read it, and then does `act`.
    private func stop(_ setup: ScriptedRun, then act: @escaping @Sendable (ManualDeadlines) -> Void) throws -> RunFolder
    {
        let interruption = Interruption()
        setup.whenAWorkerHangs {
            interruption.stop(signal: 2)
            act($0)
        }
        let folder = try RunFolder.create(setup.path, setup.configuration)
        #expect(throws: HarnessError.interrupted(signal: 2)) { try setup.start(in: folder, interruption: interruption) }
        return folder
    }

    @Test(arguments: [Scenario(kind: .single), Scenario(kind: .server, ratePerSecond: 10, readings: 1_000)])
    func aReadingInFlightMayEndWhenTheRunIsStopped(scenario: Scenario) throws {
        let setup = try ScriptedRun([Sample.made("victim")], variants: ["t": "lingers"], scenario: scenario)
        let go = setup.folder.path + "/t.state.go"
        let folder = try stop(setup) { _ in _ = FileManager.default.createFile(atPath: go, contents: nil) }
        #expect(folder.records().first?.outcome == .read)
        #expect(folder.recordedEvents().contains { $0.kind == .conditions })
        // The scripted worker cannot drop received requests.
        #expect(scenario.kind == .server || folder.records().count == 1)
    }

    @Test func aReadingThatHangsIsNotWaitedForWhenTheRunIsStopped() throws {
        let setup = try ScriptedRun([Sample.made("victim")], variants: ["t": "hangs"])
        let isOver = Flag()
        defer { isOver.set() }
        let folder = try stop(setup) { deadlines in
            // Its grace begins when the harness has heard of the stop.
            while !isOver.isSet {
                deadlines.advance(by: .seconds(6))
                usleep(2_000)
            }
        }
        #expect(folder.records().isEmpty)
    }

    @Test func aStoppedServerGoesOnWhereItStopped() throws {
        let scenario = Scenario(kind: .server, ratePerSecond: 2_000, readings: 400)
        let setup = try ScriptedRun(spines(20), variants: ["t": ""], scenario: scenario)
        let interruption = Interruption()
        let folder = try RunFolder.create(setup.path, setup.configuration)
        #expect(throws: HarnessError.interrupted(signal: 15)) {
            try setup.start(in: folder, interruption: interruption) {
                if case .readingDone(_, done: 30, _) = $0 { interruption.stop(signal: 15) }
            }
        }
        let before = folder.records()
        #expect(before.count >= 30)
        let result = try setup.start(in: RunFolder.open(setup.path).folder)
        let records = folder.records()
        #expect(records.count == 400 && Array(records.prefix(before.count)) == before)
        #expect(result.measurements[0].outcomes == ["read": 400])
    }
}
