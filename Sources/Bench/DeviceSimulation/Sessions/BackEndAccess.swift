import Basics

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

    /// Whether the client does not even try, as it was told to wait.
    func isLimited(at now: Int) -> Bool { now < limitedUntil }

    /// Counts a request that is sent.
    ///
    /// - Returns: whether the back end takes it.
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
    /// A scan that the back end is asked about.
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

    /// Wakes the radio for a request that is refused.
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
