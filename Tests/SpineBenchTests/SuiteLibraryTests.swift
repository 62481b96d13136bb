import Basics
import Evaluation
import Foundation
import Harness
import ScanningPipeline
import ScanningPolicies
import SpineReaders
import Statistics
import Systems
import Testing

@testable import spinebench

/// The ready-made suites in the project's folder `Suites`.
@Suite struct SuiteLibraryTests {
    @Test(arguments: SuiteLibrary.names)
    func readyMadeSuiteCanBeRun(name: String) throws {
        let suite = try SuiteLibrary.suite(name)
        #expect(suite.name == name)
        #expect(suite.description.count <= 120 && suite.description.hasSuffix("."))
        for variant in suite.variants where !suite.optional.contains(variant.name) {
            #expect(try ComposedVariant(variant).settings.texts == variant.settings)
        }
    }

    @Test(arguments: SuiteLibrary.names)
    func readingsAreThoseThatItsDescriptionStates(name: String) throws {
        let suite = try SuiteLibrary.suite(name)
        let needed = suite.variants.count { !suite.optional.contains($0.name) || name != "engines" }
        var counted = suite
        counted.variants = Array(suite.variants.prefix(needed))
        let samples = ["shelves-2": 24, "spines-1": 240]
        let counts = suite.datasets.map { samples[URL(filePath: $0).lastPathComponent] ?? 0 }
        guard !suite.datasets.isEmpty, let readings = counted.readings(samples: counts) else { return }
        #expect(suite.description.contains("\(readings) readings"))
    }

    @Test(arguments: SuiteLibrary.names)
    func suiteShownInFullIsTheSameSuite(name: String) throws {
        let suite = try SuiteLibrary.suite(name)
        let text = try suite.yaml(base: SuitesCommand.base)
        // Its datasets are written as seen from here.
        #expect(try SuiteFile.parse(text, path: "x.yaml", catalogue: SuiteLibrary.catalogue) == suite)
    }

    /// No suite is undecided by construction: targets that gate have enough readings.
    @Test(arguments: SuiteLibrary.names)
    func targetsThatGateCanBeDecided(name: String) throws {
        let suite = try SuiteLibrary.suite(name)
        // spines-1 has 240.
        let samples = min(240, suite.limit ?? 240)
        let readings = samples * suite.repetitions * suite.seeds.count
        for variant in suite.variants where variant.gates {
            for target in suite.targets where target.gates && target.holds(for: variant.tier) {
                if let percent = target.metric?.percent {
                    #expect(
                        readings >= Percentile.minimumCount(for: percent),
                        "\(variant.name): \(target.metric?.id ?? "")"
                    )
                }
                if target.metric == .titleRead || target.metric == .readInTime {
                    #expect(
                        samples >= Proportion.minimumTrials(toShow: target.limit),
                        "\(variant.name): \(target.metric?.id ?? "")"
                    )
                }
            }
        }
    }

    @Test func theSmokeTestIsToPassOrToFail() throws {
        let suite = try SuiteLibrary.suite("smoke")
        #expect(suite.variants.allSatisfy { $0.gates } && suite.targets.contains { $0.gates })
    }

    /// Suites are found by their files, so that a new one needs no change here.
    @Test func theFolderHasTheSuites() {
        #expect(Set(["standard", "smoke", "battery", "shelves"]).isSubset(of: SuiteLibrary.names))
        #expect(SuiteLibrary.names == SuiteLibrary.names.sorted())
    }

    @Test func standardSuiteIsWhatRunsUnlessAnotherIsNamed() throws {
        let suite = try SuiteLibrary.suite("standard")
        #expect(suite.variants.map(\.name) == RunCommand.standardVariants)
        #expect(
            suite.variants.filter(\.gates).map(\.name)
                == RunCommand.gatingVariants.filter(RunCommand.standardVariants.contains)
        )
    }

    @Test func unknownSuiteIsExplained() {
        #expect { try SuiteLibrary.suite("standrad") } throws: { error in
            "\(error)" == "unknown suite \"standrad\"; did you mean \"standard\"?"
        }
        #expect { try SuiteLibrary.suite("no/such.yaml") } throws: { error in
            "\(error)" == "no/such.yaml: cannot be read: it does not exist"
        }
    }

    /// The tables of keys in `Suites/README.md` have the keys of the types that read them, in their order.
    @Test(
        arguments: [
            (1, SuiteFile.CodingKeys.allCases.map(\.rawValue)), (1, VariantEntry.CodingKeys.allCases.map(\.rawValue)),
            (1, ClaimEntry.ofTargets.map(\.rawValue)),
            (1, ClaimEntry.ofAssertions.map(\.rawValue)),
            (1, LimitEntry.CodingKeys.allCases.map(\.rawValue)),
            (1, SessionConditions.CodingKeys.allCases.map(\.rawValue)),
            (
                3,
                ScenarioEntry.CodingKeys.allCases.flatMap { key in
                    let isForAll = key.kinds.count == Scenario.Kind.allCases.count
                    return [key.rawValue, isForAll ? "all" : key.kinds.map(\.rawValue).joined(separator: ", ")]
                }
            ),
        ] as [(Int, [String])]
    )
    func readmeListsEveryKey(columns: Int, expected: [String]) throws {
        let tables = try Self.readme().split(separator: "\n\n").map { table in
            table.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
                let cells = row.replacing("`", with: "").split(separator: "|").map { $0.trimmingPrefix(" ") }
                return (columns == 1 ? [cells[0]] : [cells[0], cells[cells.count - 1]]).map {
                    String($0.reversed().drop { $0 == " " }.reversed())
                }
            }
        }
        #expect(tables.contains(expected), "\(expected)")
    }

    private static func readme() throws -> String {
        try String(contentsOfFile: "\(try #require(SuiteLibrary.folder))/README.md", encoding: .utf8)
    }

    /// The tables of values in `Suites/README.md` are those of the code.
    @Test(arguments: ["metric", "network", "figure of devices"])
    func readmeListsEveryValue(table: String) throws {
        let expected = Self.table(table)
        #expect(try Self.readme().contains(expected), "expected in Suites/README.md:\n\(expected)")
    }

    private static func table(_ name: String) -> String {
        func rows(_ head: [String], _ rows: [[String]]) -> String {
            let lines = [head, head.map { _ in "---" }] + rows
            return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n") + "\n"
        }
        /// Names by their units, which come in the order of the first name of each.
        func byUnit(_ head: String, _ names: [(name: String, unit: String)]) -> String {
            let units = names.map { $0.unit }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            return rows(
                ["limit in", head],
                units.map { unit in
                    [unit, names.filter { $0.unit == unit }.map { "`\($0.name)`" }.joined(separator: ", ")]
                }
            )
        }
        switch name {
        case "figure of devices":
            let units = [
                "ms": "milliseconds", "%": "percent", "J": "joules", "°C": "degrees Celsius", "s": "seconds",
                "": "a number",
            ]
            return byUnit(
                "figures of devices",
                DeviceMetric.allCases.map { (name: $0.rawValue, unit: units[$0.meaning.unit] ?? "?") }
            )
        case "metric":
            return byUnit(
                "metrics",
                Metric.current.filter { $0 != .latency && $0.family != .work }
                    .map { (name: $0.id, unit: $0.unit.suite.name) }
            ) + "| \(Metric.Unit.work.suite.name) | `work-` and a [kind](../Docs/COMPARING.md#work) |\n"
        default:
            return rows(
                ["network", "round trip", "jitter", "up", "down", "loss"],
                NetworkProfile.all.map { profile in
                    [
                        "`\(profile.name)`", "\(NumberText.short(profile.roundTripMilliseconds)) ms",
                        "±\(NumberText.short(profile.jitterMilliseconds)) ms",
                        "\(NumberText.short(profile.upMegabits)) Mbit/s",
                        "\(NumberText.short(profile.downMegabits)) Mbit/s",
                        NumberText.percent(profile.lossShare),
                    ]
                }
            )
        }
    }
}
