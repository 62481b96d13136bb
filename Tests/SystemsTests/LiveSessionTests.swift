import BookCatalogue
import Foundation
import Imaging
import ScanningPipeline
import ScanningPolicies
import TestSupport
import Testing
import TextRecognition

@testable import Harness
@testable import Systems

/// A session's expected readings beside the coordinator's own, on the same frames at the same pace.
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

    /// At three paces, on a warm device too.
    @Test(
        arguments: [
            (30, 70, ThermalState.nominal), (30, 210, .nominal), (10, 70, .nominal), (30, 20, .nominal),
            (30, 70, .serious),
        ]
    )
    func aSessionReadsWhatTheCoordinatorReads(
        rate: Int,
        milliseconds: Int,
        state: ThermalState
    ) async throws {
        let clock = StepClock()
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
            ScanningCoordinator(session: session, thermalState: { state }),
            of: FrameSource(count: 40 * rate, framesPerSecond: rate, clock: clock) { number in
                Self.picture(number, rate: rate)
            },
            clock: clock
        )
        try await scan.run()
        let figures = await scan.figures
        #expect(figures.frames[.scanned] == 20)

        var plan = SessionPlan()
        (plan.seconds, plan.framesPerSecond, plan.spineShare, plan.holdSeconds) = (40, rate, 0.5, 1)
        let devices = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Devices")
        let profile = try DeviceLibrary(folders: [devices.standardizedFileURL.path]).named("iPhone 13")
        var values = DeviceValues(profile.figures.mapValues(\.value))
        // The heat equals the coordinator's from the beginning, and never exceeds it.
        if state == .serious {
            (values[.fairAt], values[.seriousAt], values[.criticalAt]) = (-50, -49, 500)
        }
        values[.seriousSpeed] = 1
        let cost = ReadingCost(
            imageSeconds: Double(milliseconds) / 1_000,
            inferenceSeconds: 0,
            waitSeconds: 0,
            bytesUp: 0
        )
        let result = try Session(plan, values, costs: [cost]).run()
        // Spines here last a second each, and in a session a second on average: it may miss those that are in view for less
        // than two of the frames that are read, a share of 1 − e^(−2 · step) of them.
        let step = max(Double(state == .serious ? 3 : 1) / Double(rate), Double(milliseconds) / 1_000)
        #expect(result.scans <= 20 && result.scans >= 20 * exp(-2 * step))
        #expect(abs(result.readings - Double(figures.read)) <= 0.06 * Double(figures.read) + 2)
    }

    @Test func drawnFramesShowEachSpineAndThePlaceBetween() throws {
        let spines = (1...2).map { number in
            let path = Project.folder.appending(path: "Datasets/spines-1/images/spine-0000\(number).jpg").path
            return WorkerPicture(path: path, name: path)
        }
        let views = try PannedSpines(spines, seed: 1).views
        #expect(Set(views.map(\.spine)) == [0, 1] && views.map(\.spine) == views.map(\.spine).sorted())
        #expect(!views[0].isInView && !views[views.count - 1].isInView)
        // A rest of a second at least before each.
        for spine in 0...1 { #expect(views.count { $0.spine == spine && $0.isInView } >= 30) }
    }
}
