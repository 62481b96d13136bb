import ArgumentParser
import Basics
import CommandSupport
import Composition
import DeviceSimulation
import Foundation
import Harness
import ScanningPolicies
import SpineDatasets

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List devices, show one in full, check profiles, and import recordings of real devices.",
        discussion: """
            Devices/README.md explains the format of profiles, Devices/TRACES.md that of recordings.

            Exit codes: 0 no errors, 2 invalid usage, unknown device, or invalid profile or recording.
            """,
        subcommands: [DevicesShow.self, DevicesCheck.self, DevicesImportTrace.self],
        defaultSubcommand: DevicesShow.self
    )
}

struct DevicesShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "List devices, or show one with every figure, its range and its source."
    )

    @Argument(help: .value("device", "Device to show in full; case, spaces and hyphens are ignored."))
    var name: String?

    @OptionGroup var options: DeviceOptions

    @Flag(help: "Print one line of JSON per profile.")
    var json = false

    func run() throws {
        let library = try options.library()
        let shown = try name.map { [try library.named($0)] } ?? library.all
        if json {
            for device in shown { StandardOutput.write([UInt8](try JSONLine.encode(device))) }
        } else if name != nil, let device = shown.first {
            print(DeviceText.full(device), terminator: "")
        } else {
            print(DeviceText.list(shown), terminator: "")
            Console.standardError("Show one in full: spinebench devices \"\(shown.first?.name ?? "")\"")
        }
    }
}

struct DevicesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check profiles and list all errors.",
        discussion: "Exit codes: 0 all are valid, 2 one is invalid."
    )

    @Argument(help: "Profile files.", completion: .file(extensions: ["json"]))
    var files: [String]

    func run() throws {
        var isRight = true
        for file in files {
            do {
                let device = try DeviceLibrary.profile(file: file)
                print("\(file): \(device.name), \(NumberText.count(device.figures.count, "figure"))")
            } catch {
                isRight = false
                Console.standardError("\(error)")
            }
        }
        if !isRight { throw ExitStatus.wrongInput.exitCode }
    }
}

struct DevicesImportTrace: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-trace",
        abstract: "Add a recording of a real device to its profile.",
        discussion: """
            The recording is the output of a TraceRecorder. Its latencies replace the model. The new profile is the device's old \
            one with the recording: specify its folder with --device-folder.

            Exit codes: 0 written, 2 a line of the recording is invalid, it is of another device, or the device is unknown.
            """
    )

    @Argument(help: .value("log", "The recording: JSON Lines."), completion: .file())
    var log: String

    @Option(help: "Profile name of the recorded device.")
    var device: String

    @Option(name: .customLong("out"), help: .value("file", "Output profile."))
    var output: String

    @OptionGroup var options: DeviceOptions

    func run() throws {
        var profile = try options.library().named(device)
        let file = try OutputFile(output, option: "--out", over: [log])
        let trace = try DeviceTrace(log: try InputFile.bytes(log), file: log, on: profile)
        // Its own profile is rewritten with one recording more; anything else would be lost.
        if FileIdentity(output) != nil, !FileIdentity.isSpecial(output) {
            guard let other = try? DeviceLibrary.profile(file: output), other.name == profile.name else {
                throw HarnessError.configuration(
                    "--out \(output) exists and is not a profile of \(profile.name); specify a new file"
                )
            }
            Console.standardError("replacing \(output), an earlier profile of \(profile.name)")
        }
        profile.traces.append(trace)
        try file.write(Array((JSONText.of(profile) + "\n").utf8))
        print(DeviceText.text(trace).joined(separator: "\n"))
        let folder = URL(filePath: output).deletingLastPathComponent().relativePath
        Console.standardError("Next: spinebench devices \"\(profile.name)\" --device-folder \(folder)")
    }
}

/// Profiles and recordings in words.
enum DeviceText {
    static func list(_ devices: [DeviceProfile]) -> String {
        let columns: [Table.Column] = [
            "device", "chip", "tier", .number("RAM", "GB"), .number("battery", "Wh"), .number("Neural Engine"),
            .number("GPU"), .number("CPU"), "Apple Intelligence", .number("traces"),
        ]
        let rows = devices.map { device in
            let speeds = [DeviceFigure.neuralEngineSpeed, .gpuSpeed, .cpuSpeed].map { device.figures[$0] }
            return [device.name, device.chip, device.tier.rawValue, NumberText.short(device.memory.value)]
                + [device.figures[.batteryCapacity].map { NumberText.fixed($0.value, 1) } ?? "–"]
                + speeds.map { $0.map { NumberText.fixed($0.value, 2) } ?? "–" }
                + [device.appleIntelligence.rawValue, "\(device.traces.count)"]
        }
        return Table(columns: columns, rows: rows).terminal(width: Console.width)
            + "\nSpeeds are relative to an A15. To show ranges and sources, specify a device.\n"
    }

    /// Returns all known data of a device.
    static func full(_ device: DeviceProfile) -> String {
        var lines = [
            "\(device.name): \(device.chip), tier \(device.tier.rawValue), system \(device.systems.lowerBound) to "
                + "\(device.systems.upperBound), Neural Engine \(device.hasNeuralEngine ? "yes" : "no"), "
                + "Apple Intelligence \(device.appleIntelligence.rawValue)", "",
        ]
        lines += device.notes.map { "  \($0)" } + [""]
        lines += row("memory", device.memory, unit: "GB")
        for figure in DeviceFigure.allCases {
            guard let estimate = device.figures[figure] else { continue }
            lines += row(figure.rawValue, estimate, unit: figure.meaning.unit, meaning: figure.meaning.text)
        }
        if !device.claims.isEmpty { lines += ["", "Published or claimed by others, not used in computations:"] }
        for (name, claim) in device.claims.sorted(by: { $0.key < $1.key }) { lines += row(name, claim, unit: "") }
        for trace in device.traces { lines += [""] + text(trace) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ name: String, _ estimate: Estimate, unit: String, meaning: String = "") -> [String] {
        let value = "\(number(estimate.value)) \(range(estimate))\(unit.isEmpty ? "" : " ")\(unit)"
        let head = TextWidth.padded(name, to: 26) + TextWidth.padded(value, to: max(26, value.count + 1))
        return [head + estimate.kind.rawValue] + [meaning, estimate.source].filter { !$0.isEmpty }.map { "    " + $0 }
    }

    private static func number(_ value: Double) -> String { String(format: "%.4g", value) }

    private static func range(_ estimate: Estimate) -> String {
        "[\(number(estimate.low))–\(number(estimate.high))]"
    }

    static func text(_ trace: DeviceTrace) -> [String] {
        let latencies = trace.latencies.map { group in
            let times = group.milliseconds
            let median = times[(times.count - 1) / 2]
            return "  \(group.tier) at \(group.state.rawValue): \(NumberText.count(times.count, "reading")), median "
                + "\(NumberText.milliseconds(median)), slowest \(NumberText.milliseconds(times.last ?? median))"
        }
        let drain = trace.drain.map { "\(number($0.value)) \(range($0)) W" }
        let heat = trace.thermalTimeline.map { "\($0.state.rawValue) from \(NumberText.span(seconds: $0.seconds))" }
        let memory = trace.memory.map { memory in
            "  memory: \(NumberText.megabytes(Double(memory.median))), at most \(NumberText.megabytes(Double(memory.peak)))"
        }
        return [
            "Recorded on \(trace.device) with \(trace.system) by \(trace.app), \(NumberText.span(seconds: trace.seconds)):"
        ] + latencies + [
            "  battery: \(drain ?? "unknown, as its level was not recorded or it was charging")",
            "  heat: \(heat.joined(separator: ", "))",
        ] + [memory].compactMap(\.self)
    }
}
