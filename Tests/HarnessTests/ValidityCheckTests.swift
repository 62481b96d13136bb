import SpineDatasets
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness

/// Rules on readings made up by hand.
@Suite(.tags(.unit)) struct ValidityCheckTests {
    private func check(
        _ scenario: Scenario,
        _ records: [SampleRecord],
        _ events: [RunEvent] = [],
        samples: Int = 10
    ) -> [String: ValidityRule] {
        let samples = (0..<samples).map { Sample.made("s\($0)") }
        let plan = ScenarioPlan(scenario, samples: samples, repetitions: 1, seeds: [1]) { _ in 1 }
        let rules = ValidityCheck(scenario: scenario, plan: plan, records: records, events: events).rules
        return Dictionary(uniqueKeysWithValues: rules.map { ($0.name, $0) })
    }

    @Test func readingsAreRequiredForThePercentilesThatTargetsAskFor() {
        let samples = (0..<10).map { Sample.made("s\($0)") }
        let plan = ScenarioPlan(Scenario(kind: .single), samples: samples, repetitions: 1, seeds: [1]) { _ in 1 }
        let records = samples.map {
            SampleRecord(measurement: "m", repetition: 1, position: 0, id: $0.id, outcome: .read, milliseconds: 1)
        }
        func rule(_ percent: Int?) -> ValidityRule? {
            ValidityCheck(scenario: Scenario(kind: .single), plan: plan, records: records, events: [], percent: percent)
                .rules.first { $0.name.hasPrefix("readings for") }
        }
        #expect(rule(95)?.isMet == false)
        // 1 − 0.5⁷ = 0.992: seven readings bound a median with 99 % confidence.
        #expect(rule(50) == ValidityRule("readings for P50", required: "≥ 7", seen: "10", isMet: true))
        #expect(rule(nil) == nil)
    }

    /// Readings that were due at `due` seconds and done at `end`.
    private func served(_ times: [(due: Double, end: Double)]) -> [SampleRecord] {
        times.enumerated().map { index, time in
            var record = SampleRecord(measurement: "m", repetition: 1, position: 0, id: "\(index)", outcome: .read)
            (record.worker, record.atSeconds) = (1, time.due)
            (record.milliseconds, record.serviceMilliseconds) = ((time.end - time.due) * 1_000, 10)
            return record
        }
    }

    private func conditions(
        jump: Double = 0,
        suspended: Double = 0,
        others: Double? = 0,
        stolen: Double? = 0,
        load: Double? = 0
    ) -> RunEvent {
        var start = MachineReading(
            wallSeconds: 0,
            continuousSeconds: 0,
            awakeSeconds: 0,
            loadAverage: load,
            ownSeconds: 0,
            processors: others.map { _ in ProcessorTimes(busy: 0, stolen: 0, total: 0) }
        )
        var end = start
        (end.continuousSeconds, end.wallSeconds, end.awakeSeconds) = (10, 10 + jump, 10 - suspended)
        if let others, let stolen {
            end.processors = ProcessorTimes(busy: others * 20, stolen: stolen * 20, total: 20)
        }
        start.ownSeconds = 0
        return RunEvent(kind: .conditions, time: "", conditions: Conditions(from: start, to: end, cores: 2))
    }

    @Test func aServerThatKeepsUpIsValid() throws {
        let records = served((1...100).map { (Double($0) / 10, Double($0) / 10 + 0.02) })
        let rules = check(Scenario(kind: .server, ratePerSecond: 10, readings: 90), records)
        // 100 in 10 s were scheduled, and the last one was done after 10.02 s.
        #expect(
            rules["rate achieved"]?.text
                == "rate achieved: required within 5.0 % of the 10.00/s that were scheduled, measured 9.98/s"
        )
        #expect(rules["rate achieved"]?.isMet == true)
        #expect(rules["queue does not grow"]?.isMet == true && rules["queue does not grow"]?.seen == "1")
    }

    @Test func aServerThatFallsBehindIsNot() throws {
        // Each takes twice as long as the time between two arrivals.
        let records = served((1...100).map { (Double($0) / 10, Double($0) / 5 + 0.1) })
        let rules = check(Scenario(kind: .server, ratePerSecond: 10, readings: 90), records)
        #expect(rules["rate achieved"]?.isMet == false)
        // Those that end by 10 s are finished then: 49 of 100.
        #expect(rules["queue does not grow"]?.seen == "51" && rules["queue does not grow"]?.isMet == false)
    }

    @Test func aClockThatJumpsInvalidates() {
        #expect(check(Scenario(kind: .single), [], [conditions(jump: 0.4)])["clock steady"]?.isMet == true)
        let back = check(Scenario(kind: .single), [], [conditions(), conditions(jump: -3_600)])["clock steady"]
        #expect(back?.isMet == false && back?.invalidates == true)
        #expect(back?.seen == "time of day moved by -3600.00 s")
        let asleep = check(Scenario(kind: .single), [], [conditions(suspended: 8)])["clock steady"]
        #expect(asleep?.isMet == false && asleep?.seen.hasSuffix("the machine was suspended for 8.0 s") == true)
    }

    @Test func aBusyMachineOnlyRaisesDoubts() {
        let quiet = check(Scenario(kind: .single), [], [conditions(others: 0.1, stolen: 0.02)])["machine quiet"]
        #expect(quiet?.isMet == true && quiet?.invalidates == false)
        #expect(quiet?.seen == "10.0 %, 2.0 % stolen, load average 0.00 before")
        #expect(check(Scenario(kind: .single), [], [conditions(others: 0.3)])["machine quiet"]?.isMet == false)
        #expect(check(Scenario(kind: .single), [], [conditions(stolen: 0.05)])["machine quiet"]?.isMet == false)
        // Without the kernel's table the load average decides.
        let mac = [conditions(others: nil, stolen: nil, load: 2.5)]
        #expect(check(Scenario(kind: .single), [], mac)["machine quiet"]?.seen == "load average 2.50 before")
        #expect(check(Scenario(kind: .single), [], mac)["machine quiet"]?.isMet == false)
    }

    @Test func fewReadingsBearNoP95() {
        let rules = check(Scenario(kind: .single), served((0..<89).map { (Double($0), Double($0)) }))
        #expect(rules["readings for P95"]?.text == "readings for P95: required ≥ 90, measured 89")
        #expect(rules["readings for P95"]?.isMet == false)
        #expect(
            check(Scenario(kind: .single), served((0..<90).map { (Double($0), Double($0)) }))["readings for P95"]?.isMet
                == true
        )
    }

    @Test func aSoakThatIsTooShortIsTold() {
        let records = served([(0, 0.1), (100, 100.5)])
        let rule = check(Scenario(kind: .soak), records)["duration"]
        #expect(rule?.required == "≥ 5 min" || rule?.required == "≥ 5 min 0 s")
        #expect(rule?.isMet == false)
        #expect(check(Scenario(kind: .soak, seconds: 100), records)["duration"]?.isMet == true)
    }

    @Test func processesThatDidNotStartAreMissed() {
        let events = (0..<9).map { _ in RunEvent(kind: .ready, time: "") }
        #expect(
            check(Scenario(kind: .cold), [], events)["processes started"]?.text
                == "processes started: required 10, measured 9"
        )
    }

    @Test func whatWasStoppedIsNotComplete() {
        let rule = check(Scenario(kind: .single), served([(0, 1)]))["complete"]
        #expect(rule?.text == "complete: required all 10 readings, measured 1 reading, then it was stopped")
        #expect(rule?.isMet == false)
    }
}
