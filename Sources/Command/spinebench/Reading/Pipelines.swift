import Basics
import BenchmarkHarness
import Evaluation
import Foundation
import OpenVINOEngine
import ScanningPolicies
import SpineDatasets
import SpineReaders
import TesseractEngine
import TextRecognition

/// The harness's way to the pipeline: variants by name and settings, checked, loaded and identified.
enum Pipelines {
    /// A base with other settings over its own, every setting written out.
    ///
    /// Its name is the base's and what was set, such as `fast.threads-1`.
    ///
    /// - Throws: `SettingFaults` with all that is wrong; `HarnessError` when there is no such base.
    static func resolve(base name: String, overrides: [String: String] = [:]) throws -> Variant {
        let parts = overrides.sorted { $0.key < $1.key }.map { "\($0)-\($1)" }
        let full = ([name] + parts).joined(separator: ".").map(nameCharacter).joined()
        if let base = TierBase.named(name) {
            return Variant(
                name: full,
                tier: base.tier,
                settings: try base.settings.overridden(by: overrides, name: name).texts
            )
        }
        guard let base = PipelineBase.named(name) else {
            let names = PipelineBase.all.map(\.name) + TierBase.all.map(\.name)
            throw HarnessError.configuration(
                "there is no variant \"\(name)\"; \(NearName.hint(for: name, among: names))"
            )
        }
        let settings = try base.settings.overridden(by: overrides, name: name)
        return Variant(
            name: full,
            tier: base.tier,
            settings: settings.texts
        )
    }

    /// A base and settings as a command line has them: `fast`, or `fast,threads=1,precision=f32`.
    ///
    /// - Throws: as ``resolve(base:overrides:)``; `HarnessError` for a part without `=`, or a setting given twice.
    static func resolve(_ text: String) throws -> Variant {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        var overrides: [String: String] = [:]
        for part in parts.dropFirst() {
            guard let equals = part.firstIndex(of: "="), equals > part.startIndex else {
                throw HarnessError.configuration("\"\(part)\" in \"\(text)\" sets nothing; expected setting=value")
            }
            let value = String(part[part.index(after: equals)...])
            if overrides.updateValue(value, forKey: String(part[..<equals])) != nil {
                throw HarnessError.configuration("\"\(text)\" sets \(part[..<equals]) twice")
            }
        }
        return try resolve(base: parts.first.map(String.init) ?? "", overrides: overrides)
    }

    /// The variants of a list in which each base is followed by its settings: `fast`, `threads=1`, `accurate`.
    ///
    /// - Throws: as ``resolve(_:)``; `HarnessError` for a setting without a base before it.
    static func resolve(list: [String]) throws -> [Variant] {
        var texts: [String] = []
        for part in list {
            guard part.contains("=") else {
                texts.append(part)
                continue
            }
            guard let last = texts.popLast() else {
                throw HarnessError.configuration("\"\(part)\" has no variant before it that it could be a setting of")
            }
            texts.append(last + "," + part)
        }
        return try texts.map { try resolve($0) }
    }

    /// Loads the system of a variant, with what identifies it: engine, models, precision, threads.
    ///
    /// - Parameters:
    ///   - variant: what is to be loaded.
    ///   - surroundings: what a way of scanning finds where it runs.
    /// - Returns: the system, warm but for what `prepare` does.
    /// - Throws: when its engine or a model is not there, or when its settings are none; the error says what to do.
    static func load(_ variant: Variant, in surroundings: Tiers.Surroundings) throws -> WorkerLoop.Loaded {
        if let tier = try tierSettings(of: variant) { return try Tiers.load(tier, in: surroundings) }
        let pipeline = try settings(of: variant).load()
        return WorkerLoop.Loaded(
            system: pipeline.scanner,
            description: pipeline.description,
            prepare: pipeline.prepare
        )
    }

    /// What a variant lacks on this machine, and what to do about it; nil when nothing is known to be missing.
    ///
    /// Looks for files and loads no network: it is asked before a run begins.
    static func problem(of variant: Variant) -> String? {
        do {
            if let tier = try tierSettings(of: variant) { return Tiers.problem(tier) }
            return try settings(of: variant).problem
        } catch {
            return "\(error)"
        }
    }

    /// SHA-256 of the files that decide what a variant reads, by their names: `sha256:` and 64 digits.
    ///
    /// Networks, language data and, with correction, the word lists.
    ///
    /// - Throws: the system's error when a file cannot be read, Tesseract's when it is not there.
    static func modelDigests(of variant: Variant) throws -> [String: String] {
        if let tier = try tierSettings(of: variant) { return try Tiers.modelDigests(tier) }
        var digests: [String: String] = [:]
        for path in try settings(of: variant).files {
            digests[URL(filePath: path).lastPathComponent] = "sha256:" + (try SHA256.hex(ofFile: path))
        }
        return digests
    }

    /// What a variant names books from; nil when it only reads.
    ///
    /// - Throws: the catalogue's error when it cannot be opened.
    static func catalogue(of variant: Variant) throws -> CatalogueReference? {
        try tierSettings(of: variant).map { try Tiers.catalogue($0) }
    }

    /// The settings that a variant's texts stand for.
    ///
    /// - Throws: `SettingFaults` with all that is wrong, or when it does more than read.
    static func settings(of variant: Variant) throws(SettingFaults) -> PipelineSettings {
        guard !TierSettings.areMeant(by: variant.settings) else {
            let problem = "it names books and does not only read; see 'spinebench scan --help'"
            throw SettingFaults(base: variant.name, faults: [SettingFault(key: "strategy", problem: problem)])
        }
        return try PipelineSettings(texts: variant.settings, name: variant.name)
    }

    /// What a variant reads with on the device; nil when it does not read there.
    ///
    /// - Throws: `SettingFaults` with all that is wrong.
    static func readerSettings(of variant: Variant) throws(SettingFaults) -> PipelineSettings? {
        guard let tier = try tierSettings(of: variant) else { return try settings(of: variant) }
        return tier.strategy.needsReader ? Tiers.readerSettings(tier) : nil
    }

    /// Whether a variant asks a back end: any other has no business with the network.
    ///
    /// - Throws: `SettingFaults` with all that is wrong.
    static func sends(_ variant: Variant) throws(SettingFaults) -> Bool {
        try tierSettings(of: variant)?.needsBackEnd ?? false
    }

    /// Where variants keep compiled networks between processes.
    static let compileCache = CompileCache(
        key: { variant in
            guard let settings = try? readerSettings(of: variant), let files = try? settings.files,
                files.contains(where: { $0.hasSuffix(".onnx") })
            else { return nil }
            return settings.texts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        },
        count: { Installation.compiledNetworks }
    )

    /// What a variant's times rest on where they are not measured: a network that is shaped makes them modelled.
    static func evidence(of variant: Variant) -> EvidenceClass? {
        let network = variant.settings["network"] ?? TierSettings.none
        return network == TierSettings.none ? nil : .modelled
    }

    /// The settings of a variant that does more than read; nil for one that only reads.
    private static func tierSettings(of variant: Variant) throws(SettingFaults) -> TierSettings? {
        guard TierSettings.areMeant(by: variant.settings) else { return nil }
        return try TierSettings(texts: variant.settings, name: variant.name)
    }

    private static func nameCharacter(_ character: Character) -> String {
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
            ? String(character) : "-"
    }
}
