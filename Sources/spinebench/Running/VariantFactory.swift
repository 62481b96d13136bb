import BenchmarkHarness

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
        var variant = try Pipelines.resolve(base: name)
        variant.gates = gates
        return variant
    }

    /// What a variant lacks on this machine, and what to do about it; nil when nothing is known to be missing.
    ///
    /// Looks for files and loads no network: it is asked before a run begins.
    static func problem(_ variant: Variant) -> String? { Pipelines.problem(of: variant) }

    /// Loads the system of a variant, with what identifies it: engine, model, precision, threads.
    ///
    /// - Throws: when its engine or model is not there; the error says what to do.
    static func makeSystem(_ variant: Variant) throws -> WorkerLoop.Loaded { try Pipelines.load(variant) }
}
