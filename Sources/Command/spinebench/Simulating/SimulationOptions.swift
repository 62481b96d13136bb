import ArgumentParser
import Basics
import Composition
import DeviceSimulation
import ScanningPipeline
import ScanningPolicies

/// The options of a simulated session.
struct SimulationOptions: ParsableArguments {
    @Option(help: "Minutes of a session.")
    var minutes: Double = 10

    @Option(
        help: "What is done with frames when the device gets warm: seed-code, proactive, interval or none.",
        transform: choice
    )
    var policy: ThermalPolicy = .seedCode

    @Option(
        name: .customLong("scan"),
        help: "How the work is divided: on-device-only, hybrid, talaria-only or vision-fallback.",
        transform: choice
    )
    var strategy: ScanStrategy = .onDeviceOnly

    @Option(help: "What inference runs on: neuralEngine, gpu or cpu.", transform: choice)
    var unit: ComputeUnit = .neuralEngine

    @Option(help: "The radio that requests go over: none, wifi or cellular.", transform: choice)
    var link: SessionPlan.Link = .none

    @Option(name: .customLong("offline"), help: "The share of time without a network, 0…1.")
    var offlineShare: Double = 0

    @Option(name: .customLong("spine-share"), help: "The share of time with a spine in sight, above 0 and up to 1.")
    var spineShare: Double?

    @Flag(
        name: .customLong("gate"),
        inversion: .prefixedNo,
        help: "Read only the frames on which the presence gate finds a spine."
    )
    var hasGate = PresenceGate.isOnByDefault

    @Option(name: .customLong("minimum-interval"), help: "Milliseconds between the beginnings of readings, at least.")
    var minimumInterval: Double?

    @Option(help: "The air's temperature in °C.")
    var ambient: Double = 25

    @Flag(name: .customLong("low-power"), help: "In Low Power Mode.")
    var isLowPower = false

    @Option(help: "The share of the battery that is full at the beginning.")
    var charge: Double = 1

    @Option(help: "What the app holds, in MB.")
    var memory: Double = 0

    @Option(name: .customLong("background"), help: "What the rest of the app takes in the GPU, in W.")
    var backgroundLoad: Double = 0

    /// Plan with these options.
    ///
    /// - Throws: `ValidationError` for an invalid share; `SimulationFault` when the presence gate differs from the
    ///   measured one.
    var plan: SessionPlan {
        get throws {
            var plan = SessionPlan()
            plan.seconds = minutes * 60
            plan.thermalPolicy = policy
            plan.strategy = strategy
            (plan.unit, plan.link) = (unit, link)
            if let spineShare {
                guard spineShare > 0, spineShare <= 1 else {
                    throw ValidationError("--spine-share: \(spineShare) is not above 0 and up to 1")
                }
                plan.user = UserScript(spineShare: spineShare)
            }
            plan.gate = hasGate ? try MeasuredGate().rates : nil
            plan.minimumInterval = minimumInterval.map { $0 / 1_000 }
            (plan.offlineShare, plan.isLowPower, plan.startCharge) = (offlineShare, isLowPower, charge)
            (plan.ambient, plan.memory, plan.backgroundLoad) = (ambient, memory, backgroundLoad)
            return plan
        }
    }
}
