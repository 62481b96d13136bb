import ArgumentParser
import Basics
import Harness
import ScanningPolicies
import Systems

struct SimulationOptions: ParsableArguments {
    @Option(help: "Minutes of a session.")
    var minutes: Double = 10

    @Option(help: "Thermal policy.")
    var policy: ThermalPolicy = .seedCode

    @Option(name: .customLong("scan"), help: "Strategy.")
    var strategy: ScanStrategy = .onDeviceOnly

    @Option(help: "Compute unit of inference.")
    var unit: ComputeUnit = .neuralEngine

    @Option(help: "Radio of requests.")
    var link: SessionPlan.Link = .none

    @Option(name: .customLong("offline"), help: "Share of time without a network, 0…1.")
    var offlineShare: Double = 0

    @Option(name: .customLong("spine-share"), help: "Share of time with a spine in view, 0…1.")
    var spineShare: Double?

    @Option(
        name: .customLong("minimum-interval"),
        help: "Minimum time between starts of readings, in ms."
    )
    var minimumInterval: Double?

    @Option(help: "Ambient temperature in °C.")
    var ambient: Double = 25

    @Flag(name: .customLong("low-power"), help: "Simulate Low Power Mode.")
    var isLowPower = false

    @Option(help: "Initial charge, 0…1.")
    var charge: Double = 1

    @Option(help: "Memory of the app, in MB.")
    var memory: Double = 0

    @Option(name: .customLong("background"), help: "GPU power of the rest of the app, in W.")
    var backgroundLoad: Double = 0

    var plan: SessionPlan {
        get throws {
            var plan = SessionPlan()
            plan.seconds = minutes * 60
            plan.thermalPolicy = policy
            plan.strategy = strategy
            (plan.unit, plan.link) = (unit, link)
            if let spineShare {
                guard spineShare > 0, spineShare <= 1 else {
                    throw ValidationError("invalid --spine-share \(spineShare): expected above 0 and up to 1")
                }
                plan.spineShare = spineShare
            }
            plan.minimumInterval = minimumInterval.map { $0 / 1_000 }
            (plan.offlineShare, plan.isLowPower, plan.startCharge) = (offlineShare, isLowPower, charge)
            (plan.ambient, plan.memory, plan.backgroundLoad) = (ambient, memory, backgroundLoad)
            return plan
        }
    }
}

extension SessionPlan.Link: ExpressibleByArgument {}
