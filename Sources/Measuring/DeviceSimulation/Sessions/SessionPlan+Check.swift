extension SessionPlan {
    /// Whether all of its figures are in their ranges.
    ///
    /// - Throws: for the first that is not.
    func check() throws(SessionError) {
        func check(_ name: String, _ value: Double?, _ range: ClosedRange<Double>) throws(SessionError) {
            try SessionError.check(name, value, range)
        }
        // Ten days, so that nanoseconds × frames a second fit in 64 bits.
        try check("seconds", seconds, 0.001...864_000)
        try check("frames per second", Double(framesPerSecond), 1...1_000)
        try check("minimum interval", minimumInterval, 0...86_400)
        try check("gate's true positives", gate?.truePositive, 0...1)
        try check("gate's false positives", gate?.falsePositive, 0...1)
        try check("gate's seconds", gate?.seconds, 0...3_600)
        try check("idle limit", idleLimit, 0.001...86_400)
        try check("aim seconds", user.aimSeconds, 0...86_400)
        try check("hold seconds", user.holdSeconds, 0...86_400)
        try check("move seconds", user.moveSeconds, 0...86_400)
        try check("aim, hold and move seconds", user.aimSeconds + user.holdSeconds + user.moveSeconds, 0.01...259_200)
        try check("share of spines held again", user.againShare, 0...1)
        try check("spines until a rest", user.restEvery.map(Double.init), 1...1e9)
        try check("rest seconds", user.restSeconds, 0...86_400)
        try check("touch seconds", user.touchSeconds, 0...86_400)
        try check("uplink", uplink, 0.001...100_000)
        try check("downlink", downlink, 0.001...100_000)
        try check("offline share", offlineShare, 0...1)
        try check("offline seconds", offlineSeconds, 0.001...86_400)
        try check("requests in a window", rateLimit.map { Double($0.requests) }, 0...1e9)
        try check("window seconds", rateLimit?.windowSeconds, 0.001...86_400)
        try check("memory", memory, 0...1e7)
        try check("ambient temperature", ambient, -40...80)
        try check("start temperature", startTemperature, -40...120)
        try check("start charge", startCharge, 0.001...1)
        try check("charge for Low Power Mode", lowPowerBelow, 0...1)
        for slowdown in slowdowns {
            try check("slowdown's beginning", slowdown.from, 0...864_000)
            try check("slowdown's end", slowdown.to, 0...864_000)
            try check("slowdown", slowdown.factor, 0...1_000)
        }
        for second in memoryWarnings { try check("memory warning", second, 0...864_000) }
        for level in [adaptive?.medium, adaptive?.low] {
            try check("cost of a lower quality", level?.cost, 0...10)
            try check("memory of a lower quality", level?.memory, 0...10)
        }
        try check("loading seconds", adaptive?.loadSeconds, 0...3_600)
        try check("background load", backgroundLoad, 0...100)
    }
}

extension ReadingCost {
    /// Whether all of its figures are in their ranges.
    ///
    /// - Throws: for the first that is not.
    func check() throws(SessionError) {
        try SessionError.check("image seconds", imageSeconds, 0...86_400)
        try SessionError.check("inference seconds", inferenceSeconds, 0...86_400)
        try SessionError.check("wait seconds", waitSeconds, 0...86_400)
        try SessionError.check("bytes up", Double(bytesUp), 0...1e12)
        try SessionError.check("bytes down", Double(bytesDown), 0...1e12)
    }
}

extension SessionError {
    static func check(
        _ name: String,
        _ value: Double?,
        _ range: ClosedRange<Double>
    ) throws(SessionError) {
        guard let value, !range.contains(value) else { return }
        throw .outOfRange(name, value, range)
    }
}
