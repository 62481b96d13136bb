import Basics
import Foundation
package import Harness
import SpineDatasets
package import SpineReaders

/// A variant by its name, with its settings.
package struct ComposedVariant: Sendable, Equatable {
    package var name: String
    package var tier: String?
    package var settings: VariantSettings
    package var summary = ""

    init(_ name: String, _ tier: String?, _ settings: VariantSettings, _ summary: String = "") {
        (self.name, self.tier, self.settings, self.summary) = (name, tier, settings, summary)
    }

    /// Creates a variant with the name of its base and the changed settings, such as `fast.threads-1`; `known` are
    /// bases beside the named ones, such as readers of the user's.
    package init(base name: String, overrides: [String: String] = [:], known: [ComposedVariant] = []) throws {
        guard let base = known.first(where: { $0.name == name && $0.settings.reader != nil }) ?? .named(name) else {
            let names = (known + Self.named).map(\.name)
            throw HarnessError.configuration(
                "unknown variant \"\(name)\"; \(NearName.hint(for: name, among: names))"
            )
        }
        let parts = overrides.sorted { $0.key < $1.key }.map { key, value in
            // Of a path, the last part is enough to know it by.
            "\(key)-\(value.contains("/") ? URL(filePath: value).lastPathComponent : value)"
        }
        self.name = ([name] + parts).joined(separator: ".").map(Self.nameCharacter).joined()
        tier = base.tier
        settings = try base.settings.overridden(by: overrides, name: name)
    }

    /// Reads a base and settings from a command line: `fast`, or `fast,threads=1,precision=f32`.
    package init(_ text: String, known: [ComposedVariant] = []) throws {
        if let variant = known.first(where: { $0.name == text }) {
            self = variant
            return
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        var overrides: [String: String] = [:]
        for part in parts.dropFirst() {
            guard let equals = part.firstIndex(of: "="), equals > part.startIndex else {
                throw HarnessError.configuration("invalid setting \"\(part)\" in \"\(text)\": expected setting=value")
            }
            let value = String(part[part.index(after: equals)...])
            if overrides.updateValue(value, forKey: String(part[..<equals])) != nil {
                throw HarnessError.configuration("\"\(text)\" sets \(part[..<equals]) twice")
            }
        }
        try self.init(base: parts.first.map(String.init) ?? "", overrides: overrides, known: known)
    }

    /// Creates the variant that a record, a suite or a worker's command line means.
    package init(_ record: Variant) throws(SettingFaults) {
        (name, tier) = (record.name, record.tier)
        settings = try VariantSettings(texts: record.settings, name: record.name)
    }

    /// Returns the variants of a list in which a base is followed by its settings: `fast`, `threads=1`, `accurate`; the
    /// name of a known one is that.
    package static func list(_ parts: [String], known: [ComposedVariant] = []) throws -> [ComposedVariant] {
        var texts: [String] = []
        for part in parts {
            guard part.contains("=") else {
                texts.append(part)
                continue
            }
            guard let last = texts.popLast() else {
                throw HarnessError.configuration(
                    "setting \"\(part)\" follows no variant: expected variant,setting=value"
                )
            }
            texts.append(last + "," + part)
        }
        return try texts.map { try ComposedVariant($0, known: known) }
    }

    /// Returns the variant's record in a run, with the digests of its files.
    package func record() throws -> Variant {
        var variant = Variant(name: name, tier: tier, settings: settings.texts)
        variant.models = try settings.modelDigests()
        variant.catalogue = try settings.scanning?.catalogueReference
        variant.evidence = settings.evidence
        let readsShelves = settings.scanning?.pictures == .shelves || settings.reader?.pictures == .shelves
        variant.subject = readsShelves ? .shelves : nil
        variant.limitSeconds = settings.reader?.limitSeconds
        return variant
    }

    /// Settings of a variant that only reads; throws for any other variant.
    package var reading: ReadingSettings {
        get throws(SettingFaults) {
            guard case .reading(let settings) = settings else {
                let problem = "it identifies books and cannot only read; see 'spinebench scan --help'"
                throw SettingFaults(base: name, faults: [SettingFault(key: "strategy", problem: problem)])
            }
            return settings
        }
    }

    private static func nameCharacter(_ character: Character) -> String {
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
            ? String(character) : "-"
    }
}

extension CompileCache {
    package static let networks = CompileCache(
        key: { variant in
            guard let settings = try? ComposedVariant(variant).settings.reading, let files = try? settings.files,
                files.contains(where: { $0.hasSuffix(".onnx") })
            else { return nil }
            return settings.texts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        },
        count: { Installation.compiledNetworks }
    )
}
