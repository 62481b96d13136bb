import Foundation
import Imaging
import ScanningPolicies
import Synchronization
import TestSupport
import Testing

@testable import ScanningPipeline

@Suite struct TraceRecorderTests {
    /// Output of a recorder.
    private final class Paper: Sendable {
        private let bytes = Mutex(Data())
        var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
        var lines: [String] { text.split(separator: "\n").map(String.init) }
        func write(_ data: Data) { bytes.withLock { $0 += data } }
    }

    private struct DiskFull: Error, CustomStringConvertible {
        var description: String { "the disk is full" }
    }

    /// The recording that is read by `DeviceTraceTests`, byte for byte.
    private static let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "DeviceSimulationTests/Fixtures/trace.jsonl")

    @Test func tenMinutesOfScanningAreTheCommittedRecording() async throws {
        let (clock, paper) = (ManualClock(), Paper())
        let now = Mutex(TraceRecorder.Conditions(thermalState: .nominal, batteryLevel: 0.83, memoryBytes: 120_000_000))
        let recorder = TraceRecorder(
            device: "iPhone16,1",
            system: "iOS 26.1",
            app: "Spines 1.0",
            clock: clock,
            conditions: { now.withLock { $0 } },
            write: paper.write
        )
        func pass(until time: Duration, _ megabytes: Int, _ state: ThermalState = .nominal, level: Double = 0.83) {
            clock.advance(by: time - recorder.elapsed())
            now.withLock { $0 = .init(thermalState: state, batteryLevel: level, memoryBytes: megabytes * 1_000_000) }
        }
        func ms(_ number: Double) -> Duration { .microseconds(Int64((number * 1_000).rounded())) }

        await recorder.sampleIfDue()
        pass(until: .seconds(1.5), 180)
        // The last record is a moment ago.
        await recorder.sampleIfDue()
        await recorder.noteReading(tier: "fast", latency: ms(41.2), stages: ["reading": ms(41.2)])
        pass(until: .seconds(1.75), 180)
        await recorder.noteReading(
            tier: "hybrid",
            latency: ms(263.5),
            stages: ["reading": ms(41.2), "matching": ms(3.1), "enrichment": ms(214.9)]
        )
        pass(until: .seconds(4), 181)
        await recorder.noteReading(tier: "fast", latency: ms(38.75), stages: ["reading": ms(38.75)])
        pass(until: .seconds(4.2), 181)
        await recorder.noteReading(
            tier: "hybrid",
            latency: ms(198.4),
            stages: ["reading": ms(38.75), "matching": ms(2.9)]
        )
        pass(until: .seconds(240), 182, .fair, level: 0.82)
        await recorder.sampleIfDue()
        pass(until: .seconds(250.125), 182, .fair, level: 0.82)
        await recorder.noteReading(tier: "fast", latency: ms(47.5), stages: ["reading": ms(47.5)])
        pass(until: .seconds(600), 179, .serious, level: 0.81)
        await recorder.sampleIfDue()
        #expect(await recorder.problem == nil)
        #expect(paper.text == (try String(contentsOf: Self.fixture, encoding: .utf8)))
    }

    @Test func whatIsNotKnownIsLeftOut() async throws {
        let paper = Paper()
        let recorder = TraceRecorder(
            device: "d",
            system: "s",
            app: "a",
            clock: ManualClock(),
            conditions: { .init(thermalState: .unknown) },
            write: paper.write
        )
        await recorder.sampleIfDue()
        #expect(paper.lines.last == #"{"record":"sample","thermalState":"unknown","time":0}"#)
    }

    @Test func aFullDiskEndsTheRecordingAndNotTheScanning() async throws {
        let clock = ManualClock()
        let writes = Mutex(0)
        let recorder = TraceRecorder(
            device: "d",
            system: "s",
            app: "a",
            clock: clock,
            conditions: { .init(thermalState: .nominal) },
            write: { _ in
                writes.withLock { $0 += 1 }
                throw DiskFull()
            }
        )
        await recorder.sampleIfDue()
        clock.advance(by: .seconds(60))
        await recorder.sampleIfDue()
        await recorder.noteReading(tier: "fast", latency: .milliseconds(1), stages: [:])
        #expect(await recorder.problem == "the disk is full")
        #expect(writes.withLock { $0 } == 1)
    }

    @Test func aCoordinatorRecordsReadingsAndScans() async throws {
        let (stage, paper) = (try Stage(.hybrid), Paper())
        let recorder = TraceRecorder(
            device: "d",
            system: "s",
            app: "a",
            clock: ManualClock(),
            conditions: { .init(thermalState: .fair) },
            write: paper.write
        )
        let coordinator = ScanningCoordinator(
            session: stage.session,
            gate: PresenceGate(threshold: 0),
            trace: recorder
        )
        let source = FrameSource(count: 2, settings: .init(framesPerSecond: 1_000), clock: StepClock()) { _ in
            RasterImage(width: 64, height: 64, channels: 1)
        }
        await source.start()
        try await coordinator.run(source)
        let kinds = paper.lines.map { line in
            ["format", "\"sample\"", "\"fast\"", "\"hybrid\""].first { line.contains($0) } ?? line
        }
        // The first frame's text is a scan; the second shows the same spine, and is a reading only.
        #expect(kinds.prefix(3) == ["format", "\"sample\"", "\"fast\""])
        #expect(kinds.dropFirst(3).sorted() == ["\"fast\"", "\"hybrid\""])
        let scan = try #require(paper.lines.first { $0.contains("\"hybrid\"") })
        #expect(scan.contains("\"enrichment\"") && scan.contains("\"matching\"") && scan.contains("\"reading\""))
        // Read text is not recorded.
        #expect(!paper.text.contains("DUNE") && !paper.text.contains("Dune"))
    }
}
