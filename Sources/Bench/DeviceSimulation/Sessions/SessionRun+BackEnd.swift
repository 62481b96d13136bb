import Basics
import ScanningPolicies

/// Work beside the next frames: `ScanSession`'s `finish`, and its `drain`.
extension SessionRun {
    /// Starts the first piece of work, unless one is being done.
    mutating func startBackgroundWork() {
        guard !beside.isBusy, let piece = beside.first else { return }
        beside.isBusy = true
        meter.advance(to: now)
        let cost = simulator.costs[piece.scan.cost]
        let isOnUnit = piece.kind == .inference
        let seconds = isOnUnit ? inferenceSeconds(of: cost) : cost.imageSeconds
        meter.worker = PowerMeter.Work(isOnUnit: isOnUnit, level: level)
        besideEnd = now + VirtualTime.nanoseconds(seconds / simulator.speeds[level])
    }

    mutating func endWorkBeside() {
        meter.advance(to: now)
        meter.worker = nil
        besideEnd = VirtualTime.never
        beside.isBusy = false
        let (scan, kind) = beside.removeFirst()
        switch kind {
        case .preparation: send(scan, isLate: false)
        case .inference: recorder.latencies.append(milliseconds(since: scan.taken))
        }
        startBackgroundWork()
        continueIfFinished()
    }

    /// On the unit, at full speed, with what the device holds in memory.
    func inferenceSeconds(of cost: ReadingCost) -> Double { cost.inferenceSeconds * pressure }

    /// Asks the back end about a scan, or leaves it in the queue.
    mutating func send(_ scan: Scan, isLate: Bool) {
        guard access.isOnline, !access.isLimited(at: now), isAdmitted() else {
            scans.queued += isLate ? 0 : 1
            queue.insert(scan, at: isLate ? 0 : queue.count)
            if !isLate && plan.strategy == .visionFallback { readBeside(scan) }
            return
        }
        meter.advance(to: now)
        isDraining = isLate || isDraining
        radio.begin(scan, cost: simulator.costs[scan.cost], isLate: isLate, at: now)
        updateRadio()
    }

    private mutating func isAdmitted() -> Bool {
        scans.requests += 1
        if access.admit(at: now) { return true }
        scans.refused += 1
        radio.wake(at: now)
        updateRadio()
        return false
    }

    mutating func receive(_ request: RadioUse.Request) {
        let scan = request.scan
        addBook(of: scan)
        if request.isLate {
            isDraining = false
        } else {
            recorder.answers.append(milliseconds(since: scan.taken))
            if !plan.strategy.readsFirst {
                // What the device did besides, as the answer did not suffice.
                let isRead = plan.strategy == .visionFallback && simulator.costs[scan.cost].inferenceSeconds > 0
                if isRead { readBeside(scan) } else { recorder.latencies.append(milliseconds(since: scan.taken)) }
            }
            continueIfFinished()
        }
        updateRadio()
    }

    private mutating func readBeside(_ scan: Scan) {
        beside.add(scan, .inference)
        startBackgroundWork()
    }

    /// Sends what waits, the oldest first, one after the other.
    mutating func drain() {
        guard !isDraining, !queue.isEmpty, access.isOnline, !access.isLimited(at: now) else { return }
        send(queue.removeFirst(), isLate: true)
    }

    mutating func updateRadio() {
        meter.advance(to: now)
        meter.radio = radio.state(at: now)
        radioChange = radio.nextChange(after: now)
    }
}

/// Work of scans that are being finished, one piece after the other, while the next frames come.
struct BackgroundWork {
    enum Kind {
        /// Of a picture that is to be sent.
        case preparation
        /// Of a picture whose answer did not suffice, or that could not be sent.
        case inference
    }

    private var pieces: [(scan: Scan, kind: Kind)] = []
    var isBusy = false

    var isEmpty: Bool { pieces.isEmpty }
    var first: (scan: Scan, kind: Kind)? { pieces.first }

    mutating func add(_ scan: Scan, _ kind: Kind) { pieces.append((scan, kind)) }

    mutating func removeFirst() -> (scan: Scan, kind: Kind) { pieces.removeFirst() }
}

/// One capture that was new, on its way to a book.
struct Scan: Equatable {
    var taken: Int
    /// Which of the costs it has.
    var cost: Int
    /// The number of the spine in it; nil when there was none.
    var spine: Int?
}

/// Whether the back end can be asked: is there a network, and has it had too many requests.
struct BackEndAccess {
    private let plan: SessionPlan
    private var random: SplitMix64
    private(set) var isOnline = true
    /// When the network goes or comes.
    private(set) var nextChange = VirtualTime.never
    /// Until when the back end takes none.
    private(set) var limitedUntil = 0
    private var window = 0
    private var requests = 0

    init(_ plan: SessionPlan, random: SplitMix64) {
        self.plan = plan
        self.random = random
        guard plan.offlineShare > 0 else { return }
        // As if it had begun long before.
        isOnline = self.random.nextDouble() >= plan.offlineShare
        scheduleChange(after: 0)
    }

    mutating func toggleNetwork(at now: Int) {
        isOnline.toggle()
        scheduleChange(after: now)
    }

    private mutating func scheduleChange(after now: Int) {
        guard plan.offlineShare < 1 else { return }
        let mean =
            isOnline ? plan.offlineSeconds * (1 - plan.offlineShare) / plan.offlineShare : plan.offlineSeconds
        nextChange = now + random.nextTime(mean: mean, .exponential)
    }

    /// Whether the client makes no attempt, because an answer asked it to wait.
    func isLimited(at now: Int) -> Bool { now < limitedUntil }

    /// Counts a request that is sent; returns whether the back end takes it.
    mutating func admit(at now: Int) -> Bool {
        guard let limit = plan.rateLimit else { return true }
        let length = VirtualTime.nanoseconds(limit.windowSeconds)
        if now / length != window { (window, requests) = (now / length, 0) }
        requests += 1
        if requests <= limit.requests { return true }
        limitedUntil = (window + 1) * length
        return false
    }
}

/// Requests in flight, and how long the radio is awake for them.
struct RadioUse {
    struct Request: Equatable {
        var scan: Scan
        var isLate: Bool
        var end: Int
    }

    private let plan: SessionPlan
    private let tail: Int
    private(set) var requests: [Request] = []
    /// When the first of them ends.
    private(set) var nextEnd = VirtualTime.never
    private var activeUntil = 0
    private var tailUntil = 0

    init(plan: SessionPlan, values: DeviceValues) {
        self.plan = plan
        tail =
            switch plan.link {
            case .none: 0
            case .wifi: VirtualTime.nanoseconds(values[.wifiTail])
            case .cellular: VirtualTime.nanoseconds(values[.cellularTail])
            }
    }

    /// Sends a request: bytes move first, then the answer is waited for.
    mutating func begin(_ scan: Scan, cost: ReadingCost, isLate: Bool, at now: Int) {
        let end = now + VirtualTime.nanoseconds(cost.waitSeconds)
        requests.append(Request(scan: scan, isLate: isLate, end: end))
        nextEnd = min(nextEnd, end)
        activeUntil = max(activeUntil, min(end, now + transfer(of: cost)))
        tailUntil = max(tailUntil, end + tail)
    }

    mutating func wake(at now: Int) { tailUntil = max(tailUntil, now + tail) }

    /// Takes out a request that ends now.
    mutating func finish(at now: Int) -> Request? {
        guard let index = requests.firstIndex(where: { $0.end <= now }) else { return nil }
        let request = requests.remove(at: index)
        nextEnd = requests.lazy.map(\.end).min() ?? VirtualTime.never
        return request
    }

    func state(at now: Int) -> PowerMeter.Radio {
        if plan.link == .none { return .asleep }
        if now < activeUntil { return .active }
        return now < tailUntil ? .tail : .asleep
    }

    /// When that changes.
    func nextChange(after now: Int) -> Int {
        switch state(at: now) {
        case .asleep: VirtualTime.never
        case .active: activeUntil
        case .tail: tailUntil
        }
    }

    /// As long as bytes move, or, where the rates are not known, always.
    private func transfer(of cost: ReadingCost) -> Int {
        guard let uplink = plan.uplink, let downlink = plan.downlink else {
            return VirtualTime.nanoseconds(cost.waitSeconds)
        }
        let bits = Double(cost.bytesUp) * 8 / uplink + Double(cost.bytesDown) * 8 / downlink
        return VirtualTime.nanoseconds(bits * 1e-6)
    }
}
