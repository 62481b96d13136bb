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
        abstract: "Lists devices, shows one in full, checks profiles, and reads what was recorded on a real one.",
        discussion: """
            For example:

              spinebench devices
              spinebench devices "iPhone 12"
              spinebench devices check mine/*.json
              spinebench devices import-trace log.jsonl --device "iPhone 15 Pro" --out mine/iphone-15-pro.json

            A profile says what is known of a device's speed, heat, battery and memory, and how far each figure can be \
            trusted. Devices/README.md explains the format, Devices/TRACES.md that of recordings.

            Exit codes: 0 nothing to complain about, 2 wrong usage, no such device, or a wrong profile or recording.
            """,
        subcommands: [DevicesShow.self, DevicesCheck.self, DevicesImportTrace.self],
        defaultSubcommand: DevicesShow.self
    )
}

struct DevicesShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Lists devices, or shows one with every figure, its range and its source."
    )

    @Argument(help: .value("device", "Show this device in full; case, spaces and hyphens do not count."))
    var name: String?

    @OptionGroup var options: DeviceOptions

    @Flag(help: "Print JSON: a profile a line.")
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
            Console.standardError("One in full: spinebench devices \"\(shown.first?.name ?? "")\"")
        }
    }
}

struct DevicesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks profiles, and lists everything that is wrong with them.",
        discussion: "Exit codes: 0 all are right, 2 one is not."
    )

    @Argument(help: "The profiles.", completion: .file(extensions: ["json"]))
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
        abstract: "Adds what was recorded on a real device to its profile.",
        discussion: """
            The recording is what a TraceRecorder wrote; Devices/TRACES.md explains it. What it says of latencies takes the \
            place of the model. The new profile is the device's old one with the recording; put it into a folder of your \
            own, and name that with --device-folder:

              spinebench devices import-trace log.jsonl --device "iPhone 15 Pro" --out mine/iphone-15-pro.json
              spinebench devices "iPhone 15 Pro" --device-folder mine

            A recording that names another device is refused, and so is a FILE that is there and holds anything but a \
            profile of the device.

            Exit codes: 0 written, 2 a line of the recording is wrong, it is of another device, or there is no such device.
            """
    )

    @Argument(help: .value("log", "The recording: JSON Lines."), completion: .file())
    var log: String

    @Option(help: "The device that it was recorded on, by the name of its profile.")
    var device: String

    @Option(name: .customLong("out"), help: .value("file", "The profile to write."))
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
                    "--out \(output) is there already and is no profile of \(profile.name); name a new file"
                )
            }
            Console.standardError("\(output) is replaced: it was a profile of \(profile.name)")
        }
        profile.traces.append(trace)
        try file.write(Array((JSONText.of(profile) + "\n").utf8))
        print(DeviceText.text(trace).joined(separator: "\n"))
        let folder = URL(filePath: output).deletingLastPathComponent().relativePath
        Console.standardError("Next: spinebench devices \"\(profile.name)\" --device-folder \(folder)")
    }
}
