import DeviceSimulation
import ScanningPolicies
import Testing

@testable import Harness
@testable import Judging

/// E-15, on a phone with a CPU of 2 W, a Neural Engine of 1 W and 10 Wh.
@Suite struct LadderAnswerTests {
    private typealias Fault = LadderQuestion.Fault
    private typealias Result = LadderQuestion.Outcome.Result

    /// 120 ms and 0.14 J a reading at best, 30 ms and 0.04 J below.
    private static let accurate = ReadingCost(imageSeconds: 0.02, inferenceSeconds: 0.1)
    private static let fast = ReadingCost(imageSeconds: 0.01, inferenceSeconds: 0.02)

    private func outcome(
        _ kind: Fault.Kind,
        accurate: [ReadingCost] = [accurate],
        fast: [ReadingCost] = [fast],
        memory: (accurate: Double?, fast: Double?) = (150, 20),
        _ changes: [DeviceFigure: Double] = [:]
    ) throws -> LadderQuestion.Outcome {
        let profile = try PlantedRun.profile("Phone A", changes.mapValues(PlantedRun.exact))
        let phone = LadderQuestion.Phone(
            accurate: .init(costs: accurate, memory: memory.accurate),
            fast: .init(costs: fast, memory: memory.fast),
            values: profile.values(),
            unit: .neuralEngine,
            target: try #require(ModelTarget.named("accurate"))
        )
        return LadderQuestion.outcome(Fault(name: "planted", kind: kind), on: phone)
    }

    /// So slow that 120 ms become 315, and 30 become 79.
    @Test func aFasterReaderHelpsASlowDevice() throws {
        let outcome = try outcome(.slow(2.1))
        #expect(outcome.result == .helped)
        #expect(outcome.with.lowest == .medium && outcome.without.lowest == .high)
        let back = try #require(outcome.with.backAfter)
        // Without the ladder the device is slow for its minute, and then it takes readings until P95 shows it.
        #expect(back < 60 && (outcome.without.backAfter ?? 0) > 60)
        #expect(outcome.with.recoveredAfter != nil)
    }

    /// A reader that is not faster gains nothing: the fault goes on at every quality.
    @Test func aReaderThatIsNotFasterDoesNotHelpASlowDevice() throws {
        let outcome = try outcome(.slow(2.1), fast: [Self.accurate])
        #expect(outcome.result == .didNotHelp)
        #expect(outcome.with.lowest == nil)
    }

    /// S3-23, S3-24 and K-26: above 2 times critical, above 1.5 a warning.
    ///
    /// Of 100 readings, so that P95 alone is too long.
    @Test(arguments: [
        (1.6, PerformanceAlert.Severity.warning, ReadingQuality.high), (2.1, .critical, .medium),
    ])
    func alertsAreAsBadAsTheLatency(
        _ factor: Double,
        _ severity: PerformanceAlert.Severity,
        _ lowest: ReadingQuality
    ) throws {
        // Nine of ten take a third, and stay within the target at any of the factors.
        let mixed = (0..<10).map { $0 == 0 ? Self.accurate : Self.fast }
        let outcome = try outcome(.slow(factor), accurate: mixed)
        #expect(outcome.with.severity == severity)
        #expect(outcome.with.lowest == lowest)
        #expect(outcome.result == (severity == .critical ? .helped : .didNotHelp))
    }

    /// 320 MB with 150 of the reader: the rest of 170 goes on.
    ///
    /// With 20 of the lower one that is 190 of 200.
    @Test func aSmallerReaderHelpsWhereTheRestFits() throws {
        let outcome = try outcome(.held(1.6))
        #expect(outcome.result == .helped && outcome.with.lowest == .medium)
    }

    /// Both readers hold 150: only without one are the 170 of the rest within 200.
    @Test func aReaderAsLargeHasToGo() throws {
        let outcome = try outcome(.held(1.6), memory: (150, 150))
        #expect(outcome.result == .helped && outcome.with.lowest == nil)
        #expect(outcome.with.read < outcome.readable)
    }

    /// With 50 of the reader the rest is 270: more than 200 without any.
    @Test(arguments: [Fault.Kind.held(1.6), .warned(1.6)])
    func nothingHelpsWhereTheRestIsTooMuch(_ kind: LadderQuestion.Fault.Kind) throws {
        #expect(try outcome(kind, memory: (50, 20)).result == .didNotHelp)
    }

    @Test func aMemoryWarningUnloadsAtOnce() throws {
        let outcome = try outcome(.warned(1.6))
        #expect(outcome.result == .helped && outcome.with.lowest == nil)
        // Before anybody can see that too much is held.
        #expect(outcome.with.leftAfter == nil && outcome.without.leftAfter == 0)
        #expect(outcome.with.recoveredAfter != nil)
    }

    @Test func memoryThatWasNotMeasuredIsNotJudged() throws {
        #expect(try outcome(.held(1.6), memory: (nil, 20)).result == .notJudged("memory was not measured"))
        #expect(try outcome(.held(1.6), memory: (150, nil)).result == .notJudged("memory was not measured"))
        let large = try outcome(.held(1.6), memory: (250, 20))
        #expect(large.result == .notJudged("out of its target without the fault"))
    }

    /// 22 % by 0.14 J twice a second: 0.04 J 1.5 times a second are 22 · 0.04 / 0.14 · 0.75 = 4.7 %.
    @Test func aThriftierReaderHelpsTheBattery() throws {
        let outcome = try outcome(.draining(22))
        #expect(outcome.result == .helped && outcome.with.lowest == .medium)
    }

    /// 0.0967 J: 22 · 0.69 · 0.75 = 11.4 %, above the 10 allowed and below the 12 of a warning.
    @Test func aReaderAsThirstyDoesNotHelpTheBattery() throws {
        let thirsty = ReadingCost(imageSeconds: 0.02, inferenceSeconds: 0.0567)
        let outcome = try outcome(.draining(22), fast: [thirsty])
        #expect(outcome.result == .didNotHelp && outcome.with.lowest == .medium)
    }

    /// Half the speed makes 240 ms of 120 and 60 of 30.
    @Test func lowPowerModeIsSlowForEveryReader() throws {
        #expect(try outcome(.lowPower).result == .helped)
        #expect(try outcome(.lowPower, fast: [Self.accurate]).result == .didNotHelp)
        #expect(try outcome(.lowPower, [.lowPowerSpeed: 1]).result == .harmless)
    }

    /// 2 W without the reader warm the skin to 37 °C, 0.28 W · 0.75 of the reader to 38.3: it takes longer to get from 41 to 39.
    @Test func lessWorkLetsADeviceCoolSooner() throws {
        let outcome = try outcome(.hot(.serious), [.skinCapacity: 40])
        #expect(outcome.result == .helped)
        #expect(try #require(outcome.with.backAfter) < #require(outcome.without.backAfter))
    }

    /// 3 W without the reader keep the skin at 43 °C.
    @Test func nothingCoolsADeviceThatIsHotByItself() throws {
        let outcome = try outcome(.hot(.serious), [.skinCapacity: 40, .cameraPower: 2])
        #expect(outcome.result == .didNotHelp && outcome.with.backAfter == nil)
    }

    @Test func criticalHeatUnloadsAtOnce() throws {
        let outcome = try outcome(.hot(.critical), [.skinCapacity: 20])
        #expect(outcome.with.lowest == nil && outcome.result == .helped)
    }

    /// Half of the spines' titles can be read, without a fault too.
    @Test func titlesAreOfThoseThatAreReadWithoutTheFault() throws {
        var unread = Self.accurate
        unread.isIdentified = false
        let outcome = try outcome(.slow(2.1), accurate: [Self.accurate, unread])
        #expect(outcome.readable == 60 && outcome.without.read <= 60)
    }

    private func finding(memory: Double, fast: Double = 30) throws -> Finding {
        let profile = try PlantedRun.profile("Phone A", [.skinCapacity: PlantedRun.exact(20)])
        return PlantedRun.input(
            [profile],
            [
                PlantedRun.subject("fast", tier: "fast", milliseconds: [fast], memory: 20),
                PlantedRun.subject("accurate", tier: "accurate", milliseconds: [120], memory: memory),
            ]
        ).finding(.ladder)
    }

    @Test func theAnswerIsThatOfAllFaults() throws {
        let holds = try finding(memory: 150)
        #expect(holds.decision == .holds)
        #expect(holds.answer.contains("brings back what went wrong in 9 of 9 faults"))
        let fails = try finding(memory: 50)
        #expect(fails.decision == .doesNotHold)
        #expect(fails.answer.contains("not for memory at 160 %, memory warning"))
    }

    @Test func withoutReadingsThereIsNoAnswer() throws {
        let input = PlantedRun.input(
            [try PlantedRun.profile()],
            [
                PlantedRun.subject("fast", tier: "fast", milliseconds: []),
                PlantedRun.subject("accurate", tier: "accurate", milliseconds: []),
            ]
        )
        #expect(input.finding(.ladder).decision == .undecided)
    }
}
