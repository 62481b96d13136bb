import Basics
import DeviceSimulation
import Evaluation
import ScanningPolicies
import TestSupport
import Testing

@testable import Harness
@testable import Results

/// E-01, E-02, E-08 and E-14.
@Suite struct SessionAnswerTests {
    // MARK: E-01

    /// Returns a reading of a time in ms on the device, at 2 W; the picture takes no work of the device.
    private func radio(_ milliseconds: Double, picture: Int) throws -> Finding {
        PlantedRun.input(
            [try PlantedRun.profile()],
            [
                PlantedRun.subject("local", tier: "fast", milliseconds: [milliseconds]),
                PlantedRun.subject("text", tier: "hybrid", .hybrid, milliseconds: [milliseconds], bytesUp: 400),
                PlantedRun.subject("picture", tier: "upload", .talariaOnly, milliseconds: [0], bytesUp: picture),
            ]
        ).finding(.computeOrRadio)
    }

    /// 0.02 J against 5 MB; 100 J against a modem's tail of at most 10 J; 2 J are between a shared tail of Wi-Fi and
    /// that.
    @Test(arguments: [
        (10.0, 5_000_000, Finding.Decision.holds), (50_000, 20_000, .doesNotHold), (1_000, 20_000, .undecided),
    ])
    func readingHereIsComparedWithThePicture(_ work: Double, _ picture: Int, _ decision: Finding.Decision) throws {
        #expect(try radio(work, picture: picture).decision == decision)
    }

    /// Text over cellular wakes the modem: a tail of 10 s at 1 W, a twentieth of it when shared.
    @Test func whatTheTextTakesIsThisRuns() throws {
        let answer = try radio(10, picture: 5_000_000).answer
        #expect(answer.contains("on cellular the text takes 10."))
        #expect(answer.contains("0.5"))
        #expect(!answer.contains("not free"))
    }

    // MARK: E-02

    private func minutes(
        _ milliseconds: Double = 1,
        _ changes: [DeviceFigure: Estimate] = [:],
        isIdentified: Bool = true
    ) throws -> Finding {
        var subject = PlantedRun.subject("fast", tier: "fast", milliseconds: [milliseconds])
        if !isIdentified { for index in subject.readings.indices { subject.readings[index].isIdentified = false } }
        let input = PlantedRun.input([try PlantedRun.profile("Phone A", changes)], [subject])
        return TenMinutesQuestion(input: input, minutes: 1).finding
    }

    /// Computed by hand: every frame is read, 30 a second for at most 60 s, each 1 ms of a CPU of 2 W.
    ///
    /// That is at most 3.6 J for some 10 spines; 5 ms at 20 W are 50 times as much. Screen and camera have no effect.
    @Test func readingIsJudgedByTheEnergyOfABook() throws {
        let holds = try minutes()
        #expect(holds.decision == .holds, "\(holds.answer)")
        #expect(holds.answer.hasPrefix("Reading adds less than 2 J a book in all 4 sessions"))
        #expect(try minutes(1, [.cameraPower: PlantedRun.exact(9)]).decision == .holds)
        let fails = try minutes(5, [.cpuPower: PlantedRun.exact(20)])
        #expect(fails.decision == .doesNotHold, "\(fails.answer)")
        #expect(fails.answer.hasPrefix("Reading adds 2 J a book or more in "))
        let open = try minutes(5, [.cpuPower: PlantedRun.between(1, 2, 20)])
        #expect(open.decision == .undecided, "\(open.answer)")
        // 0.5 + 0.5 + 1 + 2 + 3 + 1 + 2 W on 10 Wh.
        #expect(holds.answer.hasSuffix("with all on at once the devices draw 1.7 % (K-4)."))
    }

    @Test func energyThatBringsNoBookIsMissed() throws {
        let finding = try minutes(isIdentified: false)
        #expect(finding.decision == .doesNotHold && finding.answer.contains("no book at all"))
    }

    // MARK: E-08

    /// Policies are equal without waiting and heat: readings of 600 ms are longer than any interval.
    @Test func policiesThatDoNotActAreNotCompared() throws {
        let finding = try policies([.fairAt: 70, .seriousAt: 75, .criticalAt: 79], minutes: 0.5)
        #expect(finding.decision == .undecided, "\(finding.answer)")
        #expect(finding.answer.hasPrefix("No policy differs"))
    }

    /// The device itself is critical, with any reader: stopping leaves books, and no heat.
    @Test func aPolicyThatIsBestInBothIsNamed() throws {
        let finding = try policies([.fairAt: 26, .seriousAt: 26.001, .criticalAt: 26.002], minutes: 2)
        #expect(finding.decision == .holds, "\(finding.answer)")
        #expect(finding.answer.hasPrefix("Yes: none, by books"))
    }

    /// 4 W keep the skin at 49 °C, and 2 W without the reader at 37: who stops when it is critical leaves heat and
    /// books.
    @Test func booksAgainstHeatDoesNotHold() throws {
        let finding = try policies(
            [.fairAt: 44, .seriousAt: 45, .criticalAt: 45.2, .hysteresis: 3, .skinCapacity: 5],
            minutes: 5
        )
        #expect(finding.decision == .doesNotHold, "\(finding.answer)")
        #expect(finding.answer.hasPrefix("No: most books with none"))
    }

    private func policies(_ figures: [DeviceFigure: Double], minutes: Double) throws -> Finding {
        let input = PlantedRun.input(
            [try PlantedRun.profile("Phone A", figures.mapValues(PlantedRun.exact))],
            [PlantedRun.subject("accurate", tier: "accurate", milliseconds: [600])]
        )
        return ThermalPoliciesQuestion(input: input, minutes: minutes).finding
    }

    // MARK: E-14

    private func cold(_ first: Double, load: Double = 200, count: Int = 20, lost: Int = 0) -> Finding {
        let records = (0..<(count + lost)).map { place in
            var record = PlantedRun.record("fast", "v\(place)", text: first)
            (record.milliseconds, record.readyMilliseconds, record.loadMilliseconds) = (first, load + 20, load)
            if place >= count { (record.outcome, record.milliseconds, record.prediction) = (.timedOut, nil, nil) }
            return record
        }
        var measurement = PlantedRun.measurement("fast", records: records)
        measurement.findings = ScenarioFindings(Scenario(kind: .cold), records: records, events: [])
        return PlantedRun.input([], [], measurements: [measurement], records: records).finding(.coldStart)
    }

    @Test func aStartIsInTimeOrNot() {
        let holds = cold(300)
        #expect(holds.decision == .holds && holds.evidence == .measured)
        #expect(holds.answer.hasPrefix("fast: the first text within 500 ms"))
        #expect(cold(900).decision == .doesNotHold)
        #expect(cold(300, load: 1_000).decision == .doesNotHold)
        #expect(cold(300, count: 3).decision == .undecided)
    }

    /// 21 of 41 starts never reached a text: so did the median.
    @Test func startsThatNeverCameToATextAreLate() {
        #expect(cold(300, count: 20, lost: 21).decision == .doesNotHold)
        #expect(cold(300, count: 0, lost: 20).decision == .doesNotHold)
    }
}
