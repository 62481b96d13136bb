import BookCatalogue
import DeviceSimulation
import Foundation
import Imaging
import ScanningPipeline
import ScanningPolicies
import Synchronization
import TestSupport
import Testing
import TextRecognition

@testable import Composition

/// The session simulator beside the coordinator itself, on the same frames at the same pace.
@Suite struct LiveSessionTests {
    /// A reader that takes its time, and reads off a picture's first pixel which spine it is.
    private struct SlowReader: SpineTextReader {
        let clock: StepClock
        let time: Duration

        func read(_ image: RasterImage) -> SpineReading {
            clock.advance(by: time)
            let corner = Point(x: 0, y: 0)
            let quad = Quad(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner)
            let text = String(repeating: "\(UnicodeScalar(64 + image.pixels[0]))", count: 12)
            return SpineReading(
                lines: image.pixels[0] < 100 ? [RecognizedLine(text: text, confidence: 0.9, quad: quad)] : [],
                orientation: nil,
                timings: StageTimings()
            )
        }
    }

    private static let wall = RasterImage(width: 480, height: 360, channels: 1, filledWith: 128)

    /// Returns two seconds for each spine: half a second without it, one with it, and another half without.
    private static func picture(_ number: Int, rate: Int) -> RasterImage {
        let (spine, place) = number.quotientAndRemainder(dividingBy: 2 * rate)
        guard place >= rate / 2, place < rate + rate / 2 else { return wall }
        // Two spines in turn: after a while without one, the next is a new one.
        let line = TextFixture.line(onWidth: 480, height: 360)
        var image = spine.isMultiple(of: 2) ? line : line.rotated(.half)
        image.pixels[0] = UInt8(1 + spine % 26)
        return image
    }

    /// Every fate that the simulator knows, at three paces, with and without a gate, on a warm device too.
    @Test(
        arguments: [
            (30, 70, true, ThermalState.nominal), (30, 210, true, .nominal), (10, 70, true, .nominal),
            (30, 20, false, .nominal), (30, 70, true, .serious),
        ]
    )
    func theSimulatorHasWhatTheCoordinatorHas(
        rate: Int,
        milliseconds: Int,
        hasGate: Bool,
        state: ThermalState
    ) async throws {
        let clock = StepClock()
        let tape = Mutex([UInt8]())
        let recorder = TraceRecorder(
            device: "a clock",
            system: "none",
            app: "tests",
            clock: clock,
            conditions: { .init(thermalState: state) },
            write: { data in tape.withLock { $0 += data } }
        )
        let session = try ScanSession(
            strategy: .onDeviceOnly,
            reader: LocalReader(SlowReader(clock: clock, time: .milliseconds(milliseconds))),
            matcher: nil,
            backEnd: nil,
            store: .inMemory(),
            ledger: EgressLedger(),
            deviceID: UUID()
        )
        let scan = LiveScan(
            ScanningCoordinator(
                session: session,
                gate: hasGate ? PresenceGate() : nil,
                thermalState: { state },
                trace: recorder
            ),
            of: FrameSource(count: 40 * rate, settings: .init(framesPerSecond: rate), clock: clock) { number in
                Self.picture(number, rate: rate)
            },
            clock: clock,
            trace: recorder
        )
        try await scan.run()
        var recorded = try RecordedSession(trace: tape.withLock { $0 }, file: "trace")
        #expect(recorded.frames == (await scan.figures.frames))
        #expect(!recorded.readings.isEmpty)
        // A reading is timed by a real clock, on which this reader takes no time.
        recorded.readings = [Double(milliseconds)]

        var plan = SessionPlan()
        plan.framesPerSecond = rate
        plan.gate = hasGate ? .init(truePositive: 1, falsePositive: 0, seconds: 0) : nil
        plan.user.spread = .fixed
        (plan.user.aimSeconds, plan.user.holdSeconds, plan.user.moveSeconds) = (0.5, 1, 0.5)
        let devices = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Devices")
        var values = try DeviceLibrary(folders: [devices.standardizedFileURL.path]).named("iPhone 13").values()
        // The heat equals the coordinator's from the beginning, and never exceeds it.
        if state == .serious { (values[.fairAt], values[.seriousAt], values[.criticalAt]) = (-50, -49, 500) }
        values[.seriousSpeed] = 1
        let comparisons = try recorded.comparisons(with: plan, on: values)
        // The two count the last frames differently: the simulator continues to the end of the last one's time.
        for comparison in comparisons {
            #expect(abs(comparison.difference(of: 40 * rate)) <= 0.01, "\(comparison)")
        }
        #expect(comparisons.first { $0.name == FrameFate.scanned.text }?.recorded == 20)
    }

    @Test func aRecordingWithoutFramesIsNone() {
        let header = #"{"format":"spinebench-trace/1","device":"d","system":"s","app":"a"}"#
        let sample = #"{"record":"sample","time":0,"thermalState":"nominal"}"#
        #expect(throws: DeviceError.self) {
            try RecordedSession(trace: Array("\(header)\n\(sample)\n".utf8), file: "trace")
        }
        let misspelt = #"{"record":"frames","time":1,"thermalState":"nominal","frames":{"droped":1}}"#
        #expect {
            try RecordedSession(trace: Array("\(header)\n\(sample)\n\(misspelt)\n".utf8), file: "trace")
        } throws: { error in
            "\(error)".contains("droped") && "\(error)".contains("dropped")
        }
    }

    @Test func drawnFramesShowEachSpineAndThePlaceBetween() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Datasets/spines-1")
        let spines = try SpineLabel.spines(SpineLabel.read(path.path), in: path.standardizedFileURL.path)
        let views = try PannedSpines(Array(spines.prefix(2)), seed: 1).views
        #expect(Set(views.map(\.spine)) == [0, 1] && views.map(\.spine) == views.map(\.spine).sorted())
        #expect(!views[0].isInView && !views[views.count - 1].isInView)
        // A rest of a second at least before each.
        for spine in 0...1 { #expect(views.count { $0.spine == spine && $0.isInView } >= 30) }
    }
}
