import Testing

@testable import ScanningPolicies

extension ModelTarget {
    /// Of the NeuroGuide document (S3-07).
    static let pose = {
        var target = ModelTarget(name: "Pose Detection", source: "S3-07", p95Milliseconds: 50, memoryBytes: 50_000_000)
        (target.hertz, target.batteryPercentPer30Minutes) = (20, 5)
        return target
    }()
    /// Of the NeuroGuide document (S3-10).
    static let parent = ModelTarget(
        name: "Parent Stress",
        source: "S3-10",
        p95Milliseconds: 200,
        memoryBytes: 80_000_000
    )
}

@Suite struct ModelTargetTests {
    @Test func theTiersHaveTheirOwnLimits() {
        #expect(ModelTarget.tiers.map(\.p95Milliseconds) == [50, 150, 200, 1000])
        #expect(ModelTarget.tiers.allSatisfy { $0.memoryBytes == 200_000_000 && $0.hertz == nil })
        #expect(ModelTarget.named("Fast")?.p95Milliseconds == 50 && ModelTarget.named("no such model") == nil)
    }
}
