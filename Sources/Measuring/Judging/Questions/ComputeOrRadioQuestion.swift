import DeviceSimulation
import Documents
import Evaluation
import Harness
import ScanningPolicies

/// E-01: whether reading on the device takes less energy than sending pictures (S0-B04).
///
/// Both are compared by what a scan adds to a session: the work of the CPU and the Neural Engine, and the radio's while bytes
/// move, while an answer is waited for, and until it sleeps. Camera, display and the system run in both. How many scans share
/// the time until the radio sleeps decides most of it, so it is swept too.
struct ComputeOrRadioQuestion {
    let input: ExperimentInput

    /// The figures of a device that are put on either side, all with all.
    private static let swept: [DeviceFigure] = [
        .neuralEnginePower, .neuralEngineSpeed, .cpuPower, .wifiPower, .wifiTail, .cellularPower, .cellularTail,
        .cellularTailPower,
    ]
    /// Scans that go out before the radio sleeps.
    private static let sharing = [1, 5, 20]

    var finding: Finding {
        guard let local = input.subjects.first(where: { $0.strategy == .onDeviceOnly }),
            let text = input.subjects.first(where: { $0.strategy == .hybrid }),
            let picture = input.subjects.first(where: { $0.strategy == .talariaOnly })
        else {
            return input.unanswered(
                .computeOrRadio,
                "it needs a variant that reads on the device, hybrid, and talaria-only in the run"
            )
        }
        guard !input.profiles.isEmpty else { return input.unanswered(.computeOrRadio, "no device was asked for") }
        let ways = [local, text, picture]
        var grid = (cells: 0, local: 0, text: 0)
        var byLink: [[String]] = []
        // What sending the text adds to reading alone, over the cellular links, by how many scans share a radio period.
        var added: [Int: [Double]] = [:]
        for profile in input.profiles {
            let costs = ways.map { input.costs($0, on: profile) }
            guard costs.allSatisfy({ !$0.isEmpty }) else { continue }
            for link in NetworkProfile.all {
                for shared in Self.sharing {
                    var cell = (all: 0, local: 0, text: 0)
                    for values in Self.grid(profile) {
                        let joules = costs.map { Self.joules($0, values, profile, link, sharing: shared) }
                        cell.all += 1
                        if joules[0] < joules[2] { cell.local += 1 }
                        if joules[1] < joules[2] { cell.text += 1 }
                    }
                    grid = (grid.cells + cell.all, grid.local + cell.local, grid.text + cell.text)
                    let nominal = costs.map { Self.joules($0, profile.values(), profile, link, sharing: shared) }
                    if link.name != "wifi" { added[shared, default: []].append(nominal[1] - nominal[0]) }
                    byLink.append(
                        [profile.name, link.name, "\(shared)"] + nominal.map { NumberText.fixed($0, 2) }
                            + [
                                NumberText.percent(Double(cell.local) / Double(cell.all)),
                                NumberText.percent(Double(cell.text) / Double(cell.all)),
                                Self.breakEven(nominal[2], profile.values()),
                            ]
                    )
                }
            }
        }
        guard grid.cells > 0 else { return input.unanswered(.computeOrRadio, "the variants have no readings") }
        let (alone, shared) = (Self.span(added[1] ?? []), Self.span(added[Self.sharing.last ?? 1] ?? []))
        return Finding(
            .computeOrRadio,
            // In all of the grid, in none of it, or it depends on the figures.
            grid.local == grid.cells ? .holds : grid.local == 0 ? .doesNotHold : .undecided,
            "\(local.name) takes less than \(picture.name) in \(Self.share(grid.local, grid.cells)) of the parameter "
                + "grid, and \(text.name), which sends the text, in \(Self.share(grid.text, grid.cells)); on cellular the text takes "
                + "\(alone) more than \(local.name) alone when each scan wakes the modem, and \(shared) when \(Self.sharing.last ?? 1) "
                + "share it; a picture of this run has "
                + "\(NumberText.bytes(Self.meanBytes(input.costs(picture, on: input.profiles[0])))) on average.",
            tables: [
                Table(
                    "Energy of a scan",
                    note: "Modelled, in J beyond camera, display and system, at nominal figures. The shares are of "
                        + "\(NumberText.count(1 << Self.swept.count, "combination")) of low and high for "
                        + "\(Self.swept.map(\.rawValue).joined(separator: ", ")). Break-even: Neural Engine time for which "
                        + "reading costs as much as sending the picture.",
                    columns: [
                        "Device", "Network", "Scans a radio period", "\(local.name), J", "\(text.name), J",
                        "\(picture.name), J", "Device wins", "Text wins", "Break-even",
                    ],
                    rows: byLink,
                    numbersFrom: 2
                )
            ]
        )
    }

    /// "0.10 to 0.25 J".
    private static func span(_ joules: [Double]) -> String {
        guard let least = joules.min(), let most = joules.max() else { return "an unknown amount" }
        let ends = [least, most].map { NumberText.fixed($0, 2) }
        return (ends[0] == ends[1] ? ends[0] : ends.joined(separator: " to ")) + " J"
    }

    private static func meanBytes(_ costs: [ReadingCost]) -> Double {
        costs.isEmpty ? 0 : Double(costs.reduce(0) { $0 + $1.bytesUp }) / Double(costs.count)
    }

    private static func share(_ part: Int, _ all: Int) -> String {
        "\(NumberText.percent(Double(part) / Double(all))) (\(part) of \(all) cells)"
    }

    private static func breakEven(_ joules: Double, _ values: DeviceValues) -> String {
        NumberText.milliseconds(1_000 * joules / values[.neuralEnginePower])
    }

    /// Every combination of low and high of the swept figures, the others at their likeliest.
    private static func grid(_ profile: DeviceProfile) -> [DeviceValues] {
        (0..<(1 << swept.count)).map { bits in
            var values = profile.values()
            for (index, figure) in swept.enumerated() {
                guard let estimate = profile.figures[figure] else { continue }
                values[figure] = bits >> index & 1 == 0 ? estimate.low : estimate.high
            }
            return values
        }
    }

    /// The mean energy of a scan.
    ///
    /// - Parameters:
    ///   - costs: of readings at the profile's likeliest speeds.
    ///   - values: of the device.
    ///   - profile: that the costs are of.
    ///   - link: what the radio does; wifi is Wi-Fi, all others are cellular.
    ///   - sharing: scans in the time until the radio sleeps.
    /// - Returns: in J.
    static func joules(
        _ costs: [ReadingCost],
        _ values: DeviceValues,
        _ profile: DeviceProfile,
        _ link: NetworkProfile,
        sharing: Int
    ) -> Double {
        let isWiFi = link.name == "wifi"
        let power = values[isWiFi ? .wifiPower : .cellularPower]
        let tailPower = values[isWiFi ? .wifiTailPower : .cellularTailPower]
        let tail = values[isWiFi ? .wifiTail : .cellularTail]
        let nominal = profile.values()
        let total = costs.reduce(0.0) { sum, cost in
            let slower = nominal[.neuralEngineSpeed] / values[.neuralEngineSpeed]
            var joules = cost.imageSeconds * values[.cpuPower]
            joules += cost.inferenceSeconds * slower * values[.neuralEnginePower]
            if cost.bytesUp + cost.bytesDown > 0 {
                let up = Double(cost.bytesUp) * 8 / (link.upMegabits * 1e6)
                let down = Double(cost.bytesDown) * 8 / (link.downMegabits * 1e6)
                joules += (up + down) * power
                // Between the bytes the radio stays awake for the answer, as it does afterwards.
                joules += (link.roundTripMilliseconds / 1_000 + tail / Double(sharing)) * tailPower
            }
            return sum + joules
        }
        return total / Double(costs.count)
    }
}
