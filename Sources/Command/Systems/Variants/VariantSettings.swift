import Basics
import BookCatalogue
package import Evaluation
import Foundation
package import Harness
import ScanningPolicies
import SpineDatasets
package import SpineReaders
package import TextRecognition

/// Settings of a variant, as values: texts are at the command line, in suites and in records alone.
package enum VariantSettings: Sendable, Equatable {
    case reading(ReadingSettings)
    case scanning(ScanSettings)
    /// A reader of the user's.
    case reader(ReaderSettings)

    /// Creates the settings that were written as `texts`.
    package init(texts: [String: String], name: String) throws(SettingFaults) {
        // Only a variant that scans has a strategy.
        if texts["command"] != nil {
            self = .reader(try ReaderSettings(texts: texts, name: name))
        } else if texts["strategy"] == nil {
            self = .reading(try ReadingSettings(texts: texts, name: name))
        } else {
            self = .scanning(try ScanSettings(texts: texts, name: name))
        }
    }

    var all: any Settings {
        switch self {
        case .reading(let settings): settings
        case .scanning(let settings): settings
        case .reader(let settings): settings
        }
    }

    package var texts: [String: String] { all.texts }

    /// Returns these settings with others over them.
    package func overridden(by texts: [String: String], name: String) throws(SettingFaults) -> VariantSettings {
        switch self {
        case .reading(let settings): .reading(try settings.overridden(by: texts, name: name))
        case .scanning(let settings): .scanning(try settings.overridden(by: texts, name: name))
        case .reader(let settings): .reader(try settings.overridden(by: texts, name: name))
        }
    }

    package var reading: ReadingSettings? {
        switch self {
        case .reading(let settings): settings
        case .scanning(let settings): settings.reading
        case .reader: nil
        }
    }

    package var scanning: ScanSettings? { if case .scanning(let settings) = self { settings } else { nil } }

    package var reader: ReaderSettings? { if case .reader(let settings) = self { settings } else { nil } }

    /// Missing prerequisite on this machine, with its remedy, by its files alone; nil if none is known.
    package var problem: String? { reading?.problem ?? scanning?.problem ?? reader?.problem }

    /// - Throws: `HarnessError.unavailable` of the variant `name` with the missing prerequisite of this machine.
    package func check(_ name: String) throws(HarnessError) {
        if let problem { throw .unavailable(variant: name, reason: problem) }
    }

    /// Returns the SHA-256 of the files that determine readings and answers, by their names: `sha256:` and 64 digits.
    package func modelDigests() throws -> [String: String] {
        var digests: [String: String] = [:]
        for path in try (scanning?.files ?? []) + (reading?.files ?? []) + (reader?.files ?? []) {
            digests[URL(filePath: path).lastPathComponent] = "sha256:" + (try SHA256.hex(ofFile: path))
        }
        if let name = scanning?.catalogue, BookCatalogue.isEmbedded(name) {
            digests["embedded catalogue"] = try BookCatalogue.named(name).information.contentDigest
        }
        return digests
    }

    package var sends: Bool { scanning?.strategy.needsBackEnd ?? false }

    /// Evidence class of its times if they are not measured: a shaped network makes them modelled.
    package var evidence: EvidenceClass? { scanning?.profile == nil ? nil : .modelled }

    /// Loads the system with its identification; `report` receives stray output of a
    /// reader of the user's.
    package func load(
        in environment: ScanEnvironment,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> WorkerLoop.Loaded {
        switch self {
        case .reading(let settings):
            let reader = try settings.load()
            return WorkerLoop.Loaded(
                system: reader.scanner,
                description: reader.description,
                prepare: reader.prepare
            )
        case .scanning(let settings): return try settings.system(in: environment)
        case .reader(let settings): return try settings.load(report: report)
        }
    }
}

extension SpineScanner: SystemUnderTest {
    package func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        let clock = ContinuousClock()
        let start = clock.now
        let (reading, decoding) = try scan(bytes, name: name)
        return Prediction(
            lines: reading.lines.map(Prediction.Line.init),
            orientation: reading.orientation?.rawValue,
            stages: [
                .total: start.duration(to: clock.now).milliseconds, .decode.part(of: .total): decoding.milliseconds,
                .detectionInference.part(of: .total): reading.timings.detectionInference.milliseconds,
                .recognitionInference.part(of: .total): reading.timings.recognitionInference.milliseconds,
            ]
        )
    }
}

extension Prediction.Line {
    /// Creates the harness's form of a line that was read.
    package init(_ line: RecognizedLine) {
        self.init(
            text: line.text,
            confidence: line.confidence,
            probability: line.probability,
            alternatives: line.alternatives.isEmpty ? nil : line.alternatives,
            quad: line.quad
        )
        network = line.network
    }
}
