import Basics
import Evaluation
import Foundation
import TestSupport
import Testing

@testable import Harness

/// Two bases with two settings each: `threads` from 1 to 8, and `precision`.
private let catalogue = VariantCatalogue(
    bases: [
        ("fast", "fast"), ("rival", nil), ("accurate", "accurate"),
    ]
) { base, settings throws(SettingFaults) in
    var all = ["threads": "2", "precision": "f32"]
    var faults: [SettingFault] = []
    for (key, text) in settings.sorted(by: { $0.key < $1.key }) {
        if all[key] == nil {
            let problem = "unknown setting; \(NearName.hint(for: key, among: ["threads", "precision"]))"
            faults.append(SettingFault(key: key, problem: problem, isOfKey: true))
        } else if key == "threads", !(1...8).contains(Int(text) ?? 0) {
            faults.append(
                SettingFault(key: key, problem: "invalid value \"\(text)\"; expected a whole number from 1 to 8")
            )
        }
        all[key] = text
    }
    if !faults.isEmpty { throw SettingFaults(base: base, faults: faults) }
    all["base"] = base
    return all
}

private func parse(_ text: String, path: String = "x.yaml") throws(Faults) -> Suite {
    try SuiteFile.parse(text, path: path, catalogue: catalogue)
}

/// Returns the faults of a text.
private func problems(_ text: String) -> [String] {
    do throws(Faults) {
        _ = try parse(text)
        return []
    } catch {
        return error.faults.map(\.description)
    }
}

private let head = "suite: s\ndescription: One.\n"

@Suite(.tags(.unit)) struct SuiteFileTests {
    @Test func wholeSuiteIsRead() throws {
        let suite = try parse(
            """
            suite: engines
            description: One sentence.
            datasets: [../Datasets/spines-1, /data/x, ./here]
            variants:
              - rival
              - name: fast-{threads}t
                base: fast
                tier: accurate
                settings: { precision: bf16 }
                matrix: { threads: [1, 4] }
              - { base: fast, name: plain, tier: none, gates: true, optional: true }
            scenarios:
              - single
              - { kind: server, rate: [5, 0.5], seconds: 60, lanes: 2 }
              - { kind: offline, lanes: [1, 2], readings: 500 }
              - { kind: soak, seconds: 600 }
              - { kind: cold, readings: 20 }
            repetitions: 5
            warm-up: 0
            seeds: [1, 18446744073709551615]
            limit: 100
            timeout: 2.5
            start-timeout: 60
            percentile: seed
            decide-by: interval
            gate: [fast-1t]
            targets:
              - { metric: latency-p95, below: 500, tier: accurate, category: vertical, source: S0-M08, gates: false }
              - { metric: peak-footprint, at-most: 200 }
              - { metric: title-read, at-least: 0.85 }
            """,
            path: "Suites/engines.yaml"
        )
        #expect(suite.name == "engines" && suite.description == "One sentence.")
        #expect(suite.datasets == ["Datasets/spines-1", "/data/x", "Suites/here"])
        #expect(suite.variants.map(\.name) == ["rival", "fast-1t", "fast-4t", "plain"])
        #expect(suite.variants.map(\.tier) == [nil, "accurate", "accurate", nil])
        #expect(suite.variants.map(\.gates) == [false, true, false, true])
        #expect(suite.optional == ["plain"])
        #expect(suite.variants[2].settings == ["base": "fast", "threads": "4", "precision": "bf16"])
        #expect(
            suite.scenarios == [
                Scenario(kind: .single),
                Scenario(kind: .server, ratePerSecond: 5, seconds: 60, lanes: 2),
                Scenario(kind: .server, ratePerSecond: 0.5, seconds: 60, lanes: 2),
                Scenario(kind: .offline, readings: 500, lanes: 1),
                Scenario(kind: .offline, readings: 500, lanes: 2),
                Scenario(kind: .soak, seconds: 600), Scenario(kind: .cold, readings: 20),
            ]
        )
        #expect((suite.repetitions, suite.warmUpReadings) == (5, 0))
        #expect(suite.seeds == [1, .max])
        #expect(suite.limit == 100)
        #expect((suite.sampleTimeoutSeconds, suite.startTimeoutSeconds) == (2.5, 60))
        #expect(suite.percentileMethod == .seed && suite.decideBy == .interval)
        #expect(
            suite.targets == [
                Claim(
                    source: "S0-M08",
                    metric: .latencyP95,
                    tier: "accurate",
                    category: "vertical",
                    comparator: .below,
                    limit: 500,
                    gates: false,
                    isAsked: true
                ),
                // Megabytes become bytes.
                Claim(
                    source: "suite engines",
                    metric: .peakFootprint,
                    comparator: .atMost,
                    limit: 200_000_000,
                    isAsked: true
                ),
                Claim(
                    source: "suite engines",
                    metric: .titleRead,
                    comparator: .atLeast,
                    limit: 0.85,
                    isAsked: true
                ),
            ]
        )
    }

    @Test func whatIsNotSaidIsUsual() throws {
        let suite = try parse(head + "variants: [fast]")
        #expect(
            suite.variants == [
                Variant(name: "fast", tier: "fast", settings: ["base": "fast", "threads": "2", "precision": "f32"])
            ]
        )
        #expect(suite.datasets.isEmpty)
        #expect(suite.scenarios == [Scenario(kind: .single)])
        // The targets of a tier that is not run are left out.
        #expect(suite.targets == Claim.standard.filter { $0.tier == nil || $0.tier == "fast" })
        #expect(suite.targets.count == 12)
        #expect((suite.repetitions, suite.warmUpReadings, suite.seeds, suite.limit) == (3, 3, [1], nil))
        #expect((suite.sampleTimeoutSeconds, suite.startTimeoutSeconds) == (30, 120))
        #expect(suite.percentileMethod == .nearestRank && suite.decideBy == .point)
    }

    @Test func matrixIsExpandedWithItsLastKeyFirst() throws {
        let suite = try parse(
            head + "variants: [{ base: fast, matrix: { threads: [1, 2], precision: [f32, x+y] } }]"
        )
        #expect(suite.variants.map(\.name) == ["fast-1-f32", "fast-1-x-y", "fast-2-f32", "fast-2-x-y"])
        #expect(suite.variants.map { $0.settings["precision"] } == ["f32", "x+y", "f32", "x+y"])
    }

    @Test func anchorsAndAliasesAreRead() throws {
        let suite = try parse(
            head + """
                variants:
                  - { base: fast, name: a, settings: &s { threads: 4 } }
                  - { base: rival, name: b, settings: *s }
                """
        )
        #expect(suite.variants.map { $0.settings["threads"] } == ["4", "4"])
    }

    /// YAML 1.1 takes `off` for a Boolean and 08 for an octal: a setting is its written text.
    @Test func settingsAreTextAsItWasWritten() throws {
        let suite = try parse(head + "variants: [{ base: fast, settings: { precision: off, threads: 08 } }]")
        #expect(suite.variants[0].settings["precision"] == "off")
        #expect(suite.variants[0].settings["threads"] == "08")
    }

    @Test func emptyListOfTargetsIsNone() throws {
        #expect(try parse(head + "variants: [fast]\ntargets: []").targets.isEmpty)
    }

    /// Blocks of `Fixtures/suite-faults.txt`: lines of a suite behind `head`, or of all of it below `(whole)`, and the
    /// faults, with `!` in place of the file's name.
    private static let refused: [Substring] = {
        let file = Bundle.module.url(forResource: "Fixtures/suite-faults", withExtension: "txt")
        return (file.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? "").split(separator: "\n\n")
    }()

    @Test(arguments: refused)
    func whatCannotBeIsRefused(block: Substring) {
        let lines = block.split(separator: "\n")
        let isWhole = lines[0] == "(whole)"
        let text = lines.filter { !$0.hasPrefix("! ") }.dropFirst(isWhole ? 1 : 0).map { $0 + "\n" }.joined()
        let expected = lines.filter { $0.hasPrefix("! ") }.map { "x.yaml:\($0.dropFirst(2))" }
        #expect(problems((isWhole ? "" : head) + text) == expected)
    }

    @Test func allFaultsAreInTheTable() { #expect(Self.refused.count == 64) }

    // MARK: Limits

    @Test func hugeFileIsNotParsed() {
        let text = head + "# " + String(repeating: "x", count: 1 << 20)
        #expect(problems(text) == ["x.yaml:1:1: the file has 1048605 bytes; expected at most 1048576"])
    }

    @Test(arguments: ["[", "{a: ", "- "])
    func deepNestingIsNotFollowed(open: String) throws {
        let found = problems(head + "variants:\n  " + String(repeating: open, count: 100_000))
        #expect(found.count == 1)
        #expect(try #require(found.first).contains("not YAML:"))
    }

    /// Ten to the power of ten elements, if they were written out.
    @Test func aliasesOfAliasesAreNotWrittenOut() {
        var text = head + "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<10 {
            text += "a\(level): &a\(level) [" + (0..<10).map { _ in "*a\(level - 1)" }.joined(separator: ", ") + "]\n"
        }
        let found = problems(text + "variants: *a9\n")
        #expect(found.contains { $0.contains("invalid value a list; expected the name of a base") })
        #expect(problems(text + "? *a9\n: 1\nvariants: [fast]\n").contains { $0.contains("a key that is an alias") })
        #expect(problems(text + "*a9 : 1\nvariants: [fast]\n").contains { $0.contains("a key that is an alias") })
        #expect(problems(text + "[*a9]: 1\nvariants: [fast]\n").contains { $0.contains("a key that is an alias") })
    }

    @Test func matrixOfMoreVariantsThanAnybodyReadsIsRefused() {
        let values = (1...300).map { "v\($0)" }.joined(separator: ", ")
        let found = problems(
            head + "variants: [{ base: fast, matrix: { precision: [\(values)], threads: [\(values)] } }]"
        )
        #expect(found == ["x.yaml:3:12: variants[0]: makes more than 200 variants; expected at most 200 in a suite"])
    }
}

@Suite(.tags(.unit)) struct SuiteEvidenceTests {
    private static let key =
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEmRMSFY5XE2jv7qDmfTkDc2SBLNmT8Cca1yXQrJQwpuz8MMdBx7q5LiT3rID4nTlha7wtcCeQZS91HoKAplovkA=="

    private static let text = """
        suite: s
        description: One.
        variants: [fast]
        evidence: [measured, reported by a recording]
        recordings: { keys: ["\(key)"] }
        targets:
          - { metric: latency-p95, below: 500, machine: phone }
          - { metric: latency-p50, below: 500, evidence: [modelled] }
        """

    @Test func classesAreOfTheSuiteUnlessATargetHasItsOwn() throws {
        let suite = try parse(Self.text)
        #expect(suite.targets.map(\.evidence) == [[.measured, .reportedByRecording], [.modelled]])
        #expect(suite.recordingKeys == [Self.key])
        var bare = suite
        for index in bare.variants.indices { bare.variants[index].settings = [:] }
        let shown = try parse(try bare.yaml { _ in "fast" })
        #expect(shown.targets == suite.targets && shown.recordingKeys == suite.recordingKeys)
        #expect(try parse(head + "variants: [fast]").targets.allSatisfy { $0.evidence == nil })
    }

    @Test func whatIsNoClassAndNoKeyHasItsPlace() {
        #expect(
            problems(Self.text.replacing("reported by a recording]", with: "mesured]")).first?
                .contains("x.yaml:4:22: evidence[1]: invalid value \"mesured\"; did you mean \"measured\"?") == true
        )
        #expect(problems(Self.text.replacing(Self.key, with: "MFkw")).first?.contains("x.yaml:5:") == true)
        #expect(!problems(Self.text.replacing("keys:", with: "key:")).isEmpty)
        #expect(
            problems(Self.text.replacing("[modelled]", with: "[modelled, modelled]")).first?.contains("listed twice")
                == true
        )
    }

    /// By default what is reported decides nothing, and of modelled figures those of phones.
    @Test func theDefaultAdmitsWhatIsMeasured() {
        var target = Claim(source: "s", metric: .latencyP95, comparator: .below, limit: 1)
        #expect(EvidenceClass.allCases.filter { target.admits($0) } == [.measured, .measuredOnDevice, .claimed])
        #expect(target.admits(.modelled, ofPhone: true) && !target.admits(.reported, ofPhone: true))
        target.evidence = [.reportedByRecording]
        #expect(EvidenceClass.allCases.filter { target.admits($0, ofPhone: true) } == [.reportedByRecording])
    }
}
