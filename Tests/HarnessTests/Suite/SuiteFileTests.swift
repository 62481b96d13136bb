import Basics
import Evaluation
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

private func parse(_ text: String, path: String = "x.yaml") throws(SuiteFaults) -> Suite {
    try SuiteFile.parse(text, path: path, catalogue: catalogue)
}

/// Returns the faults of a text.
private func problems(_ text: String) -> [String] {
    do throws(SuiteFaults) {
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
                Target(
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
                Target(
                    source: "suite engines",
                    metric: .peakFootprint,
                    comparator: .atMost,
                    limit: 200_000_000,
                    isAsked: true
                ),
                Target(
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
        #expect(suite.targets == Target.standard.filter { $0.tier == nil || $0.tier == "fast" })
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

    private static let refusedTexts: [(String, String)] = [
        ("", "x.yaml:1:1: the file is empty; expected a suite"),
        ("# only a comment\n", "x.yaml:1:1: the file is empty; expected a suite"),
        ("- a\n", "x.yaml:1:1: invalid value a list; expected a mapping with the key 'suite'"),
        ("null\n", "x.yaml:1:1: invalid value null; expected a mapping with the key 'suite'"),
        (
            head + "variants: [fast]\n---\nsuite: t\n",
            "x.yaml:4:1: a second document begins; expected one suite per file"
        ),
        (
            head + "variants: [fast\n",
            "x.yaml:4:1: not YAML: did not find expected ',' or ']' (while parsing a flow sequence in line 3)"
        ),
        (
            head + "suite: t\nvariants: [fast]",
            "x.yaml:1:1: \"suite\" is given more than once; the first occurrence is here"
        ),
        (head + "variants: [*none]", "x.yaml:3:12: not YAML: found undefined alias"),
        (head + "variants: [fast]\n? [a]\n: 1", "x.yaml:4:3: invalid value a list; expected a key"),
        (head, "x.yaml:1:1: the key \"variants\" is missing"),
        (
            head + "variant: [fast]",
            "x.yaml:1:1: the key \"variants\" is missing\nx.yaml:3:1: variant: unknown key; did you mean \"variants\"?"
        ),
        (head + "variants: []", "x.yaml:3:11: variants: no variants; specify at least one"),
        (head + "variants: fast", "x.yaml:3:11: variants: invalid value \"fast\"; expected a list of variants"),
        (head + "variants:", "x.yaml:3:10: variants: invalid value nothing; expected a list of variants"),
        (
            "suite: a b\ndescription: x\nvariants: [fast]",
            "x.yaml:1:8: suite: invalid value \"a b\"; expected a name of letters, digits, '-', '_' and '.'"
        ),
        (
            "suite: a\ndescription: []\nvariants: [fast]",
            "x.yaml:2:14: description: invalid value a list; expected one sentence"
        ),
    ]

    @Test(arguments: refusedTexts)
    func textThatIsNoSuiteIsRefused(text: String, message: String) {
        #expect(problems(text).joined(separator: "\n") == message)
    }

    private static let refusedVariants: [(String, String)] = [
        ("[fats]", "x.yaml:3:12: variants[0]: unknown base \"fats\"; did you mean \"fast\"?"),
        ("[something]", "x.yaml:3:12: variants[0]: unknown base \"something\"; there are fast, rival, accurate"),
        (
            "[[fast]]",
            "x.yaml:3:12: variants[0]: invalid value a list; expected the name of a base, or a mapping with the key 'base'"
        ),
        ("[{ name: x }]", "x.yaml:3:12: variants[0]: the key \"base\" is missing"),
        (
            "[{ base: fast, setings: {} }]",
            "x.yaml:3:26: variants[0].setings: unknown key; did you mean \"settings\"?"
        ),
        (
            "[{ base: fast, settings: { thraeds: 2 } }]",
            "x.yaml:3:38: variants[0].settings.thraeds: unknown setting; did you mean \"threads\"?"
        ),
        (
            "[{ base: fast, settings: { threads: 9 } }]",
            "x.yaml:3:47: variants[0].settings.threads: invalid value \"9\"; expected a whole number from 1 to 8"
        ),
        (
            "[{ base: fast, settings: { threads: [1] } }]",
            "x.yaml:3:47: variants[0].settings.threads: invalid value a list; expected a value"
        ),
        (
            "[{ base: fast, settings: { threads: } }]",
            "x.yaml:3:47: variants[0].settings.threads: invalid value nothing; expected a value"
        ),
        (
            "[{ base: fast, settings: [1] }]",
            "x.yaml:3:36: variants[0].settings: invalid value a list; expected a mapping of settings"
        ),
        // Once, not for each of the combinations that it is part of.
        (
            "[{ base: fast, matrix: { threads: [1, 9], precision: [a, b] } }]",
            "x.yaml:3:49: variants[0].matrix.threads[1]: invalid value \"9\"; expected a whole number from 1 to 8"
        ),
        (
            "[{ base: fast, matrix: { threads: 1 } }]",
            "x.yaml:3:45: variants[0].matrix.threads: invalid value \"1\"; expected a list of values"
        ),
        ("[{ base: fast, matrix: { threads: [] } }]", "x.yaml:3:45: variants[0].matrix.threads: no values"),
        (
            "[{ base: fast, settings: { threads: 1 }, matrix: { threads: [2] } }]",
            "x.yaml:3:62: variants[0].matrix.threads: \"threads\" is also among the settings; expected it in one place"
        ),
        (
            "[{ base: fast, name: \"{thread}\", matrix: { threads: [2] } }]",
            "x.yaml:3:32: variants[0].name: unknown setting {thread}; did you mean \"threads\"?"
        ),
        (
            "[{ base: fast, name: a b }]",
            "x.yaml:3:32: variants[0].name: invalid value \"a b\"; expected letters, digits, '-', '_', '.' and {setting}"
        ),
        (
            "[fast, { base: fast }]",
            "x.yaml:3:18: variants[1]: duplicate variant \"fast\", first defined in line 3; expected a distinct 'name'"
        ),
        (
            "[{ base: fast, tier: fats }]",
            "x.yaml:3:32: variants[0].tier: unknown tier \"fats\"; did you mean \"fast\"?"
        ),
        (
            "[{ base: fast, gates: 1 }]",
            "x.yaml:3:33: variants[0].gates: invalid value \"1\"; expected true or false"
        ),
    ]

    @Test(arguments: refusedVariants)
    func variantThatCannotBeIsRefused(variants: String, message: String) {
        #expect(problems(head + "variants: \(variants)").joined(separator: "\n") == message)
    }

    private static let refusedKeys: [(String, String)] = [
        (
            "scenarios: [sinlge]",
            "x.yaml:4:13: scenarios[0]: invalid value \"sinlge\"; did you mean \"single\"? expected single, server, paced, offline, soak, cold, live"
        ),
        ("scenarios: []", "x.yaml:4:12: scenarios: no scenarios; specify at least one"),
        ("scenarios: [server]", "x.yaml:4:13: scenarios[0]: the key \"rate\" is missing"),
        ("scenarios: [{ kind: soak }]", "x.yaml:4:13: scenarios[0]: the key \"seconds\" is missing"),
        (
            "scenarios: [{ kind: single, rate: 5 }]",
            "x.yaml:4:35: scenarios[0].rate: does not apply to the scenario single, only to server, paced, live"
        ),
        (
            "scenarios: [{ kind: server, rate: 0 }]",
            "x.yaml:4:35: scenarios[0].rate: invalid value \"0\"; expected a number above 0, at most 10000"
        ),
        (
            "scenarios: [{ kind: server, rate: nan }]",
            "x.yaml:4:35: scenarios[0].rate: invalid value \"nan\"; expected a number above 0, at most 10000"
        ),
        ("scenarios: [{ kind: offline, lanes: [] }]", "x.yaml:4:37: scenarios[0].lanes: no values"),
        (
            "scenarios: [{ kind: offline, lanes: 1.5 }]",
            "x.yaml:4:37: scenarios[0].lanes: invalid value \"1.5\"; expected a whole number from 1 to 256"
        ),
        (
            "scenarios: [single, single]",
            "x.yaml:4:21: scenarios[1]: duplicate scenario \"single\"; reports could not distinguish them"
        ),
        ("repetitions: 0", "x.yaml:4:14: repetitions: invalid value \"0\"; expected a whole number from 1 to 1000"),
        ("seeds: [1, 1]", "x.yaml:4:12: seeds[1]: the seed 1 is listed twice"),
        (
            "seeds: -1",
            "x.yaml:4:8: seeds: invalid value \"-1\"; expected a whole number from 0 to 18446744073709551615"
        ),
        ("seeds: []", "x.yaml:4:8: seeds: invalid value a list; expected a seed, or a list of them"),
        ("timeout: 0", "x.yaml:4:10: timeout: invalid value \"0\"; expected a number above 0, at most 86400"),
        ("percentile: nearest", "x.yaml:4:13: percentile: invalid value \"nearest\"; expected nearest-rank, seed"),
        (
            "decide-by: pont",
            "x.yaml:4:12: decide-by: invalid value \"pont\"; did you mean \"point\"? expected point, interval"
        ),
        ("datasets: [a, ./a]", "x.yaml:4:15: datasets[1]: the dataset \"./a\" is listed twice"),
        ("gate: [fsat]", "x.yaml:4:8: gate[0]: unknown variant \"fsat\"; did you mean \"fast\"?"),
        (
            "targets: [{ metric: peak-memory, below: 200 }]",
            "x.yaml:4:21: targets[0].metric: \"peak-memory\" is a figure of versions until 28 November 2026: use "
                + "\"peak-footprint\", which counts against an app's limit on a phone, or \"peak-resident\""
        ),
        ("targets: strict", "x.yaml:4:10: targets: invalid value \"strict\"; expected standard, or a list of targets"),
        (
            "targets: [{ metric: latency, below: 5 }]",
            "x.yaml:4:21: targets[0].metric: unknown metric \"latency\"; there are "
                + "latency-p50, latency-p90, latency-p95, latency-p99, title-read, "
                + "read-in-time, author-read, title-and-author-read, character-errors, word-errors, similarity, word-f1, "
                + "peak-footprint, peak-resident, memory-delta, start, first-reading, model-load, inference-share, "
                + "time-to-draft-p95, time-to-prepared-p95, time-to-text-p95, time-to-enriched-p95, "
                + "enrichment-p95, completed, queued, drained, waiting, identified, wrong-book, draft, "
                + "abstained, recall-at5, reciprocal-rank, false-match, open-draft, bytes-sent, "
                + "image-bytes-sent, text-bytes-sent, id-bytes-sent, control-bytes-sent, bytes-received, "
                + "publisher-read, time-to-draft-p50, book-recall, book-precision, book-f1, book-title-read, count-error, "
                + "merged-spines, split-books, sliver-spines, order-distance, outline-overlap, time-per-book, "
                + "recall-at20, gesture-readings, repeat-p95, time-to-ready-p50, time-to-ready-p95, codes-read, scene-right, "
                + "scene-wrong, scene-unsaid, subject-overlap, capture-told, facts-lost, line-box-recall, line-box-precision, line-overlap, one-scan, repeated-scan, missed-spine, wrong-scan, "
                + "lost-scans, first-text-p50, longest-load"
        ),
        (
            "targets: [{ metric: title-read }]",
            "x.yaml:4:11: targets[0]: expected exactly one of below, at-most and at-least, found none"
        ),
        (
            "targets: [{ metric: title-read, at-least: 0.5, below: 1 }]",
            "x.yaml:4:11: targets[0]: expected exactly one of below, at-most and at-least, found below and at-least"
        ),
        (
            "targets: [{ metric: title-read, at-least: 85 }]",
            "x.yaml:4:43: targets[0].at-least: invalid value \"85\"; expected a number from 0 to 1"
        ),
        (
            "targets: [{ metric: title-read, at-least: 0.5, tier: accurate }]",
            "x.yaml:4:54: targets[0].tier: unknown tier \"accurate\"; there are fast"
        ),
        (
            "targets: [{ metric: title-read, at-least: 0.5, category: vertcal }]",
            "x.yaml:4:58: targets[0].category: invalid value \"vertcal\"; did you mean \"vertical\"? expected vertical, inverted, stylized, horizontal, mixed"
        ),
    ]

    @Test(arguments: refusedKeys)
    func keyThatCannotBeIsRefused(line: String, message: String) {
        #expect(problems(head + "variants: [fast]\n" + line).joined(separator: "\n") == message)
    }

    @Test func variantThatSaysItDoesNotGateIsNotMadeTo() {
        let text = head + "variants: [{ base: fast, gates: false }]\ngate: [fast]"
        #expect(problems(text) == ["x.yaml:4:8: gate[0]: the variant \"fast\" itself has 'gates: false'"])
    }

    @Test func everyFaultIsListedInTheOrderOfLines() {
        let found = problems(
            """
            repetitions: many
            suite: s
            variants:
              - fats
              - { base: rival, settings: { threads: 0, x: 1 } }
            gate: [rival]
            colour: red
            """
        )
        #expect(
            found.map { $0.split(separator: " ")[0] } == [
                "x.yaml:1:1:", "x.yaml:1:14:", "x.yaml:4:5:", "x.yaml:5:41:", "x.yaml:5:44:", "x.yaml:6:8:",
                "x.yaml:7:1:",
            ]
        )
    }

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

    @Test func onlyTheFirstHundredFaultsAreListed() {
        let text = head + "variants: [" + (0..<250).map { "x\($0)" }.joined(separator: ", ") + "]"
        #expect {
            try parse(text)
        } throws: { error in
            let faults = error as? SuiteFaults
            return faults?.faults.count == 100 && faults?.more == 150 && "\(error)".hasSuffix("… and 150 more")
        }
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
        let shown = try parse(bare.yaml { _ in "fast" })
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
        var target = Target(source: "s", metric: .latencyP95, comparator: .below, limit: 1)
        #expect(EvidenceClass.allCases.filter { target.admits($0) } == [.measured, .measuredOnDevice, .claimed])
        #expect(target.admits(.modelled, ofPhone: true) && !target.admits(.reported, ofPhone: true))
        target.evidence = [.reportedByRecording]
        #expect(EvidenceClass.allCases.filter { target.admits($0, ofPhone: true) } == [.reportedByRecording])
    }
}
