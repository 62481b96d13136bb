import SpineDatasets
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.unit)) struct RunConfigurationTests {
    private let good = RunConfiguration(
        tool: "test",
        datasets: [DatasetReference(.made([.made("a")]))],
        variants: [Variant(name: "fast", gates: true), Variant(name: "accurate")]
    )

    @Test func goodSettingsAreAccepted() throws {
        try good.validate()
    }

    private static let mistakes: [(word: String, change: @Sendable (inout RunConfiguration) -> Void)] = [
        ("no variants", { $0.variants = [] }), ("no dataset", { $0.datasets = [] }),
        ("no scenarios", { $0.scenarios = [] }),
        ("duplicate variant: fast", { $0.variants = [Variant(name: "fast"), Variant(name: "fast")] }),
        ("duplicate dataset", { $0.datasets += $0.datasets }), ("seed", { $0.seeds = [] }),
        ("scenario server: a rate is required", { $0.scenarios = [Scenario(kind: .server)] }),
        ("invalid lanes 0.0: expected more than 0", { $0.scenarios = [Scenario(kind: .offline, lanes: 0)] }),
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
        moved.datasets[0].path = "/elsewhere"
        #expect(try moved.digest == good.digest)
        var other = good
        other.seeds = [2]
        other.limit = 5
        #expect(try other.digest != good.digest)
        #expect(other.differences(from: good) == ["limit was none, now 5", "seeds was [1], now [2]"])
    }
}
