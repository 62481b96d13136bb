import ArgumentParser
import BenchmarkHarness
import SpineDatasets

/// A fault put into a worker on purpose, so that a check can see whether a comparison finds it.
struct PlantedFault: ExpressibleByArgument, Sendable, Equatable {
    /// What readings take longer, in percent of their own time.
    var slowdown = 0.0
    /// Of so many percent of the samples, chosen by their names, the text is lost.
    var drop = 0.0

    /// Decodes "slowdown=10,drop=5"; either part may be missing.
    init?(argument: String) {
        for part in argument.split(separator: ",") {
            let sides = part.split(separator: "=")
            guard sides.count == 2, let number = Double(sides[1]), number >= 0, number.isFinite else { return nil }
            switch sides[0] {
            case "slowdown": slowdown = number
            case "drop": drop = number
            default: return nil
            }
        }
    }

    /// As it is decoded.
    var text: String { "slowdown=\(slowdown),drop=\(drop)" }

    /// Whether the text of the sample with this name is lost: the same samples in every process.
    func drops(_ name: String) -> Bool {
        let digits = SHA256.hex(of: Array(name.utf8)).prefix(8)
        return Double(UInt32(digits, radix: 16) ?? 0) / 0x1p32 * 100 < drop
    }
}

/// A system with a planted fault.
struct PlantedSystem: SystemUnderTest {
    var system: any SystemUnderTest
    var fault: PlantedFault

    func process(_ bytes: [UInt8], name: String) throws -> Prediction {
        try process(bytes, name: name) { _ in }
    }

    func process(
        _ bytes: [UInt8],
        name: String,
        reached: @escaping @Sendable (Milestone) -> Void
    ) throws -> Prediction {
        let clock = ContinuousClock()
        let start = clock.now
        var prediction = try system.process(bytes, name: name, reached: reached)
        if fault.drops(name) { prediction.lines = [] }
        let end = clock.now + start.duration(to: clock.now) * (fault.slowdown / 100)
        while clock.now < end {}
        return prediction
    }
}
