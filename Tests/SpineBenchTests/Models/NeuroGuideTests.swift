import ScanningPolicies
import Testing

@testable import spinebench_tools

@Suite struct NeuroGuideTests {
    /// The tables of the NeuroGuide document, read off by hand.
    @Test(
        "the four models' tables",
        arguments: [
            ("Pose Detection", 20.0, [30.0, 50, 100], 50, 5.0, 5),
            ("Vocal Affect", 10, [60, 100, 150], 100, 3, 15),
            ("Facial Expression", 5, [100, 200, 300], 150, 2, 25),
            ("Parent Stress", 0.2, [100, 200, 500], 80, 1, 10),
        ]
    )
    func neuroGuide(
        _ name: String,
        _ hertz: Double,
        _ latency: [Double],
        _ memory: Int,
        _ battery: Double,
        _ size: Int
    ) throws {
        let target = try #require(ModelTarget.all.first { $0.name == name })
        #expect(target.hertz == hertz)
        #expect([target.p50Milliseconds, target.p95Milliseconds, target.p99Milliseconds] == latency)
        #expect(target.memoryBytes == memory * 1_000_000 && target.sizeBytes == size * 1_000_000)
        #expect(target.batteryPercentPer30Minutes == battery)
        #expect(target.loadSeconds == 1)
    }

    /// S3-11 to S3-14: 20/15/10, 10/5/rules, 5/3/2 and always 0.2.
    @Test(
        "how often at each quality",
        arguments: [
            ("Pose Detection", [20.0, 15, 10]), ("Vocal Affect", [10, 5, nil]), ("Facial Expression", [5, 3, 2]),
            ("Parent Stress", [0.2, 0.2, 0.2]),
        ] as [(String, [Double?])]
    )
    func frequencies(_ name: String, _ expected: [Double?]) throws {
        let target = try #require(ModelTarget.all.first { $0.name == name })
        #expect(
            [.high, .medium, .low].map { target.levels[$0]?.frequencyShare.map { $0 * (target.hertz ?? 0) } }
                == expected
        )
    }

    @Test func theFourTogetherHold380MegabytesAndTakeElevenPercent() {
        #expect(ModelTarget.neuroGuide.reduce(0) { $0 + $1.memoryBytes } == 380_000_000)
        #expect(ModelTarget.neuroGuide.reduce(0) { $0 + $1.batteryPercentPer30Minutes } == 11)
    }

    @Test func namesAreUniqueAndEachSaysWhereItIsFrom() {
        #expect(Set(ModelTarget.all.map(\.name)).count == ModelTarget.all.count)
        #expect(
            ModelTarget.all.allSatisfy { !$0.source.isEmpty }
                && ModelTarget.neuroGuide.allSatisfy { $0.levels.count == 3 }
        )
    }
}
