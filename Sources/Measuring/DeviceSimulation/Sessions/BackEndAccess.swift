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
