import ArgumentParser
import Basics
import Evaluation
import Foundation
import Harness
import SpineDatasets

/// A fault put into a worker on purpose, so that a check can see whether a comparison finds it.
package struct InjectedFault: ExpressibleByArgument, Sendable, Equatable {
    /// Additional time of readings, in percent of their own time.
    var slowdown = 0.0
    /// Percentage of the samples, chosen by their names, that lose their text.
    var drop = 0.0
    /// Network sockets that each reading opens, and closes again.
    var sockets = 0.0
    var memory = 0.0

    /// Decodes "slowdown=10,drop=5,sockets=1,memory=10"; any part may be missing.
    package init?(argument: String) {
        for part in argument.split(separator: ",") {
            let sides = part.split(separator: "=")
            guard sides.count == 2, let number = Double(sides[1]), number >= 0, number.isFinite else { return nil }
            switch sides[0] {
            case "slowdown": slowdown = number
            case "drop": drop = number
            case "sockets": sockets = number
            case "memory": memory = number
            default: return nil
            }
        }
    }

    var text: String { "slowdown=\(slowdown),drop=\(drop),sockets=\(sockets),memory=\(memory)" }

    /// Returns whether the text of the sample with this name is lost: the same samples in every process.
    func drops(_ name: String) -> Bool {
        let digits = SHA256.hex(of: Array(name.utf8)).prefix(8)
        return Double(UInt32(digits, radix: 16) ?? 0) / 0x1p32 * 100 < drop
    }
}

struct FaultySystem: SystemUnderTest {
    private let system: any SystemUnderTest
    private let fault: InjectedFault
    /// Memory that was written to, so that the system allocates the pages.
    private let ballast: [UInt8]

    init(system: any SystemUnderTest, fault: InjectedFault) {
        (self.system, self.fault) = (system, fault)
        ballast = [UInt8](repeating: 1, count: Int(min(fault.memory, 1_000) * 1e6))
    }

    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        let clock = ContinuousClock()
        let start = clock.now
        var prediction = try system.process(bytes, name: name, reached: reached)
        if fault.drops(name) { prediction.lines = [] }
        for _ in 0..<Int(min(fault.sockets, 1_000)) { Self.openSocket() }
        let end = clock.now + start.duration(to: clock.now) * (fault.slowdown / 100)
        while clock.now < end {}
        return prediction
    }

    private static func openSocket() {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_DGRAM, 0)
        #endif
        if descriptor >= 0 { close(descriptor) }
    }

    func conclude(_ prediction: inout Prediction) throws { try system.conclude(&prediction) }

    func scanLive(_ request: LiveRequest) throws -> LiveAnswer { try system.scanLive(request) }
}
