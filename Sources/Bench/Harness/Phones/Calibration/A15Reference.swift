/// Times of a calibration's work on an A15, the reference for all devices' speeds.
///
/// They are derived from times of the reader's own networks on phones, which others published, and never from TOPS: the
/// A17 Pro's Neural Engine is sold as having 2.2 times an A15's, and ran Stable Diffusion XL 1.02 times as fast as an
/// A16's (Apple, ml-stable-diffusion: 0.85 and 0.83 iterations a second), as TOPS count 8-bit operations.
package enum A15Reference {
    /// Figures in `Resources/a15.json`, in the form of a device profile's.
    package static let figures: [ScalingFigure: Estimate] = BuiltInFile.decoded(PackageResources.a15_json)

    /// Returns all figures that a reader's times are scaled by, the host's and the A15's; `networks` is nil for a
    /// reader without measured ones.
    package static func figures(
        with calibration: HostCalibration,
        networks: HostCalibration.Networks?
    ) -> [ScalingFigure: Estimate] {
        func measured(_ timing: HostCalibration.Timing) -> Estimate {
            Estimate(
                timing.milliseconds,
                low: timing.low,
                high: timing.high,
                source: "median and quartiles of \(timing.count) on this host",
                kind: .measured
            )
        }
        var all = figures
        all[.hostImage] = measured(calibration.image)
        if let networks {
            all[.hostDetection] = measured(networks.detection)
            all[.hostRecognition] = measured(networks.recognition)
        }
        return all
    }
}
