import Testing

@testable import ScanningPolicies

@Suite struct ReadingQualityTests {
    @Test func itGoesDownToNothingAndUpToTheHighest() {
        #expect([.high, .medium, .low].map { ($0 as ReadingQuality).degrade() } == [.medium, .low, nil])
        #expect([.low, .medium, .high].map { ($0 as ReadingQuality).upgrade() } == [.medium, .high, nil])
        #expect(ReadingQuality.low < .medium && ReadingQuality.medium < .high)
    }

    @Test func readersGoFromAccurateOverFastToLess() {
        let levels = [.high, .medium, .low].map { ReadingLevel($0) }
        #expect(levels.map(\.tier) == ["accurate", "fast", "fast"])
        #expect(levels.map(\.inputScale) == [1, 1, 0.75] && levels.map(\.frequencyShare) == [1, 0.75, 0.5])
    }
}

@Suite struct ExpressionClassTests {
    @Test func eachQualityTellsFewerApart() {
        #expect([.high, .medium, .low].map { ExpressionClass.classes(at: $0).count } == [7, 5, 3])
        #expect(ExpressionClass.classes(at: .low).map(\.rawValue) == ["happy", "neutral", "distressed"])
    }

    @Test func everyClassHasOneAtEachQualityAndTheWayOverMediumChangesNothing() {
        for expression in ExpressionClass.classes(at: .high) {
            for quality in ReadingQuality.allCases {
                #expect(ExpressionClass.classes(at: quality).contains(expression.at(quality)))
            }
            #expect(expression.at(.medium).at(.low) == expression.at(.low))
            #expect(expression.at(.high) == expression)
        }
    }
}

@Suite struct VocalRulesTests {
    /// Beside a usual voice of 200 Hz, 60 dB and 4 syllables a second: limits 230 and 173.9 Hz, 66 and 54 dB, 4.8 and 3.33.
    @Test(
        "how a voice sounds",
        arguments: [
            (200, 60, 4, .calm), (231, 67, 4, .aroused), (231, 60, 4, .calm), (231, 67, 5, .aroused),
            (231, 53, 4, .calm), (173, 53, 4, .subdued), (173, 60, 3.3, .subdued), (231, 53, 3.3, .subdued),
            (230, 66, 4.8, .calm),
        ] as [(Double, Double, Double, VocalRules.Affect)]
    )
    func affect(_ pitch: Double, _ level: Double, _ rate: Double, _ expected: VocalRules.Affect) {
        func features(_ pitch: Double, _ level: Double, _ rate: Double) -> VocalRules.Features {
            VocalRules.Features(pitchHertz: pitch, levelDecibels: level, syllablesPerSecond: rate)
        }
        #expect(VocalRules().affect(of: features(pitch, level, rate), usual: features(200, 60, 4)) == expected)
    }
}
