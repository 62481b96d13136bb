import ArgumentParser
import DeviceSimulation
import Foundation

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

            Exit codes: 0 written, 2 a line of the recording is wrong, or there is no such device.
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
        guard let data = FileManager.default.contents(atPath: log) else {
            throw DeviceError.unreadable(path: log, reason: "the file cannot be read")
        }
        let trace = try DeviceTrace(log: [UInt8](data), file: log, on: profile)
        profile.traces.append(trace)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let url = URL(filePath: output)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try (encoder.encode(profile) + [0x0A]).write(to: url, options: .atomic)
        } catch {
            throw DeviceError.unreadable(
                path: output,
                reason: "the file cannot be written: \(error.localizedDescription)"
            )
        }
        print(DeviceText.text(trace).joined(separator: "\n"))
        let folder = url.deletingLastPathComponent().relativePath
        Console.standardError("Next: spinebench devices \"\(profile.name)\" --device-folder \(folder)")
    }
}
