import ArgumentParser
import CommandSupport
import DeviceSimulation
import Foundation
import SpineDatasets

/// `spinebench devices`: all of them, or one in full.
struct DevicesShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Lists devices, or shows one with every figure, its range and its source."
    )

    @Argument(
        help: ArgumentHelp("Show this device in full; case, spaces and hyphens do not count.", valueName: "device")
    )
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
