import BenchmarkHarness
import TextRecognition

/// The variants that can be measured.
enum VariantFactory {
    /// Those that run unless others are named, in order: the instant tier, the local fallback, and a rival.
    static let standard = ["fast", "accurate", "tesseract"]

    /// The ones whose targets decide the verdict unless others are named.
    static let gating = ["fast", "accurate"]

    /// The variant of that name, with every setting.
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` when there is none.
    static func resolve(_ name: String, gates: Bool) throws -> Variant {
        guard readers[name] != nil else {
            let names = readers.variants.map(\.name).joined(separator: ", ")
            throw HarnessError.configuration("there is no variant \(name); there are \(names)")
        }
        return Variant(name: name, tier: ["fast", "accurate"].contains(name) ? name : nil, gates: gates)
    }

    /// What a variant lacks on this machine, and what to do about it; nil when nothing is known to be missing.
    ///
    /// Looks for files and loads no network: it is asked before a run begins.
    static func problem(_ variant: Variant) -> String? { readers[variant.name]?.problem() }

    /// Loads the system of a variant, with what identifies it: engine, model, precision, threads.
    ///
    /// - Throws: when its engine or model is not there; the error says what to do.
    static func makeSystem(_ variant: Variant) throws -> WorkerLoop.Loaded {
        guard let reader = readers[variant.name] else {
            throw HarnessError.unavailable(variant: variant.name, reason: "there is no variant of that name")
        }
        let loaded = try reader.load()
        return WorkerLoop.Loaded(
            system: SpineScanner(reader: loaded.reader),
            description: loaded.description,
            prepare: loaded.prepare
        )
    }
}
