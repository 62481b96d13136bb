import Basics
import Composition
import DeviceSimulation
import Foundation
import ScanningPolicies

enum DeviceText {
    static func list(_ devices: [DeviceProfile]) -> String {
        let figures: [Table.Column] = [
            .number("RAM", "GB"), .number("battery", "Wh"), .number("Neural Engine"), .number("GPU"), .number("CPU"),
        ]
        let columns = ["device", "chip", "tier"] + figures + ["Apple Intelligence", .number("traces")]
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
        let range = "[\(number(estimate.low))–\(number(estimate.high))]"
        let unit = unit.isEmpty ? "" : " \(unit)"
        let value = "\(number(estimate.value)) \(range)\(unit)"
        let head = TextWidth.padded(name, to: 26) + TextWidth.padded(value, to: max(26, value.count + 1))
        return [head + estimate.kind.rawValue] + [meaning, estimate.source].filter { !$0.isEmpty }.map { "    " + $0 }
    }

    private static func number(_ value: Double) -> String { String(format: "%.4g", value) }

    static func text(_ trace: DeviceTrace) -> [String] {
        var lines = [
            "Recorded on \(trace.device) with \(trace.system) by \(trace.app), \(NumberText.span(seconds: trace.seconds)):"
        ]
        for group in trace.latencies {
            let times = group.milliseconds
            let median = times[(times.count - 1) / 2]
            lines.append(
                "  \(group.tier) at \(group.state.rawValue): \(NumberText.count(times.count, "reading")), median "
                    + "\(NumberText.milliseconds(median)), slowest \(NumberText.milliseconds(times.last ?? median))"
            )
        }
        if let drain = trace.drain {
            lines.append("  battery: \(number(drain.value)) [\(number(drain.low))–\(number(drain.high))] W")
        } else {
            lines.append("  battery: unknown, as its level was not recorded or it was charging")
        }
        let timeline = trace.thermalTimeline.map {
            "\($0.state.rawValue) from \(NumberText.span(seconds: $0.seconds))"
        }
        lines.append("  heat: " + timeline.joined(separator: ", "))
        if let memory = trace.memory {
            lines.append(
                "  memory: \(NumberText.megabytes(Double(memory.median))), at most "
                    + NumberText.megabytes(Double(memory.peak))
            )
        }
        return lines
    }
}
