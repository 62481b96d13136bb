import ArgumentParser
import DeviceSimulation
import Foundation
import ScanningPolicies

/// Speed of simulated sessions, and what takes their time.
struct DeviceCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "How fast sessions are simulated."
    )

    @Argument(help: "Number of sessions of each kind.")
    var sessions = 200

    func validate() throws {
        guard sessions > 0 else { throw ValidationError("Invalid number of sessions \(sessions): expected 1 or more.") }
    }

    func run() throws {
        if try !SpeedCheck.run(sessions: sessions) { throw ExitCode(1) }
    }
}

/// Device in the middle of the profiles' ranges, with readings as long as a phone's.
enum CheckDevice {
    /// Rates of a good gate, whose effect is not checked here.
    static let gate = SessionPlan.GateRates(truePositive: 0.98, falsePositive: 0.05, seconds: 0.002)
    static let values: DeviceValues = {
        var numbers: [DeviceFigure: Double] = [:]
        for figure in DeviceFigure.allCases { numbers[figure] = 1 }
        let figures: [DeviceFigure: Double] = [
            .batteryCapacity: 12.4, .lowPowerSpeed: 0.5, .basePower: 0.4, .displayPower: 0.9, .cameraPower: 0.9,
            .cpuPower: 1.5, .gpuPower: 3, .neuralEnginePower: 0.5, .wifiPower: 0.7, .wifiTailPower: 0.2, .wifiTail: 0.3,
            .cellularPower: 1.8, .cellularTailPower: 1, .cellularTail: 11, .chipCapacity: 4, .chipResistance: 2,
            .skinCapacity: 45, .skinResistance: 5.6, .fairAt: 36, .seriousAt: 39, .criticalAt: 43, .fairSpeed: 0.9,
            .seriousSpeed: 0.75, .criticalSpeed: 0.6, .throttlePowerExponent: 2, .memoryBudget: 1_400,
            .memoryPressure: 3,
        ]
        return DeviceValues(numbers.merging(figures) { $1 })
    }()

    /// Costs from 10 to 60 ms.
    static let costs = (0..<101).map {
        ReadingCost(
            imageSeconds: 0.004,
            inferenceSeconds: 0.006 + 0.0005 * Double($0),
            waitSeconds: 0.15,
            bytesUp: 2_000
        )
    }
}

/// Speed of sessions of ten minutes on one core.
enum SpeedCheck {
    /// Simulated over real time, at least.
    static let bar = 20_000.0

    /// Prints a line for each kind of session.
    ///
    /// - Throws: `SessionError`, which would be an error of this program.
    static func run(sessions: Int) throws -> Bool {
        var plain = SessionPlan()
        plain.gate = CheckDevice.gate
        var hybrid = plain
        (hybrid.strategy, hybrid.link, hybrid.offlineShare) = (.hybrid, .cellular, 0.1)
        var ungated = plain
        ungated.gate = nil
        var hot = plain
        (hot.ambient, hot.thermalPolicy) = (40, .interval)
        let standard = try factor("standard, 10 minutes", plain, sessions)
        _ = try factor("hybrid, cellular, 10 % offline", hybrid, sessions)
        _ = try factor("every frame read, no gate", ungated, sessions)
        _ = try factor("at 40 °C, policy interval", hot, sessions)
        let ratio = standard / bar
        print(String(format: "standard: %.1f × the bar of %.0f × real time\n", ratio, bar))
        try printSplit(plain)
        return ratio >= 1
    }

    private static func factor(_ name: String, _ plan: SessionPlan, _ sessions: Int) throws -> Double {
        let simulator = try SessionSimulator(plan: plan, values: CheckDevice.values, costs: CheckDevice.costs)
        var frames = 0
        let time = ContinuousClock().measure {
            for seed in 0..<sessions { frames += simulator.run(seed: UInt64(seed), pointsEvery: nil).offered }
        }
        let seconds = time / .seconds(1)
        let factor = plan.seconds * Double(sessions) / seconds
        print(
            name.padding(toLength: 32, withPad: " ", startingAt: 0)
                + String(
                    format: "%8.0f × real time, %6.1f sessions/s, %4.0f ns a frame",
                    factor,
                    Double(sessions) / seconds,
                    seconds * 1e9 / Double(frames)
                )
        )
        return factor
    }

    /// Prints the separate times of a session's parts, as often as a standard session has them.
    private static func printSplit(_ plan: SessionPlan) throws {
        let simulator = try SessionSimulator(plan: plan, values: CheckDevice.values, costs: CheckDevice.costs)
        let counts = simulator.run(seed: 1, pointsEvery: nil).counts
        let network = ThermalNetwork(CheckDevice.values, ambient: 25)
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
        func line(_ name: String, _ time: Duration, _ count: Int) {
            print(
                name.padding(toLength: 32, withPad: " ", startingAt: 0)
                    + String(
                        format: "%6.2f ms, %2.0f %%, %3.0f ns each of %d",
                        time / .milliseconds(1),
                        100 * (time / whole),
                        time / .nanoseconds(1) / Double(count),
                        count
                    )
            )
        }
        line("a session", whole, counts.arrived)
        line("of it, heat (\(state.chip > 25 ? "rising" : "level"))", heat, steps)
        line("of it, frame decisions", decisions, triage.counts.arrived)
        line("of it, all else", whole - heat - decisions, counts.arrived)
        print("")
    }
}
