package import ScanningPolicies

/// All that decides a session but chance and the device.
package struct SessionPlan: Sendable, Equatable, Codable {
    /// Rates at which the presence gate sees spines, and its cost; see ``GateMeasurement``.
    package struct GateRates: Sendable, Equatable, Codable {
        /// Range of the rates, by the intervals of their measurement.
        package struct Range: Sendable, Equatable, Codable {
            package var truePositive: ClosedRange<Double>
            package var falsePositive: ClosedRange<Double>
            package var seconds: ClosedRange<Double>

            /// - Parameters:
            ///   - truePositive: of the share of frames with a spine that pass.
            ///   - falsePositive: of the share of frames without one that pass.
            ///   - seconds: on an A15's CPU.
            package init(
                truePositive: ClosedRange<Double>,
                falsePositive: ClosedRange<Double>,
                seconds: ClosedRange<Double>
            ) {
                self.truePositive = truePositive
                self.falsePositive = falsePositive
                self.seconds = seconds
            }
        }

        /// The share of frames with a spine that it lets pass.
        package var truePositive: Double
        /// The share of frames without one that it lets pass.
        package var falsePositive: Double
        /// On an A15's CPU at full speed, for each frame.
        package var seconds: Double
        /// nil for rates that are known exactly.
        package var range: Range?

        /// - Parameters:
        ///   - truePositive: the share of frames with a spine that it lets pass.
        ///   - falsePositive: the share of frames without one that it lets pass.
        ///   - seconds: on an A15's CPU at full speed.
        ///   - range: what they may be.
        package init(truePositive: Double, falsePositive: Double, seconds: Double, range: Range? = nil) {
            self.truePositive = truePositive
            self.falsePositive = falsePositive
            self.seconds = seconds
            self.range = range
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

    /// The radio that requests go over.
    package enum Link: String, Sendable, Codable, CaseIterable {
        /// Requests take their time, and no energy.
        case none
        case wifi, cellular
    }

    /// Limit of the requests that the back end takes.
    package struct RateLimit: Sendable, Equatable, Codable {
        /// In each window; they follow each other from the session's beginning.
        package var requests: Int
        /// Its length.
        package var windowSeconds: Double
    }

    /// A time in which the reader is slower than it was measured to be.
    package struct Slowdown: Sendable, Equatable, Codable {
        /// In s.
        package var from: Double
        /// In s.
        package var to: Double
        /// So many times as slow.
        package var factor: Double
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
    /// Unit that inference runs on.
    package var unit = ComputeUnit.neuralEngine
    package var link = Link.none
    /// Mbit/s; while bytes move, the radio takes its full power, and for the rest of a request's time that of its tail.
    ///
    /// nil keeps it at full power for as long as a request takes.
    package var uplink: Double?
    /// Mbit/s; as `uplink`.
    package var downlink: Double?
    /// The share of time without a network.
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
    /// Below this share of the battery its owner switches Low Power Mode on; nil for never.
    package var lowPowerBelow: Double?
    /// nil for a reader that is what it is, however slow or warm.
    package var adaptive: AdaptivePlan?
    /// Faults that are injected (E-15); where two overlap, the later one counts.
    package var slowdowns: [Slowdown] = []
    /// Seconds at which the system asks for memory back, for a second each.
    package var memoryWarnings: [Double] = []
    /// The share of the battery that is full at the beginning.
    package var startCharge = 1.0
    /// Power of drawing the preview and the rest of the app, all the time, in W, in the GPU (S0-D02).
    package var backgroundLoad = 0.0

    /// As records of devices spell them; there a strategy is called a variant.
    private enum CodingKeys: String, CodingKey {
        case seconds, framesPerSecond, thermalPolicy, minimumInterval, gate, idleLimit, user, unit, link, uplink,
            downlink
        case strategy = "variant"
        case offlineShare, offlineSeconds, rateLimit, memory, ambient, startTemperature, isLowPower, lowPowerBelow
        case adaptive, slowdowns, memoryWarnings, startCharge, backgroundLoad
    }

    /// Ten minutes on the device alone, without a gate: what one does has to be measured.
    package init() {}
}
