import Foundation
import Raster
import ScanningPolicies
import Synchronization
import TextRecognition

/// What is wrong with a device, as a check has it.
final class Faults: Sendable {
    struct State: Sendable {
        /// A reading takes so many times as long.
        var slowdown = 1.0
        var conditions = DeviceConditions()
        var batteryPercentPer30Minutes: Double?
    }

    private let state = Mutex(State())

    var now: State { state.withLock { $0 } }
    func set(_ new: State) { state.withLock { $0 = new } }
}

/// A reader that takes longer than it needs.
struct SlowedReader: SpineTextReader {
    var base: any SpineTextReader
    var faults: Faults

    func read(_ image: RasterImage) throws -> SpineReading {
        let start = ContinuousClock.now
        let reading = try base.read(image)
        let more = (faults.now.slowdown - 1) * (start.duration(to: .now) / .seconds(1))
        if more > 0 { Thread.sleep(forTimeInterval: more) }
        return reading
    }
}
