package import Basics

/// Results of the presence gate on frames with a known truth, of 22 November 2026: the part of `gate.json` that sessions
/// use.
package struct GateMeasurement: Sendable, Equatable, Decodable {
    /// A rate of frames that pass, and of how many scenes they are.
    package struct Rate: Sendable, Equatable, Decodable {
        /// Frames of one scene count as a cluster.
        package var passed: RateEstimate
        package var scenes: Int
    }

    package struct Kind: Sendable, Equatable, Decodable {
        package var withSpine: Rate
        package var without: Rate
    }

    /// A folder of pictures that frames were made from.
    package struct Source: Sendable, Equatable, Decodable {
        package var name: String
        package var pictures: Int
        /// SHA-256 of their names and contents.
        package var digest: String
    }

    /// Processor time of looking at a frame, and of the work that hosts are compared by, on one thread of one machine.
    package struct Time: Sendable, Equatable, Decodable {
        /// In ms, by the thread's own clock.
        package var p50: Double
        /// ``HostCalibration/image`` there, by the same clock.
        package var image: HostCalibration.Timing
    }

    /// Digest of this gate: a measurement of another one does not hold.
    package var gate: String
    /// Year, month and day.
    package var date: String
    package var sources: [Source]
    package var all: Kind
    package var time: Time

    /// The measurement that comes with the program.
    package static let committed: GateMeasurement = BuiltInFile.decoded(PackageResources.gate_json)

    /// Rates that sessions are simulated with, and the time on an A15's CPU, with their intervals; nil if unknown.
    package var rates: [DeviceFigure: Estimate]? {
        func estimate(_ rate: RateEstimate) -> Estimate? {
            guard let value = rate.rate.value, let interval = rate.interval.value else { return nil }
            let (low, high) = (min(value, interval.lowerBound), max(value, interval.upperBound))
            return Estimate(value, low: low, high: high, source: "measured on \(date)", kind: .measured)
        }
        guard let hits = estimate(all.withSpine.passed), let alarms = estimate(all.without.passed),
            let image = A15Reference.figures[.a15Image]
        else { return nil }
        let seconds = Estimate(
            time.p50 * image.value / time.image.milliseconds / 1_000,
            low: time.p50 * image.low / time.image.high / 1_000,
            high: time.p50 * image.high / time.image.low / 1_000,
            source: "measured on \(date), scaled as the work on pictures",
            kind: .derived
        )
        return [.gateTruePositive: hits, .gateFalsePositive: alarms, .gateSeconds: seconds]
    }
}
