import Basics
import Evaluation
import SpineDatasets

/// The YAML file that a suite is written in; `Suites/README.md` explains its keys.
package struct SuiteFile {
    package static let keys: [(name: String, meaning: String)] = [
        ("suite", "The suite's name: letters, digits, `-`, `_` and `.`."),
        ("description", "One sentence about its purpose."),
        (
            "datasets",
            "Folders, relative to the suite file or from `~/`; if there are none, they are given on the command line."
        ),
        ("variants", "Names of bases, or mappings: see below."),
        ("scenarios", "Kinds, or mappings: see below. Default: `single`."),
        ("repetitions", "Number of times that every variant reads every spine. Default: 3."),
        ("warm-up", "Warm-up readings before the first counted one. Default: 3."),
        ("seeds", "Random seed of the order of spines and of arrivals, one or a list. Default: 1."),
        ("limit", "Maximum number of spines per dataset, the categories taking turns. Default: all."),
        ("timeout", "Timeout of a reading, in seconds. Default: 30."),
        ("start-timeout", "Timeout of loading a variant, in seconds. Default: 120."),
        ("percentile", "`nearest-rank`, or `seed` for the formula `Int(n * p)`. Default: `nearest-rank`."),
        ("decide-by", "`point` compares the figure with its target, `interval` its interval. Default: `point`."),
        ("gate", "The variants whose missed targets fail the run."),
        ("targets", "`standard`, which it is unless given, or a list of mappings: see below."),
        (
            "evidence",
            "Classes of evidence that decide targets: a list of `measured`, `measured on device`, `modelled`, `reported`, "
                + "`reported by a recording` and `claimed`. Default: all that are not reported, and of modelled ones phones."
        ),
        ("recordings", "A mapping: `keys` lists the public keys, in base64, that sign recordings of phones."),
        ("assert", "Claims about the run's figures, a list of mappings: see below; none unless given."),
    ]

    let path: String
    let catalogue: VariantCatalogue
    let faults: YAMLValue.FaultCollector

    /// Returns the suite in a file's text, its variants with every setting.
    ///
    /// Relative datasets are searched in the folder of `path`, which messages name, too.
    package static func parse(
        _ text: String,
        path: String,
        catalogue: VariantCatalogue
    ) throws(SuiteFaults) -> Suite {
        let faults = YAMLValue.FaultCollector(file: path)
        let file = SuiteFile(path: path, catalogue: catalogue, faults: faults)
        let suite = YAMLDocument.root(of: text, faults: faults).flatMap(file.suite)
        guard let suite, faults.faults.isEmpty else { throw SuiteFaults(faults.faults) }
        return suite
    }

    private func suite(_ root: YAMLValue) -> Suite? {
        guard let fields = root.fields(Self.keys.map(\.name), expected: "a mapping with the key 'suite'") else {
            return nil
        }
        let name = required("suite", in: fields, of: root).flatMap(nameText)
        let description = required("description", in: fields, of: root)?.text(expected: "one sentence")
        var optional: Set<String> = []
        let variants = required("variants", in: fields, of: root).map {
            self.variants($0, gate: fields["gate"], optional: &optional)
        }
        var targets = targets(fields["targets"], suite: name ?? "", tiers: Set((variants ?? []).compactMap(\.tier)))
        let classes = fields["evidence"].map(evidence)
        for index in targets.indices where targets[index].evidence == nil { targets[index].evidence = classes }
        return Suite(
            name: name ?? "",
            description: description ?? "",
            datasets: fields["datasets"].map(datasets) ?? [],
            variants: variants ?? [],
            optional: optional,
            scenarios: fields["scenarios"].map(scenarios) ?? [Scenario(kind: .single)],
            targets: targets,
            repetitions: fields["repetitions"]?.integer(1...1_000) ?? 3,
            warmUpReadings: fields["warm-up"]?.integer(0...1_000) ?? 3,
            seeds: fields["seeds"].map(seeds) ?? [1],
            sampleTimeoutSeconds: fields["timeout"]?.number(0...86_400, above: true) ?? 30,
            startTimeoutSeconds: fields["start-timeout"]?.number(0...86_400, above: true) ?? 120,
            limit: fields["limit"]?.integer(1...100_000_000),
            percentileMethod: fields["percentile"]?.choice(PercentileMethod.self) ?? .nearestRank,
            decideBy: fields["decide-by"]?.choice(DecisionRule.self) ?? .point,
            assertions: fields["assert"].map { assertions($0, variants: (variants ?? []).map(\.name)) },
            recordingKeys: fields["recordings"].map(recordingKeys) ?? []
        )
    }

    private func unique<Value: Equatable>(
        _ elements: [YAMLValue],
        _ read: (YAMLValue) -> (value: Value, name: String)?
    ) -> [Value] {
        var values: [Value] = []
        for element in elements {
            guard let (value, name) = read(element) else { continue }
            if values.contains(value) { element.fault("\(name) is listed twice") }
            values.append(value)
        }
        return values
    }

    func required(_ key: String, in fields: [String: YAMLValue], of mapping: YAMLValue) -> YAMLValue? {
        if let value = fields[key] { return value }
        mapping.fault("the key \"\(key)\" is missing")
        return nil
    }

    /// Returns a name that can be part of a file's.
    func nameText(_ value: YAMLValue) -> String? {
        let expected = "a name of letters, digits, '-', '_' and '.'"
        guard let text = value.text(expected: expected) else { return nil }
        guard Self.isName(text) else {
            value.unexpected(expected)
            return nil
        }
        return text
    }

    static func isName(_ text: String) -> Bool { !text.isEmpty && text.allSatisfy(isOfName) }

    static func isOfName(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
    }

    // MARK: Lists of simple values

    private func datasets(_ value: YAMLValue) -> [String] {
        unique(value.list(expected: "a list of folders")) { element in
            element.text(expected: "a folder").map {
                (Self.path($0.withHomeFolder, besides: path), "the dataset \"\($0)\"")
            }
        }
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

    private func recordingKeys(_ value: YAMLValue) -> [String] {
        let keys = value.fields(["keys"], expected: "a mapping with the key 'keys'")?["keys"]
        return unique(keys?.list(expected: "a list of public keys") ?? []) { element in
            let expected = "a public key for P-256 in base64, which begins with MFkwEwYH"
            guard let text = element.text(expected: expected) else { return nil }
            if SigningKey(text) == nil { element.unexpected(expected) }
            return (text, "the key")
        }
    }

    /// Returns classes of evidence, each once.
    func evidence(_ value: YAMLValue) -> [EvidenceClass] {
        unique(value.list(expected: "a list of classes of evidence")) { element in
            element.choice(EvidenceClass.self).map { ($0, "\"\($0.rawValue)\"") }
        }
    }

    private func seeds(_ value: YAMLValue) -> [UInt64] {
        if value.oneOrMore.isEmpty { value.unexpected("a seed, or a list of them") }
        return unique(value.oneOrMore) { $0.integer(0...UInt64.max).map { ($0, "the seed \($0)") } }
    }
}
