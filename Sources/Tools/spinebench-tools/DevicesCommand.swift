import ArgumentParser
import Basics
import CommandSupport
import Documents
import Foundation
import Harness
import ScanningPolicies
import SpineDatasets
import Systems

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List devices, show one in full, and check profiles.",
        discussion: "Manual: Devices/README.md.",
        subcommands: [DevicesShow.self, DevicesCheck.self],
        defaultSubcommand: DevicesShow.self
    )
}

struct DevicesShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "List devices, or show one with every figure, its range and its source."
    )

    @Argument(help: .value("device", "Device to show; case, spaces and hyphens are ignored."))
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
        abstract: "Check profiles and list all errors."
    )

    @Argument(help: "Profile files.", completion: .file(extensions: ["json"]))
    var files: [String]

    func run() throws {
        var isRight = true
        for file in files {
            do {
                let device = try DeviceProfile(file: file)
                print("\(file): \(device.name), \(NumberText.count(device.figures.count, "figure"))")
            } catch {
                isRight = false
                Console.standardError("\(error)")
            }
        }
        if !isRight { throw ExitStatus.wrongInput.exitCode }
    }
}

/// Profiles in words.
enum DeviceText {
    static func list(_ devices: [DeviceProfile]) -> String {
        let columns: [Table.Column] = [
            "device", "chip", "tier", .number("RAM", "GB"), .number("battery", "Wh"), .number("Neural Engine"),
            .number("GPU"), .number("CPU"), "Apple Intelligence",
        ]
        let rows = devices.map { device in
            let speeds = [DeviceFigure.neuralEngineSpeed, .gpuSpeed, .cpuSpeed].map { device.figures[$0] }
            return [device.name, device.chip, device.tier.rawValue, NumberText.short(device.memory.value)]
                + [device.figures[.batteryCapacity].map { NumberText.fixed($0.value, 1) } ?? "–"]
                + speeds.map { $0.map { NumberText.fixed($0.value, 2) } ?? "–" }
                + [device.appleIntelligence.rawValue]
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
        for figure in DeviceFigure.ofProfiles {
            guard let estimate = device.figures[figure] else { continue }
            lines += row(figure.rawValue, estimate, unit: figure.meaning.unit, meaning: figure.meaning.text)
        }
        if !device.claims.isEmpty { lines += ["", "Published or claimed by others, not used in computations:"] }
        for (name, claim) in device.claims.sorted(by: { $0.key < $1.key }) { lines += row(name, claim, unit: "") }
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
}
