import Basics

@testable import DeviceSimulation
@testable import ScanningPolicies

/// Slow simulation of a session on the device alone, without heat: every due frame is processed, one after the other.
struct OneByOne {
    var counts = FrameTriage.Counts()
    var dropped = 0
    var books = Set<Int>()
    var cpu = 0
    var unit = 0
    var latencies: [Double] = []

    init(_ plan: SessionPlan, costs: [ReadingCost], seed: UInt64) {
        var random = SplitMix64(state: seed)
        var user = UserModel(plan.user, random: SplitMix64(state: random.next()))
        var gateRandom = SplitMix64(state: random.next())
        var costRandom = SplitMix64(state: random.next())
        var triage = FrameTriage(
            thermalPolicy: plan.thermalPolicy,
            minimumInterval: plan.minimumInterval.map { .nanoseconds(Int($0 * 1e9)) }
        )
        func time(_ seconds: Double) -> Int { Int((seconds * 1e9).rounded()) }
        let end = time(plan.seconds)
        func part(_ from: Int, _ length: Int) -> Int { max(0, min(end, from + length) - from) }
        var readAt: [Int: Int] = [:]
        var view: (due: Int, spine: Int?)?
        var free = 0
        var number = 0
        while true {
            let due = number * 1_000_000_000 / plan.framesPerSecond
            guard due < end else { break }
            let nextDue = (number + 1) * 1_000_000_000 / plan.framesPerSecond
            number += 1
            let taken = max(due, free)
            if nextDue <= free || taken >= end {
                dropped += 1
                continue
            }
            user.advance(to: taken)
            let spine = user.spineInSight
            let chance = gateRandom.nextDouble()
            let examined = triage.counts.examined
            let skip = triage.decide(
                at: .nanoseconds(due),
                state: .nominal,
                hasSpine: plan.gate.map { gate in
                    { chance < (spine == nil ? gate.falsePositive : gate.truePositive) }
                },
                isSteady: {
                    defer { view = (due, spine) }
                    // The first frame of a spine after a while without one is not read: it may be blurred.
                    return (spine != nil && spine == view?.spine) || due - (view?.due ?? due) <= 300_000_000
                }
            )
            free = taken
            if triage.counts.examined > examined, let gate = plan.gate {
                cpu += part(free, time(gate.seconds))
                free += time(gate.seconds)
            }
            guard skip == nil, free < end else { continue }
            let cost = costs[costRandom.below(costs.count)]
            cpu += part(free, time(cost.imageSeconds))
            free += time(cost.imageSeconds)
            unit += part(free, time(cost.inferenceSeconds))
            free += time(cost.inferenceSeconds)
            guard free < end else { continue }
            latencies.append(Double(free - taken) * 1e-6)
            let isKnown = spine.map { due - (readAt[$0] ?? -1_000_000_000_000) <= 60_000_000_000 } ?? true
            if let spine { readAt[spine] = due }
            if isKnown { triage.countDuplicate(isText: spine != nil) }
            if let spine, !isKnown, cost.isIdentified { books.insert(spine) }
        }
        counts = triage.counts
    }
}
