extension FaultPlan {
    /// A mix of faults: each is on or not, and happens as often and takes as long as drawn.
    ///
    /// - Parameters:
    ///   - random: draws the mix and the plan's own seed.
    ///   - longestDelay: of a latency or of a slow head, in milliseconds.
    /// - Returns: the plan; now and then one without any fault.
    package static func random(using random: inout some RandomNumberGenerator, longestDelay: Int) -> FaultPlan {
        var plan = FaultPlan(seed: random.next())
        func chance() -> Double? {
            // One in five is certain to happen: some paths are only taken when every attempt fails.
            switch Int.random(in: 0..<15, using: &random) {
            case 0: 1
            case 1...4: Double.random(in: 0.1...0.9, using: &random)
            default: nil
            }
        }
        func delay() -> Delay? {
            chance().map { Delay(probability: $0, milliseconds: Int.random(in: 1...longestDelay, using: &random)) }
        }
        plan.latency = delay()
        plan.slowHead = delay()
        plan.serverError = chance().map(Chance.init)
        plan.rateLimit = chance().map {
            Refusal(probability: $0, retryAfterSeconds: Int.random(in: 0...2, using: &random))
        }
        plan.drop = chance().map { Drop(probability: $0, afterEvents: Int.random(in: 0...5, using: &random)) }
        plan.malformedEvents = chance().map(Chance.init)
        plan.strippedBooks = chance().map(Chance.init)
        plan.duplicateEvents = chance().map(Chance.init)
        return plan
    }
}
