import Foundation
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
    @Test func theTiersHaveTheirOwnLimitsAndTheTiersOfDevicesTheirPercentages() throws {
        #expect(ModelTarget.tiers.map(\.p95Milliseconds) == [50, 150, 200, 1000])
        #expect(ModelTarget.tiers.allSatisfy { $0.memoryBytes == 200_000_000 && $0.isCritical && $0.hertz == nil })
        let fast = try #require(ModelTarget.named("fast"))
        #expect(ReadingQuality.allCases.map { fast.levels[$0]?.frequencyShare } == [1, 0.75, 0.5])
    }

    @Test func namesAreUniqueAndEachSaysWhereItIsFrom() {
        #expect(Set(ModelTarget.tiers.map(\.name)).count == ModelTarget.tiers.count)
        #expect(ModelTarget.tiers.allSatisfy { !$0.source.isEmpty && $0.levels.count == 3 })
        #expect(ModelTarget.named("no such model") == nil)
    }

    @Test func aTargetComesBackFromJSONWithItsQualitiesAsKeys() throws {
        for target in ModelTarget.tiers {
            let data = try JSONEncoder().encode(target)
            #expect(try JSONDecoder().decode(ModelTarget.self, from: data) == target)
            #expect(String(decoding: data, as: UTF8.self).contains(#""medium":{"#))
        }
    }
}
