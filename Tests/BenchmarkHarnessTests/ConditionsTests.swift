import Testing

@testable import BenchmarkHarness

@Suite struct ConditionsTests {
    private let start = MachineReading(
        wallSeconds: 1_000,
        continuousSeconds: 50,
        awakeSeconds: 40,
        loadAverage: 0.25,
        ownSeconds: 3,
        processors: ProcessorTimes(busy: 100, stolen: 5, total: 400)
    )

    @Test func whatOthersTookIsWhatWasBusyLessOnesOwn() throws {
        var end = start
        (end.wallSeconds, end.continuousSeconds, end.awakeSeconds) = (1_010, 60, 50)
        (end.ownSeconds, end.processors) = (12, ProcessorTimes(busy: 110, stolen: 6, total: 420))
        let conditions = Conditions(from: start, to: end, cores: 2)
        #expect(conditions.seconds == 10 && conditions.wallJumpSeconds == 0 && conditions.suspendedSeconds == 0)
        // 10 s busy of 20 s of two processors, 9 s of them one's own; 1 s stolen.
        #expect(conditions.otherShare == 0.05 && conditions.stealShare == 0.05)
        #expect(conditions.loadAverageBefore == 0.25)
    }

    @Test func aClockThatWasSetAndASuspensionShow() {
        var end = start
        // An hour forward, eight of ten seconds asleep.
        (end.wallSeconds, end.continuousSeconds, end.awakeSeconds) = (4_610, 60, 42)
        let conditions = Conditions(from: start, to: end, cores: 2)
        #expect(conditions.wallJumpSeconds == 3_600 && conditions.suspendedSeconds == 8)
        // The processors' counters did not move: nothing can be said of them.
        #expect(conditions.otherShare == nil && conditions.stealShare == nil)
    }

    @Test func processorTimesAreReadFromTheKernelsTable() {
        // user nice system idle iowait irq softirq steal guest guest_nice, in hundredths of a second.
        let text = "cpu  1000 200 300 4000 500 60 40 700 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n"
        #expect(ProcessorTimes.parse(text) == ProcessorTimes(busy: 16, stolen: 7, total: 68))
        #expect(ProcessorTimes.parse("cpu 1 2 3\n") == nil)
        #expect(ProcessorTimes.parse("") == nil)
    }
}
