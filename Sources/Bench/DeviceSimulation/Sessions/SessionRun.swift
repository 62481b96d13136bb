import Basics
import ScanningPolicies

/// One session as it goes on: what is going to happen next, and what happens then.
struct SessionRun {
    enum Stage {
        /// Nothing until the next frame is due.
        case waiting
        case gate(isRead: Bool)
        case image, inference
        case paused
        /// The camera runs again, but scans from before the pause are not finished.
        case finishing
    }

    let simulator: SessionSimulator
    let plan: SessionPlan
    let seed: UInt64
    let end: Int
    var now = 0

    var triage: FrameTriage
    let idlePause: IdlePause?
    var camera: FramePacer
    var user: UserModel
    var gateRandom: SplitMix64
    var costRandom: SplitMix64
    var stage = Stage.waiting
    var stageEnd = 0
    var current = Scan(taken: 0, cost: 0)
    var frameTime = 0
    var frameTaken = 0
    /// Factor by which inference is slower with what the app holds in memory.
    let pressure: Double
    var lastUse = 0
    var touch = VirtualTime.never
    /// Readings are of one spine when their spines' numbers are the same.
    var follower = SpineFollower<Scan> { $0.spine == $1.spine ? 1 : 0 }
    /// Spine that the last frame showed to the follower, and the number of the camera's way: a new one begins with each spine.
    var view: (spine: Int?, way: Int) = (nil, 0)

    var access: BackEndAccess
    var radio: RadioUse
    var beside = BackgroundWork()
    var besideEnd = VirtualTime.never
    var queue: [Scan] = []
    var isDraining = false
    var radioChange = VirtualTime.never

    var meter: PowerMeter
    /// The place in `ThermalStates.rising`.
    var state: Int
    var recorder: SessionRecorder
    var tick = VirtualTime.second
    /// Energy in the battery at the beginning, in J.
    let available: Double
    var scans = SessionOutcome.Scans()
    var identified: [Bool] = []
    var books = 0

    init(_ simulator: SessionSimulator, seed: UInt64, pointsEvery: Int?) {
        let (plan, values) = (simulator.plan, simulator.values)
        (self.simulator, self.plan, self.seed) = (simulator, plan, seed)
        end = VirtualTime.nanoseconds(plan.seconds)
        let minimumInterval = plan.minimumInterval.map { Duration.nanoseconds(VirtualTime.nanoseconds($0)) }
        triage = FrameTriage(thermalPolicy: plan.thermalPolicy, minimumInterval: minimumInterval)
        pressure = plan.memory > values[.memoryBudget] ? values[.memoryPressure] : 1
        idlePause = plan.idleLimit.map { IdlePause(limit: .nanoseconds(VirtualTime.nanoseconds($0))) }
        camera = FramePacer(framesPerSecond: plan.framesPerSecond)
        // Each its own numbers, so that a change of one leaves the others as they were.
        var random = SplitMix64(state: seed)
        user = UserModel(plan.user, random: SplitMix64(state: random.next()))
        gateRandom = SplitMix64(state: random.next())
        costRandom = SplitMix64(state: random.next())
        access = BackEndAccess(plan, random: SplitMix64(state: random.next()))
        radio = RadioUse(plan: plan, values: values)
        meter = PowerMeter(plan: plan, values: values, powers: simulator.powers)
        let state = simulator.states.next(after: .nominal, skin: meter.temperatures.skin)
        self.state = ThermalStates.rising.firstIndex(of: state) ?? 0
        let capacity = values[.batteryCapacity] * values[.batteryHealth] * 3600
        available = capacity * plan.startCharge
        recorder = SessionRecorder(step: pointsEvery.map { $0 * VirtualTime.second }, capacity: capacity)
    }

    mutating func outcome() -> SessionOutcome {
        note(isEnd: false)
        while true {
            let next = min(
                min(stageEnd, tick, besideEnd, radioChange),
                min(radio.nextEnd, access.nextChange, touch, limitEnd)
            )
            guard next < end else { break }
            now = next
            if now == tick {
                meter.advance(to: now)
                // Of the second that is over, the old state's.
                note(isEnd: false)
                if meter.energy.total >= available { return finish() }
                tellState()
                tick += VirtualTime.second
            }
            if now == access.nextChange { access.toggleNetwork(at: now) }
            while let request = radio.finish(at: now) { receive(request) }
            if now == besideEnd { endWorkBeside() }
            if now == radioChange { updateRadio() }
            if now == touch { wake() }
            if now == stageEnd { endStage() }
            drain()
        }
        now = end
        meter.advance(to: now)
        return finish()
    }

    /// When the back end may be asked again; only of interest to scans that wait.
    private var limitEnd: Int {
        queue.isEmpty || isDraining || access.limitedUntil <= now ? VirtualTime.never : access.limitedUntil
    }

    var isPaused: Bool {
        if case .paused = stage { true } else { false }
    }

    var level: Int { plan.isLowPower ? state + ThermalStates.rising.count : state }

    private mutating func tellState() {
        let next = simulator.states.next(after: ThermalStates.rising[state], skin: meter.temperatures.skin)
        state = ThermalStates.rising.firstIndex(of: next) ?? 0
    }

    private mutating func note(isEnd: Bool) {
        let counts = triage.counts
        let totals = SessionRecorder.Totals(
            arrived: counts.arrived,
            dropped: camera.dropped,
            read: counts.read,
            books: books,
            isPaused: isPaused
        )
        recorder.note(meter, state: state, totals: totals, isEnd: isEnd)
    }

    private mutating func finish() -> SessionOutcome {
        if !isPaused { camera.end(at: now) }
        // What would be sent now has no answer within the session.
        if plan.strategy == .onDeviceOnly, let last = follower.leave() { scanSpine(last) }
        note(isEnd: true)
        scans.waiting = queue.count
        return SessionOutcome(self)
    }
}
