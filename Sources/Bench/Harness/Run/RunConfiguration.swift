package import Basics
package import Evaluation
import Foundation
package import SpineDatasets

/// A run's options, resolved once: nothing reads an option again after this.
package struct RunConfiguration: Sendable, Equatable, Codable {
    package var tool: String
    /// SHA-256 of the program's file: the code that ran; nil when it cannot be read.
    package var codeDigest: String?
    /// Suite of these settings; nil for those of the command line.
    package var suite: String?
    package var datasets: [DatasetReference]
    package var variants: [Variant]
    package var scenarios = [Scenario(kind: .single)]
    package var targets = Claim.standard
    /// Number of times that `single` reads every sample, with each seed; at least 1.
    package var repetitions = 3
    /// Readings before the first counted one of every worker.
    package var warmUpReadings = 3
    /// Seeds of the samples' orders: all repetitions with the first one, then all with the next.
    package var seeds: [UInt64] = [1]
    /// A reading that takes longer is given up and its worker killed.
    package var sampleTimeoutSeconds = 30.0
    package var startTimeoutSeconds = 120.0
    package var percentileMethod = PercentileMethod.nearestRank
    package var decideBy = DecisionRule.point
    /// Maximum number of read samples per dataset, taken from the categories in turn; nil for all.
    package var limit: Int?
    package var backEnds: [BackEndReference]?
    package var devices: DeviceSelection?
    package var assertions: [Claim]?
    /// ``ScoringRule`` by which the run scores its readings; nil for the first one.
    package var scoringRule: Int? = ScoringRule.current
    /// Gating variants of the suite that were left out, as they cannot run here: the reasons by name; nil for none.
    package var skipped: [String: String]?

    /// Measurements of every variant in every scenario over every dataset with pictures for it: dataset by dataset,
    /// then variant by variant.
    package var measurements: [Measurement] {
        datasets.flatMap { dataset in
            variants.filter { dataset.shows($0.subject ?? .spines) }.flatMap { variant in
                scenarios.map { scenario in
                    var id = variant.name
                    if scenarios.count > 1 || scenario.kind != .single { id += "/" + scenario.label }
                    if datasets.count > 1 { id += "@" + dataset.name }
                    return Measurement(variant: variant, scenario: scenario, dataset: dataset, id: id)
                }
            }
        }
    }

    /// - Throws: ``HarnessError/configuration(_:)`` for the first invalid value.
    package func validate() throws(HarnessError) {
        func twice(_ names: [String], _ what: String) -> String? {
            let twice = Dictionary(grouping: names, by: \.self).filter { $0.value.count > 1 }.keys.sorted()
            return twice.isEmpty ? nil : "duplicate \(what): \(twice.joined(separator: ", "))"
        }
        let subjects = variants.map { $0.subject ?? .spines }
        let unshown = zip(variants, subjects).first { _, subject in !datasets.contains { $0.shows(subject) } }
        let unread = datasets.first { !subjects.contains(where: $0.shows) }
        let problems: [String?] = [
            datasets.isEmpty ? "no dataset; specify at least one" : nil,
            variants.isEmpty ? "no variants; specify at least one" : nil,
            scenarios.isEmpty ? "no scenarios; specify at least one" : nil,
            twice(datasets.map(\.name), "dataset"), twice(variants.map(\.name), "variant"),
            twice(scenarios.map(\.label), "scenario"),
            scenarios.lazy.compactMap { scenario in scenario.problem.map { "scenario \(scenario.label): \($0)" } }
                .first,
            unshown.map { "variant \($0.name) reads pictures of \($1), but no dataset has any" },
            unread.map { dataset -> String in
                let subjects = (dataset.subjects ?? [.spines]).map(\.rawValue).joined(separator: " and ")
                return "\(dataset.name) has pictures of \(subjects), which no variant reads; add a variant that does"
            }, repetitions >= 1 ? nil : "invalid repetitions \(repetitions): expected 1 or more",
            warmUpReadings >= 0 ? nil : "invalid warm-up \(warmUpReadings): expected 0 or more",
            seeds.isEmpty ? "no seed; specify at least one" : nil,
            sampleTimeoutSeconds > 0 && sampleTimeoutSeconds <= 86_400 && startTimeoutSeconds > 0
                ? nil : "invalid timeout \(sampleTimeoutSeconds) s: expected more than 0 and at most 86400",
            limit.flatMap { $0 >= 1 ? nil : "invalid limit \($0): expected 1 or more" },
        ]
        if let problem = problems.compactMap(\.self).first { throw .configuration(problem) }
    }

    /// SHA-256 of these settings as JSON with sorted keys, without the datasets' paths.
    package var digest: String {
        get throws {
            var settings = self
            for index in settings.datasets.indices { settings.datasets[index].path = "" }
            return "sha256:" + SHA256.hex(of: Array(try JSONLine.encode(settings)))
        }
    }

    /// Settings by their names in `config.json`, as text.
    private var texts: [String: String] {
        let bytes = (try? JSONLine.encode(self)).map(Array.init) ?? []
        guard case .mapping(let entries)? = (try? JSONParser.node(bytes))?.content else { return [:] }
        var texts = Dictionary(entries().map { ($0.key, String(decoding: bytes[$0.value.bytes], as: UTF8.self)) }) {
            $1
        }
        texts["datasets"] = datasets.map { "\($0.name) \($0.digest)" }.joined(separator: ", ")
        texts["variants"] = variants.map(\.name).joined(separator: ", ")
        texts["scoringRule"] = "\(scoringRule ?? 1)"
        return texts
    }

    /// Returns the differences between two configurations, a phrase for each setting.
    package func differences(from other: RunConfiguration) -> [String] {
        let (now, before) = (texts, other.texts)
        var differences = Set(now.keys).union(before.keys).sorted().filter { now[$0] != before[$0] }.map { key in
            let (old, new) = (before[key] ?? "none", now[key] ?? "none")
            return max(old.count, new.count) > 300 ? "\(key) differ" : "\(key) was \(old), now \(new)"
        }
        for mine in variants {
            guard let theirs = other.variants.first(where: { $0.name == mine.name }), mine != theirs else { continue }
            let keys = Set(mine.settings.keys).union(theirs.settings.keys).sorted()
            let changed = keys.filter { mine.settings[$0] != theirs.settings[$0] }
            differences.append(
                "variant \(mine.name) differs\(changed.isEmpty ? "" : " in \(changed.joined(separator: ", "))")"
            )
        }
        return differences
    }
}

extension RunConfiguration {
    package init(tool: String, datasets: [DatasetReference], variants: [Variant]) {
        self.init(tool: tool, codeDigest: nil, datasets: datasets, variants: variants)
    }
}

package struct DatasetReference: Sendable, Equatable, Codable {
    package var path: String
    package var name: String
    package var version: String?
    package var digest: String
    /// Subjects of its pictures; nil for single spines alone.
    package var subjects: [Subject]?

    func shows(_ subject: Subject) -> Bool { (subjects ?? [.spines]).contains(subject) }

    /// Returns where it is for a run: its path from here, else from the run's folder or the nearest one above that has it.
    package func place(of run: String) -> String {
        if path.hasPrefix("/") || FileManager.default.isFolder(path) { return path }
        let parts = URL(filePath: run).standardizedFileURL.pathComponents
        return parts.indices.reversed().lazy.map { NSString.path(withComponents: Array(parts[...$0]) + [path]) }
            .first(where: FileManager.default.isFolder) ?? path
    }
}

extension DatasetReference {
    package init(_ dataset: Dataset) {
        self.init(
            path: dataset.path,
            name: dataset.manifest.name,
            version: dataset.manifest.version,
            digest: dataset.digest,
            subjects: dataset.subjects == [.spines] ? nil : dataset.subjects
        )
    }
}

/// Variant in one scenario over one dataset: the unit of a run.
package struct Measurement: Sendable, Equatable {
    package var variant: Variant
    package var scenario: Scenario
    package var dataset: DatasetReference
    /// Identifier of its records: the variant's name, with the scenario unless it is the run's only one, and with the
    /// dataset unless that is: "fast", "fast/server 5/s", "fast/single@spines-1".
    package var id: String

    package func pictures(of dataset: Dataset, limit: Int?) -> [Sample] {
        dataset.pictures(of: variant.subject ?? .spines, limit: limit)
    }
}

package struct BackEndReference: Sendable, Equatable, Codable, CustomStringConvertible {
    package var variants: [String]
    /// SHA-256 of its program's file; nil when the run did not start it.
    package var codeDigest: String?
    /// Arguments of the program, without those for its location; or the address of a running one.
    package var arguments: [String]

    package init(variants: [String], codeDigest: String?, arguments: [String]) {
        (self.variants, self.codeDigest, self.arguments) = (variants, codeDigest, arguments)
    }

    package var description: String {
        "\(codeDigest ?? "of its own") \(arguments.joined(separator: " ")) for \(variants.joined(separator: ", "))"
    }
}

extension RunConfiguration {
    /// Checks that the run may be divided: the load of several machines is not that of one, so only `single` may be.
    package func validateForParts() throws(HarnessError) {
        if let scenario = scenarios.first(where: { $0.kind != .single }) {
            throw .configuration(
                "the scenario \(scenario.label) cannot be divided into parts: what it shows is how one machine fares; run it "
                    + "without --part, and the scenario single in parts"
            )
        }
        if devices != nil {
            throw .configuration(
                "devices are modelled on the readings of one machine, and parts have several: leave out --devices"
            )
        }
    }
}

package struct DeviceSelection: Sendable, Equatable, Codable, CustomStringConvertible {
    /// A device's profile as it was when the run began.
    package struct Reference: Sendable, Equatable, Codable {
        package var name: String
        /// SHA-256 of its figures: `sha256:` and 64 digits.
        package var digest: String

        /// - Throws: when a figure is not finite, which JSON cannot represent.
        package init(_ profile: DeviceProfile) throws {
            name = profile.name
            digest = "sha256:" + SHA256.hex(of: Array(try JSONLine.encode(profile)))
        }
    }

    /// What modelled devices decide.
    package enum Gating: String, Sendable, Codable, CaseIterable {
        /// Nothing.
        case none
        /// The targets that are limits in milliseconds of a phone.
        case latency
        /// Their memory and battery, too.
        case all

        /// Earlier versions wrote whether all gates.
        package init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let isAll = try? value.decode(Bool.self) {
                self = isAll ? .all : .none
            } else if let own = Self(rawValue: try value.decode(String.self)) {
                self = own
            } else {
                throw DecodingError.dataCorruptedError(in: value, debugDescription: "expected none, latency or all")
            }
        }
    }

    package var profiles: [Reference]
    package var gates: Gating

    package init(_ profiles: [DeviceProfile], gates: Gating = .latency) throws {
        self.profiles = try profiles.map(Reference.init)
        self.gates = gates
    }

    package var description: String {
        profiles.map { "\($0.name) \($0.digest)" }.joined(separator: ", ") + ", deciding \(gates.rawValue)"
    }
}
