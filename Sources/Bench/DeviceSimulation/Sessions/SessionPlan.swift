package import ScanningPolicies

/// All that decides a session but chance and the device.
package struct SessionPlan: Sendable, Equatable, Codable {
    /// Rates at which the presence gate sees spines, and its cost; see ``GateMeasurement``.
    package struct GateRates: Sendable, Equatable, Codable {
        package struct Range: Sendable, Equatable, Codable {
            package var truePositive: ClosedRange<Double>
            package var falsePositive: ClosedRange<Double>
            package var seconds: ClosedRange<Double>
        }

        /// The share of frames with a spine that it lets pass.
        package var truePositive: Double
        /// The share of frames without one that it lets pass.
        package var falsePositive: Double
        /// On an A15's CPU at full speed, for each frame.
        package var seconds: Double
        /// nil for rates that are known exactly.
        package var range: Range?

        package init(truePositive: Double, falsePositive: Double, seconds: Double, range: Range? = nil) {
            (self.truePositive, self.falsePositive) = (truePositive, falsePositive)
            (self.seconds, self.range) = (seconds, range)
        }

        /// A gate at a bound: the better one misses less, lets less pass without a spine, and is faster.
        package func at(_ bound: Bound) -> GateRates {
            guard let range, bound != .nominal else { return self }
            let isBetter = bound == .favourable
            return GateRates(
                truePositive: isBetter ? range.truePositive.upperBound : range.truePositive.lowerBound,
                falsePositive: isBetter ? range.falsePositive.lowerBound : range.falsePositive.upperBound,
                seconds: isBetter ? range.seconds.lowerBound : range.seconds.upperBound
            )
        }
    }

    package enum Link: String, Sendable, Codable, CaseIterable {
        /// Requests take their time, and no energy.
        case none
        case wifi, cellular
    }

    package struct RateLimit: Sendable, Equatable, Codable {
        /// In each window; they follow each other from the session's beginning.
        package var requests: Int
        package var windowSeconds: Double
    }

    package var seconds = 600.0
    package var framesPerSecond = 30
    /// Which stages go before the next frame, and which beside it.
    ///
    /// A picture is prepared by a cost's image part, and sent; with `vision-fallback` a cost with inference is read after the
    /// answer, or at once when the picture cannot be sent.
    package var strategy = ScanStrategy.onDeviceOnly
    package var thermalPolicy = ThermalPolicy.seedCode
    /// The shortest time between the beginnings of two readings; nil for none.
    package var minimumInterval: Double?
    /// nil reads every frame.
    package var gate: GateRates?
    /// After so long without a new spine or a touch the camera pauses; nil for never.
    package var idleLimit: Double? = 30
    package var user = UserScript()
    package var unit = ComputeUnit.neuralEngine
    package var link = Link.none
    /// Mbit/s; while bytes move, the radio takes its full power, and for the rest of a request's time that of its tail.
    ///
    /// nil keeps it at full power for as long as a request takes.
    package var uplink: Double?
    /// Mbit/s; as `uplink`.
    package var downlink: Double?
    package var offlineShare = 0.0
    /// The mean length of a time without one.
    package var offlineSeconds = 30.0
    package var rateLimit: RateLimit?
    /// Memory of the app, in MB; above the device's budget inference takes longer.
    package var memory = 0.0
    /// The air's temperature in °C.
    package var ambient = 25.0
    /// The device's at the beginning, in °C; nil for the air's.
    package var startTemperature: Double?
    package var isLowPower = false
    /// The share of the battery that is full at the beginning.
    package var startCharge = 1.0
    /// Power of drawing the preview and the rest of the app, all the time, in W, in the GPU (S0-D02).
    package var backgroundLoad = 0.0

    /// As records of devices spell them; there a strategy is called a variant.
    private enum CodingKeys: String, CodingKey {
        case seconds, framesPerSecond, thermalPolicy, minimumInterval, gate, idleLimit, user, unit, link, uplink,
            downlink
        case strategy = "variant"
        case offlineShare, offlineSeconds, rateLimit, memory, ambient, startTemperature, isLowPower
        case startCharge, backgroundLoad
    }

    /// Ten minutes on the device alone, without a gate: what one does has to be measured.
    package init() {}
}

extension SessionPlan {
    /// - Throws: for the first figure that is not in its range.
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
        try check("background load", backgroundLoad, 0...100)
    }
}

extension ReadingCost {
    /// - Throws: for the first figure that is not in its range.
    func check() throws(SessionError) {
        try SessionError.check("image seconds", imageSeconds, 0...86_400)
        try SessionError.check("inference seconds", inferenceSeconds, 0...86_400)
        try SessionError.check("wait seconds", waitSeconds, 0...86_400)
        try SessionError.check("bytes up", Double(bytesUp), 0...1e12)
        try SessionError.check("bytes down", Double(bytesDown), 0...1e12)
    }
}

extension SessionError {
    static func check(_ name: String, _ value: Double?, _ range: ClosedRange<Double>) throws(SessionError) {
        guard let value, !range.contains(value) else { return }
        throw .outOfRange(name, value, range)
    }
}

package enum SessionError: Error, Equatable, CustomStringConvertible {
    case noCosts
    case outOfRange(String, Double, ClosedRange<Double>)

    package var description: String {
        switch self {
        case .noCosts: "no costs of readings: specify at least one"
        case .outOfRange(let name, let value, let range):
            "invalid \(name) \(value): expected \(range.lowerBound)...\(range.upperBound)"
        }
    }
}
