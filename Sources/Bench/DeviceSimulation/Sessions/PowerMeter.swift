/// The power that a device takes from one event to the next, and the heat that it becomes.
///
/// Energy is counted twice: as power × residency, from whole nanoseconds, and as heat, step by step.
struct PowerMeter {
    /// Work that keeps a thread or a unit busy, at the speed at which it began.
    struct Work {
        var isOnUnit: Bool
        var level: Int
    }

    enum Radio {
        case asleep, tail, active
    }

    /// Throttled or not, in low-power mode or not: what a compute unit's speed and power depend on.
    ///
    /// The place of the state among `ThermalStates.rising`, and as many more in low-power mode.
    static let levels = 2 * ThermalStates.rising.count

    let unit: ComputeUnit
    private let network: ThermalNetwork
    private let base, display, camera, background, radioActive, radioTail: Double
    private let cpu, unitPower: [Double]

    private(set) var now = 0
    private(set) var temperatures: ThermalNetwork.State
    var cameraIsOn = true
    var radio = Radio.asleep
    /// Work of the coordinator.
    var foreground: Work?
    /// Work of scans beside it.
    var worker: Work?

    // Residencies in nanoseconds.
    private var cameraTime = 0
    private var activeTime = 0
    private var tailTime = 0
    private var cpuTime = [Int](repeating: 0, count: levels)
    private var unitTime = [Int](repeating: 0, count: levels)
    /// The heat so far in J, as it was put in, and as it came out.
    private var (put, toAir) = (0.0, 0.0)
    private let storedAtStart: Double

    init(plan: SessionPlan, values: DeviceValues, powers: [Double]) {
        unit = plan.unit
        network = ThermalNetwork(values, ambient: plan.ambient)
        base = values[.basePower]
        display = values[.displayPower]
        camera = values[.cameraPower]
        background = plan.backgroundLoad
        cpu = powers.map { values[.cpuPower] * $0 }
        unitPower = powers.map { values[plan.unit.power] * $0 }
        (radioActive, radioTail) =
            switch plan.link {
            case .none: (0, 0)
            case .wifi: (values[.wifiPower], values[.wifiTailPower])
            case .cellular: (values[.cellularPower], values[.cellularTailPower])
            }
        let start = plan.startTemperature ?? plan.ambient
        temperatures = ThermalNetwork.State(chip: start, skin: start)
        storedAtStart = network.storedHeat(temperatures)
    }

    /// Lets time go by under the power of now.
    mutating func advance(to time: Int) {
        let step = time - now
        guard step > 0 else { return }
        now = time
        var power = ThermalNetwork.Power(chip: background, skin: base + display)
        if cameraIsOn {
            power.skin += camera
            cameraTime += step
        }
        switch radio {
        case .asleep: break
        case .tail:
            power.skin += radioTail
            tailTime += step
        case .active:
            power.skin += radioActive
            activeTime += step
        }
        if let foreground { power.chip += spend(step, on: foreground) }
        if let worker { power.chip += spend(step, on: worker) }
        let seconds = VirtualTime.seconds(step)
        let end = network.advance(temperatures, under: power, seconds: seconds)
        temperatures = end.state
        toAir += end.heatToAir
        put += (power.chip + power.skin) * seconds
    }

    private mutating func spend(_ step: Int, on work: Work) -> Double {
        if work.isOnUnit {
            unitTime[work.level] += step
            return unitPower[work.level]
        }
        cpuTime[work.level] += step
        return cpu[work.level]
    }

    var energy: EnergyUse {
        var energy = EnergyUse()
        let all = VirtualTime.seconds(now)
        energy.base = base * all
        energy.display = display * all
        energy.camera = camera * VirtualTime.seconds(cameraTime)
        energy.gpu = background * all
        energy.radio = radioActive * VirtualTime.seconds(activeTime) + radioTail * VirtualTime.seconds(tailTime)
        for level in 0..<Self.levels {
            energy.add(cpu[level] * VirtualTime.seconds(cpuTime[level]), of: .cpu)
            energy.add(unitPower[level] * VirtualTime.seconds(unitTime[level]), of: unit)
        }
        return energy
    }

    /// Time that threads of the CPU and the unit worked, in nanoseconds.
    var busy: (cpu: Int, unit: Int) { (cpuTime.reduce(0, +), unitTime.reduce(0, +)) }

    /// The heat in J: what the air took, and what the device has beside its beginning.
    var heat: Double { toAir + network.storedHeat(temperatures) - storedAtStart }

    /// Whether power × residency, what was put in step by step, and the heat are the same to a billionth.
    var isBalanced: Bool {
        let limit = 1e-9 * max(1, put)
        return abs(put - energy.total) <= limit && abs(put - heat) <= limit
    }
}

extension ComputeUnit {
    /// Power that it takes while it works.
    package var power: DeviceFigure {
        switch self {
        case .cpu: .cpuPower
        case .gpu: .gpuPower
        case .neuralEngine: .neuralEnginePower
        }
    }
}
