import BenchmarkHarness
import TextRecognition

/// The tiers that can be measured, and the variants behind them.
enum TierFactory {
    /// Every tier, in the order in which they run: the instant tier, the local fallback, and a rival for comparison.
    static let tiers = ["fast", "accurate", "tesseract"]

    /// The tiers whose targets decide the verdict unless others are named.
    static let gateTiers = ["fast", "accurate"]

    /// What a tier lacks on this machine, and what to do about it; nil when nothing is known to be missing.
    ///
    /// Looks for files and loads no network: it is asked before a run begins.
    static func problem(tier: String) -> String? { readers[tier]?.problem() }

    /// Loads the system of a tier, with what identifies it: engine, model, precision, threads.
    ///
    /// - Throws: when its engine or model is not there; the error says what to do.
    static func makeSystem(tier: String) throws -> WorkerLoop.Loaded {
        guard let variant = readers[tier] else {
            throw HarnessError.unavailable(tier: tier, reason: "there is no variant of that name")
        }
        let loaded = try variant.load()
        return WorkerLoop.Loaded(
            system: SpineScanner(reader: loaded.reader),
            description: loaded.description,
            prepare: loaded.prepare
        )
    }
}
