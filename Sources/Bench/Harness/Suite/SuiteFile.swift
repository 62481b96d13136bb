package import Basics
import Evaluation
import SpineDatasets

/// A suite as its YAML file has it; `Suites/README.md` explains its keys.
package struct SuiteFile: Codable {
    var suite: String
    var description: String
    var datasets: [String]?
    var variants: [VariantEntry]
    var scenarios: [ScenarioEntry]?
    var repetitions: Int?
    var warmUp: Int?
    var seeds: OneOrMore<UInt64>?
    var limit: Int?
    var timeout: Double?
    var startTimeout: Double?
    var percentile: PercentileMethod?
    var decideBy: DecisionRule?
    var gate: [String]?
    var targets: TargetList?
    var evidence: [EvidenceClass]?
    var recordings: Recordings?
    var assert: [ClaimEntry]?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case suite, description, datasets, variants, scenarios, repetitions
        case warmUp = "warm-up"
        case seeds, limit, timeout
        case startTimeout = "start-timeout"
        case percentile
        case decideBy = "decide-by"
        case gate, targets, evidence, recordings, assert
    }

    struct Recordings: Codable { var keys: [String] }

    /// Returns the suite in a file's text, its variants with every setting.
    ///
    /// Relative datasets are searched in the folder of `path`, which messages name, too.
    package static func parse(
        _ text: String,
        path: String,
        catalogue: VariantCatalogue
    ) throws(Faults) -> Suite {
        let faults = FaultCollector(file: path)
        let root = try YAMLFile.node(of: text, faults, expected: "a suite")
        return try LocatedDecoder.decode(SuiteFile.self, from: root, faults) { file, at in
            file.suite(at, path: path, catalogue)
        }
    }

    private func suite(_ at: Checker, path: String, _ catalogue: VariantCatalogue) -> Suite {
        check(at)
        let folders = (datasets ?? []).map { Self.path($0.withHomeFolder, besides: path) }
        at["datasets"].unique(folders) { "the dataset \"\($0)\"" }
        var expansion = VariantExpansion(catalogue: catalogue)
        for (index, entry) in variants.enumerated() { expansion.add(entry, at["variants"][index]) }
        if at["variants"].isSound, variants.isEmpty { at["variants"].fault("no variants; specify at least one") }
        expansion.gate(gate ?? [], at["gate"])
        let names = expansion.variants.map(\.name)
        return Suite(
            name: suite,
            description: description,
            datasets: folders,
            variants: expansion.variants,
            optional: expansion.optional,
            scenarios: scenarios.map { ScenarioEntry.scenarios($0, at["scenarios"]) } ?? [Scenario(kind: .single)],
            targets: targets(tiers: Set(expansion.variants.compactMap(\.tier)), at["targets"]),
            repetitions: repetitions ?? 3,
            warmUpReadings: warmUp ?? 3,
            seeds: seeds?.values ?? [1],
            sampleTimeoutSeconds: timeout ?? 30,
            startTimeoutSeconds: startTimeout ?? 120,
            limit: limit,
            percentileMethod: percentile ?? .nearestRank,
            decideBy: decideBy ?? .point,
            assertions: assert.map { entries in
                entries.enumerated().compactMap { $1.assertion(among: names, at["assert"][$0]) }
            },
            recordingKeys: recordings?.keys ?? []
        )
    }

    private func check(_ at: Checker) {
        at["suite"].name(suite)
        at["repetitions"].range(repetitions, 1...1_000)
        at["warm-up"].range(warmUp, 0...1_000)
        at["limit"].range(limit, 1...100_000_000)
        at["timeout"].range(timeout, 0...86_400, above: true)
        at["start-timeout"].range(startTimeout, 0...86_400, above: true)
        let seeds = seeds?.values ?? []
        if at["seeds"].isSound, seeds.isEmpty { at["seeds"].unexpected("a seed, or a list of them") }
        at["seeds"].unique(seeds) { "the seed \($0)" }
        at["evidence"].unique(evidence ?? []) { "\"\($0.rawValue)\"" }
        let keys = at["recordings"]["keys"]
        for (index, key) in (recordings?.keys ?? []).enumerated() where keys[index].isSound && SigningKey(key) == nil {
            keys[index].unexpected("a public key for P-256 in base64, which begins with MFkwEwYH")
        }
        keys.unique(recordings?.keys ?? []) { _ in "the key" }
    }

    /// Returns the targets of the suite: those of the scanner, as far as variants have the tiers, unless it has its own.
    private func targets(tiers: Set<String>, _ at: Checker) -> [Claim] {
        var targets: [Claim]
        if case .own(let entries)? = targetList {
            targets = entries.enumerated().compactMap { $1.target(suite: suite, tiers: tiers, at[$0]) }
            // A suite that is shown in full states the scanner's own targets.
            for index in targets.indices where !Claim.standard.contains(targets[index]) {
                targets[index].isAsked = true
            }
        } else {
            targets = Claim.standard.filter { $0.tier.map(tiers.contains) ?? true }
        }
        for index in targets.indices where targets[index].evidence == nil { targets[index].evidence = evidence }
        return targets
    }

    private var targetList: TargetList? { targets }

    static func isName(_ text: String) -> Bool { !text.isEmpty && text.allSatisfy(isOfName) }

    static func isOfName(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
    }

    /// Returns a path that a file names, relative to the base of the file's own path.
    private static func path(_ text: String, besides file: String) -> String {
        if text.hasPrefix("/") || text.contains("://") { return text }
        var parts = file.split(separator: "/").dropLast().map(String.init)
        for part in text.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(String(part))
            }
        }
        return (file.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}

extension Checker {
    /// Adds the fault of a name that cannot be part of a file's.
    func name(_ text: String) {
        if isSound, !SuiteFile.isName(text) { unexpected("a name of letters, digits, '-', '_' and '.'") }
    }
}

extension Suite {
    /// Returns the suite as a self-contained file without defaults: all settings of a variant over its `base`.
    package func yaml(base: (Variant) -> String) throws -> String {
        try YAMLFile.text(
            SuiteFile(
                suite: name,
                description: description,
                datasets: datasets.isEmpty ? nil : datasets,
                variants: variants.map { VariantEntry($0, base: base($0), isOptional: optional.contains($0.name)) },
                scenarios: scenarios.map(ScenarioEntry.init),
                repetitions: repetitions,
                warmUp: warmUpReadings,
                seeds: OneOrMore(seeds),
                limit: limit,
                timeout: sampleTimeoutSeconds,
                startTimeout: startTimeoutSeconds,
                percentile: percentileMethod,
                decideBy: decideBy,
                targets: .own(targets.map(ClaimEntry.init)),
                recordings: recordingKeys.isEmpty ? nil : SuiteFile.Recordings(keys: recordingKeys),
                assert: assertions?.map(ClaimEntry.init)
            )
        )
    }
}
