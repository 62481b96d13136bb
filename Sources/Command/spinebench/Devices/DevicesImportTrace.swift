import ArgumentParser
import CommandSupport
import Composition
import DeviceSimulation
import Foundation
import Harness

/// `spinebench devices import-trace`.
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

    @Argument(help: ArgumentHelp("The recording: JSON Lines.", valueName: "log"), completion: .file())
    var log: String

    @Option(help: "The device that it was recorded on, by the name of its profile.")
    var device: String

    @Option(name: .customLong("out"), help: ArgumentHelp("The profile to write.", valueName: "file"))
    var output: String

    @OptionGroup var options: DeviceOptions

    func run() throws {
        var profile = try options.library().named(device)
        let file = try OutputFile(output, option: "--out", over: [log])
        let trace = try DeviceTrace(log: try InputFile.bytes(log), file: log, on: profile)
        // Its own profile is written anew with one recording more; anything else would be lost.
        if FileIdentity(output) != nil, !FileIdentity.isSpecial(output) {
            guard let other = try? DeviceLibrary.profile(file: output), other.name == profile.name else {
                throw HarnessError.configuration(
                    "--out \(output) is there already and is no profile of \(profile.name); name a new file"
                )
            }
            Console.standardError("\(output) is replaced: it was a profile of \(profile.name)")
        }
        profile.traces.append(trace)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try file.write([UInt8](try encoder.encode(profile) + [0x0A]))
        print(DeviceText.text(trace).joined(separator: "\n"))
        let folder = URL(filePath: output).deletingLastPathComponent().relativePath
        Console.standardError("Next: spinebench devices \"\(profile.name)\" --device-folder \(folder)")
    }
}
