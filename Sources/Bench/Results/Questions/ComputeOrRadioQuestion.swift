import Basics
import DeviceSimulation
import Evaluation
import Harness
import ScanningPolicies

/// E-01: whether reading on the device takes less energy than sending pictures (S0-B04).
///
/// Both are compared by what a scan adds to a session: the work of the CPU and the Neural Engine, and the radio's while bytes
/// move, while an answer is waited for, and until it sleeps. Camera, display and the system run in both. How many scans share
/// the time until the radio sleeps decides most of it, so it is swept too.
struct ComputeOrRadioQuestion: Question {
    static let experiment = Experiment.computeOrRadio
    let input: ExperimentInput

    /// The figures of a device that are put on either side, all with all.
    private static let swept: [DeviceFigure] = [
        .neuralEnginePower, .neuralEngineSpeed, .cpuPower, .wifiPower, .wifiTail, .cellularPower, .cellularTail,
        .cellularTailPower,
    ]
    /// Scans that go out before the radio sleeps.
    private static let sharing = [1, 5, 20]

    /// A device on a network, with so many scans to a radio period.
    private struct Cell {
        var profile: DeviceProfile
        var link: NetworkProfile
        var sharing: Int
        /// In J at nominal figures: locally, by text and by picture.
        var nominal: [Double]
        /// Of the combinations of figures, those in which reading here, or the text, takes less than the picture.
        var all = 0
        var local = 0
        var text = 0
    }

    func answer() throws(Unanswered) -> Finding {
        func first(_ strategy: ScanStrategy) -> AssessmentSubject? { input.subjects.first { $0.strategy == strategy } }
        guard let local = first(.onDeviceOnly), let text = first(.hybrid), let picture = first(.talariaOnly) else {
            throw Unanswered("it needs a variant that reads on the device, hybrid, and talaria-only in the run")
        }
        guard let firstProfile = input.profiles.first else { throw Unanswered("no device was asked for") }
        let cells = input.profiles.flatMap { self.cells([local, text, picture], on: $0) }
        let all = cells.reduce(0) { $0 + $1.all }
        guard all > 0, let most = Self.sharing.last else { throw Unanswered("the variants have no readings") }
        let (locals, texts) = (cells.reduce(0) { $0 + $1.local }, cells.reduce(0) { $0 + $1.text })
        func share(_ part: Int) -> String {
            "\(NumberText.percent(Double(part) / Double(all))) (\(part) of \(all) cells)"
        }
        // What sending the text adds to reading alone, over the cellular links.
        func added(_ sharing: Int) -> String {
            let own = cells.filter { $0.sharing == sharing && $0.link.name != "wifi" }
            let range = ClosedRange(of: own.map { $0.nominal[1] - $0.nominal[0] })
            return range.map { $0.text(Self.joules) + " J" } ?? "an unknown amount"
        }
        let sent = input.costs(picture, on: firstProfile).map { Double($0.bytesUp) }
        let mean = sent.isEmpty ? 0 : sent.reduce(0, +) / Double(sent.count)
        return Self.finding(
            // In all of the grid, in none of it, or it depends on the figures.
            locals == all ? .holds : locals == 0 ? .doesNotHold : .undecided,
            "\(local.name) takes less than \(picture.name) in \(share(locals)) of the parameter "
                + "grid, and \(text.name), which sends the text, in \(share(texts)); on cellular the text takes "
                + "\(added(1)) more than \(local.name) alone when each scan wakes the modem, and \(added(most)) when \(most) "
                + "share it; a picture of this run has \(NumberText.bytes(mean)) on average.",
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
                    rows: cells.map(Self.row),
                    numbersFrom: 2
                )
            ]
        )
    }

    private func cells(_ ways: [AssessmentSubject], on profile: DeviceProfile) -> [Cell] {
        let costs = ways.map { input.costs($0, on: profile) }
        guard costs.allSatisfy({ !$0.isEmpty }) else { return [] }
        return NetworkProfile.all.flatMap { link in
            Self.sharing.map { sharing in
                func joules(_ values: DeviceValues) -> [Double] {
                    costs.map { Self.joules($0, values, profile, link, sharing: sharing) }
                }
                var cell = Cell(profile: profile, link: link, sharing: sharing, nominal: joules(profile.values()))
                for joules in Self.grid(profile).map(joules) {
                    cell.all += 1
                    if joules[0] < joules[2] { cell.local += 1 }
                    if joules[1] < joules[2] { cell.text += 1 }
                }
                return cell
            }
        }
    }

    private static func row(_ cell: Cell) -> [String] {
        let breakEven = cell.nominal[2] / cell.profile.values()[.neuralEnginePower]
        return [cell.profile.name, cell.link.name, "\(cell.sharing)"] + cell.nominal.map(joules)
            + [cell.local, cell.text].map { NumberText.percent(Double($0) / Double(cell.all)) }
            + [NumberText.milliseconds(1_000 * breakEven)]
    }

    private static func joules(_ value: Double) -> String { NumberText.fixed(value, 2) }

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

    /// The mean energy of a scan, in J.
    ///
    /// The costs are of readings at the profile's likeliest speeds; the link `wifi` is Wi-Fi, all others are cellular; `sharing` is
    /// scans in the time until the radio sleeps.
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
        let slower = profile.values()[.neuralEngineSpeed] / values[.neuralEngineSpeed]
        let total = costs.reduce(0.0) { sum, cost in
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
