import ScanningPolicies

extension ModelTarget {
    /// The models of the NeuroGuide document and the scanner's own tiers; a megabyte is 1,000,000 bytes.
    static let all = neuroGuide + tiers

    /// The four models that share a phone.
    ///
    /// Their batteries add up to 11 %, where 10 % are allowed in all (K-19), and their memory to 380 of 500 MB.
    static let neuroGuide = [
        model(
            "Pose Detection",
            "S3-07, S3-11",
            hertz: 20,
            latency: (30, 50, 100),
            memory: 50,
            battery: 5,
            size: 5,
            [(1, "20 a second"), (0.75, "15 a second"), (0.5, "10 a second")]
        ),
        model(
            "Vocal Affect",
            "S3-08, S3-12",
            hertz: 10,
            latency: (60, 100, 150),
            memory: 100,
            battery: 3,
            size: 15,
            [
                (1, "10 a second, all features"), (0.5, "5 a second, fewer features"),
                (
                    nil,
                    "rules instead of a model (two of pitch × 1.15, level ± 6 dB and rate × 1.2 beside the usual voice)"
                ),
            ]
        ),
        model(
            "Facial Expression",
            "S3-09, S3-13",
            hertz: 5,
            latency: (100, 200, 300),
            memory: 150,
            battery: 2,
            size: 25,
            [
                (1, "5 a second, 7 classes (happy, neutral, sad, angry, surprised, fearful, disgusted)"),
                (0.6, "3 a second, 5 classes (happy, neutral, sad, angry, surprised)"),
                (0.4, "2 a second, 3 classes (happy, neutral, distressed)"),
            ]
        ),
        model(
            "Parent Stress",
            "S3-10, S3-14",
            hertz: 0.2,
            latency: (100, 200, 500),
            memory: 80,
            battery: 1,
            size: 10,
            [(1, "every 5 s"), (1, "every 5 s"), (1, "every 5 s")]
        ),
    ]

    /// Creates a target by P50, P95 and P99 in ms, memory and size in MB, and the levels from high to low.
    private static func model(
        _ name: String,
        _ source: String,
        hertz: Double,
        latency: (p50: Double, p95: Double, p99: Double),
        memory: Int,
        battery: Double,
        size: Int,
        _ levels: [(Double?, String)]
    ) -> ModelTarget {
        var target = ModelTarget(
            name: name,
            source: source,
            p95Milliseconds: latency.p95,
            memoryBytes: memory * 1_000_000
        )
        (target.hertz, target.p50Milliseconds, target.p99Milliseconds) = (hertz, latency.p50, latency.p99)
        (target.sizeBytes, target.batteryPercentPer30Minutes) = (size * 1_000_000, battery)
        for (quality, level) in zip(ReadingQuality.allCases, levels) {
            target.levels[quality] = Level(frequencyShare: level.0, detail: level.1)
        }
        return target
    }
}
