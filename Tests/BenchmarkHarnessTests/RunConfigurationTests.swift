import Evaluation
import SpineDatasets
import TestSupport
import Testing

@testable import BenchmarkHarness

@Suite struct RunConfigurationTests {
    private let good = RunConfiguration(
        tool: "test",
        dataset: .made([.made("a")]),
        tiers: ["fast", "accurate"],
        gateTiers: ["fast"]
    )

    @Test func goodSettingsAreAccepted() throws {
        try good.validate()
    }

    private static let mistakes: [(word: String, change: @Sendable (inout RunConfiguration) -> Void)] = [
        ("tiers", { $0.tiers = [] }), ("twice", { $0.tiers = ["fast", "fast"] }), ("gate", { $0.gateTiers = ["slow"] }),
        ("repetitions", { $0.repetitions = 0 }), ("warm-up", { $0.warmUpReadings = -1 }),
        ("timeout", { $0.sampleTimeoutSeconds = 0 }), ("timeout", { $0.sampleTimeoutSeconds = .infinity }),
        ("limit", { $0.limit = 0 }),
    ]

    @Test func badSettingsAreNamed() {
        for mistake in Self.mistakes {
            var configuration = good
            mistake.change(&configuration)
            #expect {
                try configuration.validate()
            } throws: { error in
                "\(error)".contains(mistake.word)
            }
        }
    }

    @Test func theDigestChangesWithEverySettingButNotWithTheDatasetsPlace() throws {
        var moved = good
        moved.datasetPath = "/elsewhere"
        #expect(try moved.digest == good.digest)
        var other = good
        other.seed = 2
        other.limit = 5
        #expect(try other.digest != good.digest)
        #expect(other.differences(from: good) == ["seed was 1, now 2", "limit was none, now 5"])
    }
}
