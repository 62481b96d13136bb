import ArgumentParser
import Basics
import DeviceSimulation
import Foundation
import ScanningPolicies

/// Speed of simulated sessions of ten minutes on one core, and what takes their time.
struct DeviceCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "How fast sessions are simulated."
    )

    @Argument(help: "Number of sessions of each kind.")
    var sessions = 200

    /// Least simulated time over real time.
    private static let bar = 20_000.0

    func validate() throws {
        try require(sessions > 0, "Invalid number of sessions \(sessions): expected 1 or more.")
    }

    func run() throws {
        var plain = SessionPlan()
        // Rates of a good gate, whose effect is not checked here.
        plain.gate = SessionPlan.GateRates(truePositive: 0.98, falsePositive: 0.05, seconds: 0.002)
        var hybrid = plain
        (hybrid.strategy, hybrid.link, hybrid.offlineShare) = (.hybrid, .cellular, 0.1)
        var ungated = plain
        ungated.gate = nil
        var hot = plain
        (hot.ambient, hot.thermalPolicy) = (40, .interval)
        let standard = try factor("standard, 10 minutes", plain)
        _ = try factor("hybrid, cellular, 10 % offline", hybrid)
        _ = try factor("every frame read, no gate", ungated)
        _ = try factor("at 40 °C, policy interval", hot)
        let ratio = standard / Self.bar
        print(String(format: "standard: %.1f × the bar of %.0f × real time\n", ratio, Self.bar))
        try printSplit(plain)
        try end([], isGood: ratio >= 1)
    }

    private func factor(_ name: String, _ plan: SessionPlan) throws -> Double {
        let simulator = try Self.simulator(plan)
        var frames = 0
        let time = ContinuousClock().measure {
            for seed in 0..<sessions { frames += simulator.run(seed: UInt64(seed), pointsEvery: nil).offered }
        }
        let seconds = time / .seconds(1)
        let factor = plan.seconds * Double(sessions) / seconds
        let (pace, frame) = (Double(sessions) / seconds, seconds * 1e9 / Double(frames))
        print("\(name): " + String(format: "%.0f × real time, %.1f sessions/s, %.0f ns a frame", factor, pace, frame))
        return factor
    }

    /// Prints the separate times of a session's parts, as often as a standard session has them.
    private func printSplit(_ plan: SessionPlan) throws {
        let simulator = try Self.simulator(plan)
        let counts = simulator.run(seed: 1, pointsEvery: nil).counts
        let network = ThermalNetwork(Self.device, ambient: 25)
        // Each frame that is examined begins and ends the gate's work; each reading ends two more stages; and the
        // seconds.
        let steps = 2 * counts.examined + 2 * counts.read + 600
        var state = ThermalNetwork.State(chip: 25, skin: 25)
        let heat = ContinuousClock().measure {
            for step in 0..<steps {
                let power = ThermalNetwork.Power(chip: Double(step % 3), skin: 2)
                state = network.advance(state, under: power, seconds: 0.011).state
            }
        }
        var triage = FrameTriage(thermalPolicy: .seedCode)
        let decisions = ContinuousClock().measure {
            for frame in 0..<counts.arrived {
                _ = triage.decide(at: .nanoseconds(frame * 33_333_333), state: .nominal, hasSpine: { frame % 5 == 0 })
            }
        }
        let whole = ContinuousClock().measure { _ = simulator.run(seed: 1, pointsEvery: nil) }
        let parts = [
            ("a session", whole, counts.arrived),
            ("of it, heat (\(state.chip > 25 ? "rising" : "level"))", heat, steps),
            ("of it, frame decisions", decisions, triage.counts.arrived),
            ("of it, all else", whole - heat - decisions, counts.arrived),
        ]
        for (name, time, count) in parts {
            let (milliseconds, each) = (time / .milliseconds(1), time / .nanoseconds(1) / Double(count))
            print(
                "\(name): \(NumberText.fixed(milliseconds, 2)) ms, \(NumberText.percent(time / whole)), "
                    + "\(NumberText.fixed(each, 0)) ns each of \(count)"
            )
        }
    }

    private static func simulator(_ plan: SessionPlan) throws -> SessionSimulator {
        // Readings from 10 to 60 ms.
        let costs = (0..<101).map {
            ReadingCost(
                imageSeconds: 0.004,
                inferenceSeconds: 0.006 + 0.0005 * Double($0),
                waitSeconds: 0.15,
                bytesUp: 2_000
            )
        }
        return try SessionSimulator(plan: plan, values: device, costs: costs)
    }

    /// Device in the middle of the profiles' ranges, with readings as long as a phone's.
    private static let device: DeviceValues = {
        let figures: [DeviceFigure: Double] = [
            .batteryCapacity: 12.4, .lowPowerSpeed: 0.5, .basePower: 0.4, .displayPower: 0.9, .cameraPower: 0.9,
            .cpuPower: 1.5, .gpuPower: 3, .neuralEnginePower: 0.5, .wifiPower: 0.7, .wifiTailPower: 0.2, .wifiTail: 0.3,
            .cellularPower: 1.8, .cellularTailPower: 1, .cellularTail: 11, .chipCapacity: 4, .chipResistance: 2,
            .skinCapacity: 45, .skinResistance: 5.6, .fairAt: 36, .seriousAt: 39, .criticalAt: 43, .fairSpeed: 0.9,
            .seriousSpeed: 0.75, .criticalSpeed: 0.6, .throttlePowerExponent: 2, .memoryBudget: 1_400,
            .memoryPressure: 3,
        ]
        let others = DeviceFigure.allCases.map { ($0, 1.0) }
        return DeviceValues(figures.merging(others) { first, _ in first })
    }()
}
