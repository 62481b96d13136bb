import Basics
import DeviceSimulation
import Evaluation
import ScanningPolicies
import SpineDatasets
import Testing

@testable import Harness
@testable import Results

/// E-03 and E-13: limits of 50, 150, 200 and 1000 ms; on the devices the figures of an A15 spread a time by 0.6 to 1.7.
@Suite struct LatencyAnswerTests {
    private func claims(
        _ subject: AssessmentSubject,
        records: [SampleRecord] = [],
        measurements: [MeasurementResult] = [],
        profiles: [String] = ["Phone A", "Phone B"]
    ) throws -> Finding {
        PlantedRun.input(
            try profiles.map { try PlantedRun.profile($0) },
            [subject],
            measurements: measurements,
            records: records
        ).finding(.latencyClaims)
    }

    /// Returns two readings of each of 240 spines.
    private func fast(
        _ milliseconds: [Double],
        unanswered: Int = 0,
        method: PercentileMethod = .nearestRank
    ) -> AssessmentSubject {
        PlantedRun.subject(
            "fast",
            tier: "fast",
            milliseconds: milliseconds,
            unanswered: unanswered,
            samples: min(240, milliseconds.count + unanswered),
            method: method
        )
    }

    @Test func aClaimThatEveryPlausibleFigureKeepsHolds() throws {
        let finding = try claims(fast(PlantedRun.repeated(5, 480)))
        #expect(finding.decision == .holds && finding.evidence == .modelled)
        #expect(finding.answer.contains("fast < 50 ms holds in 2 of 2 devices, does not in 0"))
        // 480 readings are enough for a P99.
        #expect(finding.tables[0].rows.map { $0[6] } == ["5.0 ms", "5.0 ms"])
    }

    @Test func aClaimThatNoPlausibleFigureKeepsDoesNot() throws {
        #expect(try claims(fast(PlantedRun.repeated(500, 480))).decision == .doesNotHold)
    }

    /// 40 ms are 24 to 68 over the plausible figures.
    @Test func aClaimThatSomePlausibleFiguresKeepIsOpen() throws {
        let finding = try claims(fast(PlantedRun.repeated(40, 480)))
        #expect(finding.decision == .undecided)
        #expect(finding.tables[0].rows[0].last == "depends on the device's figures")
        #expect(finding.tables[0].rows[0][5] == "40.0 ms [24.0, 68.0]")
    }

    /// A tenth of the readings had no answer: P95 is one of them.
    @Test func readingsWithoutAnAnswerAreLongerThanAllOthers() throws {
        let finding = try claims(fast(PlantedRun.repeated(5, 432), unanswered: 48))
        #expect(finding.decision == .doesNotHold)
        #expect(finding.tables[0].rows[0][5].hasPrefix("more than 5 % of the readings had no answer"))
        #expect(try claims(fast([], unanswered: 480)).decision == .doesNotHold)
    }

    @Test func aPercentileIsClaimedOnlyFromEnoughReadings() throws {
        let few = try claims(fast(PlantedRun.repeated(5, 60)))
        #expect(few.decision == .undecided)
        #expect(few.tables[0].rows[0][5] == "n too small (needs ≥ 90)")
        let hundred = try claims(fast(PlantedRun.repeated(5, 100)))
        #expect(hundred.decision == .holds)
        #expect(hundred.tables[0].rows[0][6] == "n too small (needs ≥ 459)")
    }

    /// P95 of 100 readings is the 95th by nearest rank, and the 96th by the document's formula (K-3).
    @Test(arguments: [(PercentileMethod.nearestRank, "5.0 ms"), (.seed, "500.0 ms")])
    func percentilesArePickedByTheRunsFormula(_ method: PercentileMethod, _ p95: String) throws {
        let times = PlantedRun.repeated(5, 95) + PlantedRun.repeated(500, 5)
        let finding = try claims(fast(times, method: method))
        #expect(finding.tables[0].rows[0][5].hasPrefix(p95))
    }

    /// Each network is still one measurement on five devices.
    @Test func waitsAreCountedOnceAndNotForEveryDevice() throws {
        func upload(_ name: String, wait: Double, queued: Int = 0) -> AssessmentSubject {
            PlantedRun.subject(
                name,
                tier: "upload",
                .talariaOnly,
                milliseconds: PlantedRun.repeated(5, 480),
                wait: wait,
                queued: queued,
                samples: 240
            )
        }
        let profiles = try ["A", "B", "C", "D", "E"].map { try PlantedRun.profile($0) }
        let finding = PlantedRun.input(profiles, [upload("wifi", wait: 200), upload("poor", wait: 2_000)])
            .finding(.latencyClaims)
        #expect(finding.decision == .doesNotHold)
        #expect(
            finding.answer.contains("upload < 1000 ms holds in 1 of 2 measurements on every device, does not in 1,")
        )
        // Deferred scans were given up after 200 ms, and have no answer.
        #expect(try claims(upload("queued", wait: 200, queued: 48)).decision == .doesNotHold)
        #expect(try claims(upload("queued", wait: 200, queued: 0)).decision == .holds)
    }

    /// Time from the text to the book: 100 ms, and 300 for one in five.
    @Test(arguments: [(0, Finding.Decision.holds), (48, .doesNotHold)])
    func enrichmentIsTheRunsOwnAndOfNoDevice(_ late: Int, _ decision: Finding.Decision) throws {
        let records = PlantedRun.spines.enumerated().map { place, spine in
            PlantedRun.record("enrich", spine.id, enriched: place < late ? 350 : 150, text: 50)
        }
        let finding = try claims(
            PlantedRun.subject("enrich", tier: "enrich", .hybrid, milliseconds: [5], wait: 100),
            records: records,
            measurements: [PlantedRun.measurement("enrich", records: records)]
        )
        #expect(finding.decision == decision && finding.evidence == .measured)
        #expect(finding.tables[0].rows.map { $0[1] } == ["any"])
        #expect(finding.answer.contains("enrichment < 200 ms holds in \(late == 0 ? 1 : 0) of 1 measurement,"))
    }

    @Test func aRunWithoutAClaimIsNotAnswered() throws {
        let finding = try claims(PlantedRun.subject("tesseract", tier: "tesseract", milliseconds: [5]))
        #expect(finding.decision == .undecided && finding.answer.hasPrefix("Not answered: "))
    }

    // MARK: E-13

    private static let phones = DeviceAssessment.seedMatrix.map(\.device)

    private func matrix(
        capacity: Double = 40,
        accurate: Double = 20,
        fast: Double = 5,
        count: Int = 100,
        unanswered: Int = 0,
        memory: Double? = 150,
        phones: [String] = phones
    ) throws -> Finding {
        func subject(_ tier: String, _ milliseconds: Double) -> AssessmentSubject {
            PlantedRun.subject(
                tier,
                tier: tier,
                milliseconds: PlantedRun.repeated(milliseconds, count),
                unanswered: unanswered,
                memory: memory
            )
        }
        let profiles = try phones.map {
            try PlantedRun.profile($0, [.batteryCapacity: PlantedRun.exact(capacity)])
        }
        let input = PlantedRun.input(profiles, [subject("fast", fast), subject("accurate", accurate)])
        return DeviceMatrixQuestion(input: input, minutes: 0.1).finding
    }

    /// The CPU's 2 W are at most 3.6 kJ in half an hour: 2.5 % of 40 Wh.
    @Test func aMatrixThatMeetsEverythingHolds() throws {
        let finding = try matrix()
        #expect(finding.decision == .holds)
        #expect(finding.answer.contains("iPhone 12: accurate meets all;"))
    }

    @Test func aLowerQualityThatMeetsEverythingIsNamed() throws {
        let finding = try matrix(accurate: 1_000)
        #expect(finding.decision == .holds)
        #expect(finding.answer.contains("iPhone 12: needs fast, 1 quality level lower;"))
    }

    /// 3.6 kJ of screen and camera are 20 % of 5 Wh, which is not reading's; a reader that works all the time at 2 W
    /// takes as much.
    @Test func whatThePhoneTakesWithoutReadingIsNotHeldAgainstIt() throws {
        let finding = try matrix(capacity: 5, accurate: 5, fast: 1)
        #expect(finding.decision == .holds, "\(finding.answer)")
        #expect(finding.tables[0].rows[0].contains { $0 == "meets all" })
    }

    @Test func aPhoneThatMissesWithEveryQualityDoesNotHold() throws {
        let finding = try matrix(capacity: 5, accurate: 140, fast: 45)
        #expect(finding.decision == .doesNotHold)
        #expect(finding.answer.contains("% in 30 min of 10"))
        #expect(try matrix(accurate: 1_000, fast: 1_000).decision == .doesNotHold)
        // P95 is a reading without an answer.
        #expect(try matrix(unanswered: 20).decision == .doesNotHold)
    }

    @Test func whatIsMissingLeavesTheMatrixOpen() throws {
        #expect(try matrix(memory: nil).decision == .undecided)
        #expect(try matrix(count: 60).decision == .undecided)
        #expect(try matrix(phones: Array(Self.phones.prefix(4))).decision == .undecided)
        // 100 ms are 60 to 170 over the plausible figures, and 45 are 27 to 77.
        #expect(try matrix(accurate: 100, fast: 45).decision == .undecided)
    }
}
