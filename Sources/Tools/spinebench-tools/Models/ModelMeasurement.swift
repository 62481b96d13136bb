import ArgumentParser
import Basics
import CommandSupport
import Composition
import Dispatch
import Foundation
import Harness
import OpenVINOEngine
import SpineDatasets

struct ModelProbeRequest: Sendable, Equatable, Codable {
    var path: String
    var shapes: [ShapeOption]
    /// Readings that are counted; with none, the model is loaded and asked once.
    var readings: Int
    /// Readings before these, beside the first one.
    var warmUp: Int
    var threads: Int
    var precision: InferencePrecision
    var seed: UInt64
    /// Whether OpenVINO works before the model comes: then the memory is the model's alone, and its load is not a
    /// cold one.
    var isWarmed: Bool
}

/// Answer of a process that measures a model: one JSON object per line.
enum ModelProbeAnswer: Sendable, Equatable, Codable {
    case stage(String)
    case measured(ModelMeasurement)
    /// The model or the request is invalid.
    case refused(reason: String)
    /// This machine lacks a requirement.
    case unavailable(reason: String)
}

/// Measurement of a model in its own process.
struct ModelMeasurement: Sendable, Equatable, Codable {
    var format: NetworkFormat
    var openVINO: String
    var processor: String
    var precision: InferencePrecision
    var threads: Int
    var inputs: [InputShape]
    var outputs: [NetworkTensor]
    /// Time from the file to a network.
    var readMilliseconds: Double
    /// Time from the network to an executable form; nothing is cached.
    var compileMilliseconds: Double
    /// The first inference.
    var firstMilliseconds: Double
    /// The counted inferences, in order.
    var milliseconds: [Double]
    var memory: Memory?

    /// Resident memory of the whole process.
    struct Memory: Sendable, Equatable, Codable {
        /// Memory with OpenVINO, after a run of another network if requested, and without a model.
        var base: MemoryReading.Level
        /// Memory with the model loaded.
        var loaded: MemoryReading.Level
        /// Warm, before the first counted reading; its peak is that of loading and warming up.
        var before: MemoryReading.Level
        /// Memory after the last reading; its peak is that of the readings when `peakWasReset`.
        var after: MemoryReading.Level
        var peakWasReset: Bool

        /// Peak memory, less the memory without a model.
        var taken: Int { max(before.peak, after.peak) - base.bytes }
        /// Growth of the resident memory during the counted readings; may be negative.
        var left: Int { after.bytes - before.bytes }
    }

    var loadMilliseconds: Double { readMilliseconds + compileMilliseconds }
}

enum ModelProbeProcess {
    /// Measures a model; blocks its thread until then.
    ///
    /// `timeoutSeconds`: after which the process is killed.
    ///
    /// - Throws: `HarnessError.configuration` for a model that cannot be measured, crashes or hangs, and `ExitCode`
    ///   4, after printing the reason, for a requirement missing on this machine.
    static func measure(_ request: ModelProbeRequest, timeoutSeconds: Double) throws -> ModelMeasurement {
        let output = Pipe()
        let process: Process
        do {
            let arguments = ["model-probe", "--request", try JSONText.line(request)]
            process = try Process.start(Process.ownProgram, arguments, output: output)
        } catch {
            throw unavailable("a process cannot be started: \(error.systemReason)")
        }
        let start = ContinuousClock.now
        let watch = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeoutSeconds, execute: watch)
        let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        watch.cancel()
        process.waitUntilExit()
        var stage = "starting"
        for line in data.split(separator: 0x0A) {
            switch JSONLine.decode(ModelProbeAnswer.self, from: line) {
            case .stage(let name): stage = name
            case .measured(let measurement): return measurement
            case .refused(let reason): throw HarnessError.configuration(reason)
            case .unavailable(let reason): throw unavailable(reason)
            case nil: continue
            }
        }
        if start.duration(to: .now) >= .seconds(timeoutSeconds) {
            throw HarnessError.configuration(
                "\(request.path): \(stage) took more than \(NumberText.short(timeoutSeconds)) s; allow more with --timeout"
            )
        }
        let status = process.terminationStatus
        let end =
            process.terminationReason == .uncaughtSignal
            ? "was killed by \(SignalName.of(status))" : "ended with code \(status) and no figures"
        throw HarnessError.configuration(
            "\(request.path): the process that measures \(end) while \(stage); "
                + "the file is damaged, too large for this machine's memory, or OpenVINO has a fault"
        )
    }

    private static func unavailable(_ reason: String) -> ExitCode {
        Console.error(reason)
        return ExitStatus.environment.exitCode
    }
}
