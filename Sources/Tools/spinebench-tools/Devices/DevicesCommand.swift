import ArgumentParser
import Basics
import CommandSupport
import Composition
import DeviceSimulation
import Foundation
import Harness
import SpineDatasets

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List devices, show one in full, check profiles, and import recordings of real devices.",
        discussion: """
            For example:

              spinebench devices
              spinebench devices "iPhone 12"
              spinebench devices check mine/*.json
              spinebench devices import-trace log.jsonl --device "iPhone 15 Pro" --out mine/iphone-15-pro.json

            A profile contains a device's speed, heat, battery and memory, and how reliable each figure \
            is. Devices/README.md explains the format, Devices/TRACES.md that of recordings.

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
            The recording is the output of a TraceRecorder; Devices/TRACES.md explains it. Its latencies replace \
            the model. The new profile is the device's old one with the recording; save it in a folder of your \
            own, and specify that folder with --device-folder:

              spinebench devices import-trace log.jsonl --device "iPhone 15 Pro" --out mine/iphone-15-pro.json
              spinebench devices "iPhone 15 Pro" --device-folder mine

            A recording of another device is rejected, and so is an existing FILE that contains anything but a \
            profile of the device.

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
