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
    /// Percentages of the samples that need the work of a stage twice.
    var work: [String: Double] = [:]

    /// Kinds of work by the stage that is planted.
    static let stages: [String: [Work]] = [
        "decoding": [.bytesDecoded, .pixelsDecoded], "scaling": [.pixelsScaled], "warping": [.pixelsWarped],
        "detection": [.detectionCalls, .detectionElements],
        "orientation": [.orientationCalls, .orientationElements],
        "recognition": [.recognitionCalls, .recognitionElements], "lines": [.linesRecognised, .linesAgain],
        "matching": [.candidatesMatched, .rowsRead], "library": [.rowsWritten], "network": [.requestsSent, .bytesSent],
    ]

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
            case let stage where Self.stages[String(stage)] != nil: work[String(stage)] = number
            default: return nil
            }
        }
    }

    var text: String {
        (["slowdown=\(slowdown)", "drop=\(drop)", "sockets=\(sockets)", "memory=\(memory)"]
            + work.map { "\($0.key)=\($0.value)" }.sorted()).joined(separator: ",")
    }

    /// Returns whether the sample with this name is among a percentage: the same samples in every process.
    static func concerns(_ name: String, _ percent: Double) -> Bool {
        let digits = SHA256.hex(of: Array(name.utf8)).prefix(8)
        return Double(UInt32(digits, radix: 16) ?? 0) / 0x1p32 * 100 < percent
    }

    /// Kinds of work that the sample with this name needs twice.
    func repeated(_ name: String) -> [Work] {
        work.filter { Self.concerns(name, $0.value) }.flatMap { Self.stages[$0.key] ?? [] }
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
        let repeated = fault.repeated(name)
        if !repeated.isEmpty {
            // All is done again, and what belongs to the stage is counted.
            let (again, counts) = WorkMeter.counting { Result { try system.process(bytes, name: name) { _ in } } }
            _ = try again.get()
            WorkMeter.current?.add(counts.of(repeated))
        }
        if InjectedFault.concerns(name, fault.drop) { prediction.lines = [] }
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
