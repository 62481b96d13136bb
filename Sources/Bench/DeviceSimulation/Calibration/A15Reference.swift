/// Times of a calibration's work on an A15, the reference for all devices' speeds.
///
/// The times of these networks on an iPhone are unpublished, so that the figures are derived from published ones, and
/// wide. Not from TOPS: the A17 Pro's Neural Engine is sold as having 2.2 times an A15's, and ran Stable Diffusion XL
/// 1.02 times as fast as an A16's (Apple, ml-stable-diffusion: 0.85 and 0.83 iterations a second), because the number
/// counts 8-bit operations that a network of 16-bit floats never uses.
package enum A15Reference {
    /// Figures of an iPhone 13.
    package static let figures: [ScalingFigure: Estimate] = [
        .neuralEngineRate: Estimate(
            970,
            low: 160,
            high: 3_200,
            source: "Apple, Deploying Transformers on the Apple Neural Engine: DistilBERT at a sequence of 128 takes "
                + "3.47 ms on an iPhone 13's; its six layers are 11.2 GFLOP (2 × 42.5 M weights × 128, and attention), so "
                + "3,200 GFLOP/s for large matrices. Convolutions of few channels are assumed to reach 0.3 of it, "
                + "plausibly 0.05 to 1",
            kind: .derived
        ),
        .neuralEngineCall: Estimate(
            0.4,
            low: 0.1,
            high: 1.5,
            source: "overhead of a call through Core ML; no published measurement with a method",
            kind: .assumed
        ),
        .gpuRate: Estimate(
            350,
            low: 100,
            high: 900,
            source: "a quarter of the reported 1,400 GFLOP/s of an A15's five-core GPU; not checked",
            kind: .assumed
        ),
        .gpuCall: Estimate(
            0.6,
            low: 0.2,
            high: 2,
            source: "encoding, submitting and waiting for one command buffer; not measured",
            kind: .assumed
        ),
        .cpuRate: Estimate(
            120,
            low: 40,
            high: 250,
            source: "0.3 of two fast cores at 3.23 GHz with 64 operations of 16-bit floats a cycle; not measured",
            kind: .assumed
        ),
        .image: Estimate(
            imageMilliseconds,
            low: imageMilliseconds * 0.6,
            high: imageMilliseconds * 1.7,
            source: "one core of a server's Xeon of 2023 takes \(hostMilliseconds) ms; Geekbench 6 gives such cores "
                + "about 1,700 for a single thread (1,300 to 2,000 are reported, not checked) and an A15 about 2,330, and "
                + "this workload differs from Geekbench's",
            kind: .assumed
        ),
    ]

    /// The least of sixty, in CPU time; see the source of ``ScalingFigure/image``.
    private static let hostMilliseconds = 13.0
    private static let imageMilliseconds = (hostMilliseconds * 1_700 / 2_330 * 100).rounded() / 100

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
