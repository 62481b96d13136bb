package import Evaluation
import Foundation
package import SpineDatasets

/// A run's options, resolved once: nothing reads an option again after this.
package struct RunConfiguration: Sendable, Equatable, Codable {
    /// Program and version.
    package var tool: String
    package var datasetPath: String
    package var datasetName: String
    package var datasetVersion: String?
    package var datasetDigest: String
    /// In the order in which they run.
    package var tiers: [String]
    /// The tiers whose targets decide the exit code.
    package var gateTiers: [String]
    package var targets: [Target]
    /// How often every tier reads every sample; at least 1.
    package var repetitions: Int
    /// Readings before the first counted one of every worker.
    package var warmUpReadings: Int
    /// What the order of the samples is drawn from.
    package var seed: UInt64
    /// A reading that takes longer is given up and its worker killed.
    package var sampleTimeoutSeconds: Double
    /// The same for loading a tier.
    package var startTimeoutSeconds: Double
    /// How many samples of the dataset are read, the categories taking turns; nil for all.
    package var limit: Int?

    package init(
        tool: String,
        dataset: Dataset,
        tiers: [String],
        gateTiers: [String],
        targets: [Target] = Target.standard,
        repetitions: Int = 3,
        warmUpReadings: Int = 3,
        seed: UInt64 = 1,
        sampleTimeoutSeconds: Double = 30,
        startTimeoutSeconds: Double = 120,
        limit: Int? = nil
    ) {
        self.tool = tool
        self.datasetPath = dataset.path
        self.datasetName = dataset.manifest.name
        self.datasetVersion = dataset.manifest.version
        self.datasetDigest = dataset.digest
        self.tiers = tiers
        self.gateTiers = gateTiers
        self.targets = targets
        self.repetitions = repetitions
        self.warmUpReadings = warmUpReadings
        self.seed = seed
        self.sampleTimeoutSeconds = sampleTimeoutSeconds
        self.startTimeoutSeconds = startTimeoutSeconds
        self.limit = limit
    }

    /// - Throws: ``HarnessError/configuration(_:)`` for the first value that makes no sense.
    package func validate() throws(HarnessError) {
        func check(_ isGood: Bool, _ message: String) throws(HarnessError) {
            if !isGood { throw .configuration(message) }
        }
        try check(!tiers.isEmpty, "no tiers to run; name one at least")
        try check(Set(tiers).count == tiers.count, "a tier is named twice in \(tiers.joined(separator: ","))")
        let strangers = gateTiers.filter { !tiers.contains($0) }
        try check(
            strangers.isEmpty,
            "gate tiers \(strangers.joined(separator: ",")) are not among the tiers \(tiers.joined(separator: ","))"
        )
        try check(repetitions >= 1, "repetitions is \(repetitions); expected 1 or more")
        try check(warmUpReadings >= 0, "warm-up is \(warmUpReadings); expected 0 or more")
        try check(
            sampleTimeoutSeconds > 0 && sampleTimeoutSeconds <= 86_400 && startTimeoutSeconds > 0,
            "timeout is \(sampleTimeoutSeconds) s; expected more than 0 and at most 86400"
        )
        try check(limit.map { $0 >= 1 } ?? true, "limit is \(limit ?? 0); expected 1 or more")
    }

    /// SHA-256 of these settings as JSON with sorted keys, but for the place where the dataset lies.
    package var digest: String {
        get throws {
            var settings = self
            settings.datasetPath = ""
            return "sha256:" + SHA256.hex(of: Array(try JSONLine.encode(settings)))
        }
    }

    /// Where two configurations differ, a phrase for each setting that has another digest.
    package func differences(from other: RunConfiguration) -> [String] {
        func difference<Value: Equatable>(_ name: String, _ key: KeyPath<RunConfiguration, Value>) -> String? {
            let (mine, others) = (self[keyPath: key], other[keyPath: key])
            return mine == others ? nil : "\(name) was \(Self.text(others)), now \(Self.text(mine))"
        }
        return [
            difference("tool", \.tool),
            difference("dataset digest", \.datasetDigest),
            difference("dataset name", \.datasetName),
            difference("dataset version", \.datasetVersion),
            difference("tiers", \.tiers),
            difference("gate tiers", \.gateTiers),
            targets == other.targets ? nil : "targets differ",
            difference("repetitions", \.repetitions),
            difference("warm-up", \.warmUpReadings),
            difference("seed", \.seed),
            difference("timeout", \.sampleTimeoutSeconds),
            difference("start timeout", \.startTimeoutSeconds),
            difference("limit", \.limit),
        ].compactMap { $0 }
    }

    private static func text<Value>(_ value: Value) -> String {
        switch value {
        case let list as [String]: list.joined(separator: ",")
        case let optional as Int?: optional.map(String.init) ?? "none"
        case let optional as String?: optional ?? "none"
        default: "\(value)"
        }
    }
}
