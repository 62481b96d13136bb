import Basics
import Foundation
import ScanningPolicies
import SpineDatasets
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness
@testable import Systems
@testable import spinebench_tools

/// A run that is watched in its folder: two variants over one dataset, `fast` with a target of 50 ms.
@Suite struct WatchTests {
    private static let start = Date(timeIntervalSince1970: 1_772_366_400)  // 2026-03-01T12:00:00Z

    private static func event(_ kind: RunEvent.Kind, _ id: String? = nil, planned: [String: Int]? = nil) -> RunEvent {
        RunEvent(kind: kind, time: "2026-03-01T12:00:00Z", measurement: id, planned: planned)
    }

    /// Returns a reading of `fast`, one every tenth of a second.
    private static func record(
        _ number: Int,
        _ milliseconds: Double? = 20,
        _ outcome: SampleRecord.Outcome = .read,
        worker: Int = 1,
        id: String = "fast"
    ) -> SampleRecord {
        var record = SampleRecord(measurement: id, repetition: worker, position: number, id: "spine\(number)")
        (record.outcome, record.milliseconds, record.worker) = (outcome, milliseconds, worker)
        record.memory = MemoryReading(resident: nil, footprint: .init(100_000_000, peak: 100_000_000 + 1_000_000))
        record.atSeconds = Double(number) / 10
        return record
    }

    private func watched(
        _ events: [RunEvent],
        _ records: [SampleRecord] = [],
        after seconds: Double = 60,
        silent: Double = 0,
        isOpen: Bool = false,
        phone: (name: String, values: DeviceValues)? = nil
    ) throws -> WatchedRun {
        let folder = try TemporaryFolder()
        var run: RunFolder? = try RunFolder.create(
            folder("run"),
            RunConfiguration(
                tool: "test 1",
                datasets: [DatasetReference(path: "d", name: "spines", digest: "x")],
                variants: [Variant(name: "fast", tier: "fast"), Variant(name: "other")]
            )
        )
        for event in events { try run?.append(event) }
        for record in records { try run?.append(record) }
        let now = Self.start.addingTimeInterval(seconds)
        for name in ["config.json", "events.jsonl", "samples.jsonl"] {
            try FileManager.default.setAttributes(
                [.modificationDate: now.addingTimeInterval(-silent)],
                ofItemAtPath: folder("run/\(name)")
            )
        }
        // Its process has ended.
        if !isOpen { run = nil }
        return try withExtendedLifetime(run) { try WatchedRun(folder("run"), now: now, phone: phone) }
    }

    private let begin = event(.runStarted, planned: ["fast": 4, "other": 6])

    @Test(
        arguments: [
            ([], .waiting), ([.ready], .loading), ([.ready, .began], .reading),
            ([.ready, .began, .workerLost, .ready], .loading),
            ([.ready, .began, .workerLost, .abandoned], .abandoned),
            ([.ready, .began, .measured, .conditions], .done), ([.abandoned, .runResumed], .waiting),
        ] as [([RunEvent.Kind], WatchedMeasurement.Stage)]
    )
    func stageFollowsTheEvents(kinds: [RunEvent.Kind], expected: WatchedMeasurement.Stage) throws {
        let events = [begin] + kinds.map { Self.event($0, $0 == .runResumed ? nil : "fast") }
        #expect(try watched(events).measurements.map(\.stage) == [expected, .waiting])
    }

    @Test func figuresAreThoseOfTheReport() throws {
        let records = [
            Self.record(0), Self.record(1, 30), Self.record(2, nil, .failed), Self.record(3, nil, .notAttempted),
        ]
        let run = try watched([begin], records)
        let fast = run.measurements[0]
        #expect(fast.stage == .reading && fast.records.count == 3 && fast.total == 4 && run.done == 3)
        #expect(fast.latency.p50.point.value == 20 && fast.latency.p95.point.value == 30)
        #expect(fast.memory.after.value == 100_000_000 && fast.memory.peak.value == 101_000_000)
        #expect(fast.target?.p95Milliseconds == 50 && run.elapsedSeconds == 60)
        // The third began after 0.2 s and never ended: 0.2 s for three, one left of fast, six of the other.
        #expect(try abs(#require(run.secondsLeft) - 7 * 0.2 / 3) < 1e-9)
        #expect(
            fast.text(isRunning: true)
                == "fast: reading, 3 of 4 readings, 0.1 s left, P50 20.0 ms, P95 30.0 ms, 100.0 MB, 1 failed"
        )
    }

    @Test func aRunThatHasNotBegunHasNoFigures() throws {
        let run = try watched([])
        #expect(run.elapsedSeconds == nil && run.secondsLeft == nil && run.done == 0)
        #expect(
            run.measurements.allSatisfy { $0.latency.p50.point.value == nil && $0.battery == nil && $0.total == nil }
        )
    }

    /// The second worker's clock begins at 0 again: 1.02 s and 0.12 s, of three readings.
    @Test func workersFollowEachOther() throws {
        let records = [Self.record(10), Self.record(0, worker: 2), Self.record(1, worker: 2)]
        #expect(try abs(#require(watched([begin], records).measurements[0].pace) - 1.14 / 3) < 1e-9)
    }

    @Test(
        arguments: [
            (false, true, 0.0, .running, nil), (false, true, 500, .running, "still running"),
            (false, false, 9, .running, nil),
            (false, false, 75, .stopped, "no progress for 1 min 15 s, and no process"),
            (true, false, 500, .finished, nil),
        ] as [(Bool, Bool, Double, WatchedRun.Phase, String?)]
    )
    func phaseIsFromTheFolder(
        isFinished: Bool,
        isOpen: Bool,
        silent: Double,
        phase: WatchedRun.Phase,
        text: String?
    ) throws {
        let events = [begin] + (isFinished ? [Self.event(.runFinished)] : [])
        let run = try watched(events, [Self.record(0)], after: 600, silent: silent, isOpen: isOpen)
        #expect(run.phase == phase)
        #expect(text.map { run.silence?.contains($0) == true } ?? (run.silence == nil))
        #expect(run.elapsedSeconds == (isFinished ? 0 : phase == .stopped ? 600 - silent : 600))
        #expect(run.secondsLeft == nil || phase == .running)
    }

    /// P95 of twenty readings is known from the twentieth on; 120 ms is more than twice the 50 of the tier.
    @Test func alertsComeWithTheReadingsThatCauseThem() throws {
        func alerts(_ count: Int, _ id: String = "fast") throws -> [String] {
            let records = (0..<count).map { Self.record($0, 120, id: id) }
            return try watched([begin], records).measurements.flatMap(\.alerts)
        }
        #expect(try alerts(19).isEmpty)
        #expect(
            try alerts(20) == [
                "critical: fast P95 latency 120ms exceeds target 50ms",
                "critical: fast target compliance 0% is below 80%",
            ]
        )
        // A variant without a tier has no target.
        #expect(try alerts(40, "other").isEmpty)
    }

    @Test(arguments: [10, 40, 80, 200])
    func theTerminalHasABlockForEach(width: Int) throws {
        let run = try watched([begin], (0..<20).map { Self.record($0, 120) })
        let lines = run.lines(width: width)
        #expect(lines.allSatisfy { $0.count <= width })
        guard width == 200 else { return }
        #expect(lines[0] == "run  running · 1 min 0 s · about 0.6 s left" && lines[1] == "test 1 · spines")
        for piece in [
            "██████████████████████████████ 20/4", "fast: reading, 20 of 4 readings",
            "P50 120.0 ms, P95 120.0 ms, 100.0 MB", "P95       ████",
            "  target < 50.0 ms", "footprint ▁▁▁▁  peak 101.0 MB", "other: waiting",
            "critical: fast P95 latency 120ms exceeds target 50ms",
        ] {
            #expect(lines.joined(separator: "\n").contains(piece), "\(piece)")
        }
    }

    @Test(arguments: [0, 1, 7, 119, 120, 121, 1_000])
    func everyReadingIsInTheSeries(count: Int) throws {
        let fast = try watched([begin], (0..<count).map { Self.record($0, Double($0 + 1)) }).measurements[0]
        let series = fast.series(120) { $0.compactMap(\.milliseconds).max() }
        #expect(series.count == min(120, (count + 4) / 5) && series == series.sorted())
        #expect(series.last == (count == 0 ? nil : Double(count)))
    }

    @Test func aLogHasWhatIsNew() throws {
        var (log, records) = (WatchLog(), [SampleRecord]())
        let plan = Self.event(.runStarted, planned: ["fast": 40, "other": 0])
        func news(_ seconds: Double, _ more: RunEvent...) throws -> [String] {
            let run = try watched([plan] + more, records, after: seconds)
            return log.news(of: run, now: Self.start.addingTimeInterval(seconds))
        }
        #expect(try news(0) == ["run: running, 0 of 40 readings"])
        #expect(try news(0.5).isEmpty)
        records = [Self.record(0)]
        #expect(try news(1) == ["fast: reading, 1 of 40 readings, 0.8 s left, P50 20.0 ms, P95 20.0 ms, 100.0 MB"])
        records.append(Self.record(1))
        #expect(try news(2).isEmpty && news(6.5).count == 1 && news(12).isEmpty)
        records += (2..<25).map { Self.record($0, 200) }
        #expect(try news(13).contains("fast: critical: fast P95 latency 200ms exceeds target 50ms"))
        #expect(try news(14, Self.event(.runFinished)) == ["run: finished, 25 of 40 readings"])
    }

    @Test func aFolderWithoutARunIsRefused() throws {
        let folder = try TemporaryFolder()
        #expect(throws: HarnessError.self) { try WatchedRun(folder.path, now: Date()) }
    }

    @Test func watchingDoesNotKeepARunFromBeingResumed() throws {
        let folder = try TemporaryFolder()
        let configuration = RunConfiguration(tool: "test 1", datasets: [], variants: [])
        _ = try RunFolder.create(folder("run"), configuration)
        #expect(try WatchedRun(folder("run"), now: Date()).done == 0)
        #expect(!RunFolder.isBeingWritten(folder("run")))
        let (run, _) = try RunFolder.open(folder("run"))
        #expect(RunFolder.isBeingWritten(folder("run")) && RunFolder.isBeingWritten(folder("run")))
        withExtendedLifetime(run) {}
    }

    /// A run that is killed leaves half a line, and a resumed one another whole line there.
    @Test func halfALineIsNoReading() throws {
        let folder = try TemporaryFolder()
        _ = try RunFolder.create(
            folder("run"),
            RunConfiguration(tool: "test 1", datasets: [], variants: [])
        )
        let line = try JSONLine.encode(Self.record(0))
        try folder.write(Array(line + line.prefix(40)), "run/samples.jsonl")
        #expect(try RunFolder.contents(folder("run")).records.count == 1)
    }

    @Test(arguments: [([], ""), ([0, 1, 2, 4, 8], "▁▂▃▅█"), ([8, 0, 8], "█▁█"), ([0], "▁"), ([5, 5], "██")])
    func sparklineHasABlockForEachNumber(values: [Double], expected: String) {
        #expect(Sparkline.of(values, from: 0) == expected)
        #expect(Sparkline.of([5, 5], from: 5) == "▁▁")
    }

    /// 10 Wh; 0.5 W of the system, 1 W of the display, 1.5 W of the camera, 2 W of a core while it works.
    ///
    /// The CPU works 15 s of a minute with 250 ms a reading.
    @Test(
        arguments: [
            (0, 1, 0.5, 0), (250, 1, 0.583333333333, 0.083333333333), (9_000, 1, 0.833333333333, 0.333333333333),
            (500, 0.1, 0.516666666667, 0.016666666667),
        ] as [(Double, Double, Double, Double)]
    )
    func aMinuteIsOfWhatWorks(milliseconds: Double, cores: Double, all: Double, reader: Double) {
        var numbers = Dictionary(uniqueKeysWithValues: DeviceFigure.ofProfiles.map { ($0, 1.0) })
        numbers.merge([.batteryCapacity: 10, .basePower: 0.5, .cameraPower: 1.5, .cpuPower: 2]) { $1 }
        let battery = PhoneBattery.perMinute(
            milliseconds: milliseconds,
            cores: cores,
            on: ("a phone", DeviceValues(numbers))
        )
        #expect(abs(battery.all - all) < 1e-9 && abs(battery.reader - reader) < 1e-9)
    }

    /// S3-23 and S3-24: the watched value can reach 12 and 15 % on every phone that may be named, with two busy
    /// cores.
    @Test(arguments: ["iPhone 11", "iPhone 12", "iPhone 13", "iPhone 15 Pro", "iPhone 17 Pro", "iPhone SE 2"])
    func batteryAlertsCanBeRaised(_ name: String) throws {
        let device = try #require(try PhoneBattery.device(name))
        let busy = PhoneBattery.perMinute(milliseconds: 1_000, cores: 2, on: device)
        #expect(busy.reader * 30 > AlertRules.battery.critical)
        let idle = PhoneBattery.perMinute(milliseconds: 20, cores: 1, on: device)
        #expect(idle.reader * 30 < AlertRules.battery.warning)
        // 'scan --frames' watches the time that the reader works, on one core.
        let live = try #require(PhoneBattery.readerPercentPer30Minutes(duty: 1, on: device))
        #expect(live > AlertRules.battery.warning)
        #expect(PhoneBattery.readerPercentPer30Minutes(duty: 1, on: nil) == nil)
    }

    @Test func aDeviceThatIsNotThereIsRefused() throws {
        #expect(throws: HarnessError.self) { try PhoneBattery.device("iPhone 3000") }
        #expect(try PhoneBattery.device("iphone 12")?.name == "iPhone 12")
        #expect(try PhoneBattery.device(nil)?.name == PhoneBattery.standard)
    }
}
