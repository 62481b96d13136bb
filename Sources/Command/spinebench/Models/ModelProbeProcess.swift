import ArgumentParser
import Basics
import CommandSupport
import Dispatch
import Documents
import Foundation
import Harness
import SpineDatasets
import Synchronization

/// Runs `model-probe` in a process of its own.
enum ModelProbeProcess {
    /// Measures a model; blocks its thread until then.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - program: the one that runs now, unless another is named.
    ///   - timeoutSeconds: after which the process is killed.
    /// - Returns: what it took.
    /// - Throws: `HarnessError.configuration` for a model that cannot be measured, crashes or hangs, and `ExitCode` 4, with the
    ///   reason said, where this machine lacks something.
    static func measure(
        _ request: ModelProbeRequest,
        program: String? = nil,
        timeoutSeconds: Double
    ) throws -> ModelMeasurement {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program ?? Bundle.main.executablePath ?? CommandLine.arguments[0])
        process.arguments = [
            "model-probe", "--request", String(decoding: try JSONLine.encode(request).dropLast(), as: UTF8.self),
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        do {
            try process.run()
        } catch {
            throw unavailable("a process cannot be started: \(error.systemReason)")
        }
        let isLate = Mutex(false)
        let watch = DispatchWorkItem {
            isLate.withLock { $0 = true }
            kill(process.processIdentifier, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeoutSeconds, execute: watch)
        let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        watch.cancel()
        process.waitUntilExit()
        let answers = data.split(separator: 0x0A).compactMap { JSONLine.decode(ModelProbeAnswer.self, from: $0) }
        var stage = "starting"
        for answer in answers {
            switch answer {
            case .stage(let name): stage = name
            case .measured(let measurement): return measurement
            case .refused(let reason): throw HarnessError.configuration(reason)
            case .unavailable(let reason): throw unavailable(reason)
            }
        }
        if isLate.withLock({ $0 }) {
            throw HarnessError.configuration(
                "\(request.path): \(stage) took more than \(NumberText.short(timeoutSeconds)) s; allow more with --timeout"
            )
        }
        throw HarnessError.configuration(
            "\(request.path): the process that measures \(end(of: process)) while \(stage); "
                + "the file is damaged, too large for this machine's memory, or OpenVINO has a fault"
        )
    }

    private static func unavailable(_ reason: String) -> ExitCode {
        Console.error("\(reason)")
        return ExitStatus.environment.exitCode
    }

    private static func end(of process: Process) -> String {
        process.terminationReason == .uncaughtSignal
            ? "was killed by \(SignalName.of(process.terminationStatus))"
            : "ended with code \(process.terminationStatus) and no figures"
    }
}
