import Basics
package import ScanningPolicies

/// All that decides a session but the device.
package struct SessionPlan: Sendable, Equatable, Codable {
    package enum Link: String, Sendable, Codable, CaseIterable {
        /// Requests take their time, and no energy.
        case none
        case wifi, cellular
    }

    package struct RateLimit: Sendable, Equatable, Codable {
        package var requests: Int
        package var windowSeconds: Double
    }

    package var seconds = 600.0
    package var framesPerSecond = 30
    /// Which stages go before the next frame, and which beside it.
    ///
    /// A picture is prepared by a cost's image part, and sent; with `vision-fallback` a cost with inference is read
    /// beside the next frames.
    package var strategy = ScanStrategy.onDeviceOnly
    package var thermalPolicy = ThermalPolicy.seedCode
    /// The shortest time between the beginnings of two readings; nil for none.
    package var minimumInterval: Double?
    /// After so long without a new spine or a touch the camera pauses; nil for never.
    package var idleLimit: Double? = 30
    /// The share of time with a spine in sight, above 0 and up to 1.
    package var spineShare = 0.4
    /// Mean time that a spine is held in sight; the times have an exponential distribution.
    package var holdSeconds = 2.0
    package var unit = ComputeUnit.neuralEngine
    package var link = Link.none
    /// Mbit/s; while bytes move, the radio takes its full power, and for the rest of a request's time that of its tail.
    ///
    /// nil keeps it at full power for as long as a request takes.
    package var uplink: Double?
    /// Mbit/s; as `uplink`.
    package var downlink: Double?
    package var offlineShare = 0.0
    /// The mean length of a time without a network.
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

    /// Ten minutes on the device alone.
    package init() {}
}

extension SessionPlan {
    /// - Throws: for the first figure that is not in its range.
    func check() throws(HarnessError) {
        let figures: [(name: String, value: Double?, range: ClosedRange<Double>)] = [
            ("seconds", seconds, 0.001...864_000), ("frames per second", Double(framesPerSecond), 1...1_000),
            ("minimum interval", minimumInterval, 0...86_400), ("idle limit", idleLimit, 0.001...86_400),
            ("share of time with a spine", spineShare, 1e-6...1), ("hold seconds", holdSeconds, 0.001...86_400),
            ("uplink", uplink, 0.001...100_000), ("downlink", downlink, 0.001...100_000),
            ("offline share", offlineShare, 0...1), ("offline seconds", offlineSeconds, 0.001...86_400),
            ("requests in a window", rateLimit.map { Double($0.requests) }, 0...1e9),
            ("window seconds", rateLimit?.windowSeconds, 0.001...86_400), ("memory", memory, 0...1e7),
            ("ambient temperature", ambient, -40...80), ("start temperature", startTemperature, -40...120),
            ("start charge", startCharge, 0.001...1), ("background load", backgroundLoad, 0...100),
        ]
        for (name, value, range) in figures { try HarnessError.check(name, value, range) }
    }
}

extension ReadingCost {
    /// - Throws: for the first figure that is not in its range.
    func check() throws(HarnessError) {
        try HarnessError.check("image seconds", imageSeconds, 0...86_400)
        try HarnessError.check("inference seconds", inferenceSeconds, 0...86_400)
        try HarnessError.check("wait seconds", waitSeconds, 0...86_400)
        try HarnessError.check("bytes up", Double(bytesUp), 0...1e12)
        try HarnessError.check("bytes down", Double(bytesDown), 0...1e12)
    }
}

extension HarnessError {
    static func check(_ name: String, _ value: Double?, _ range: ClosedRange<Double>) throws(HarnessError) {
        guard let value, !range.contains(value) else { return }
        throw .configuration("invalid \(name) \(value): expected \(range.lowerBound)...\(range.upperBound)")
    }
}
