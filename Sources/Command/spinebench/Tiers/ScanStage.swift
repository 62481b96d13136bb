import BenchmarkHarness
import Foundation

/// What variants that do more than read find around them while they are measured: back ends, folders, and a judge.
final class ScanStage: Sendable {
    /// Says whether the right books were named.
    let judge: BookJudge
    private let addresses: [String: BackEnds.Given]
    private let folder: String
    private let backEnds: BackEnds

    /// - Parameters:
    ///   - variants: that are going to be measured.
    ///   - folder: of the run or the comparison.
    ///   - given: where a back end listens that is asked instead of starting one.
    ///   - interruption: what may stop the start.
    /// - Throws: `HarnessError` when a back end cannot be started, the catalogue's error when it cannot be opened.
    init(for variants: [Variant], in folder: String, given: BackEnds.Given?, _ interruption: Interruption) throws {
        self.folder = folder
        // What a run that was killed left behind.
        try? FileManager.default.removeItem(atPath: "\(folder)/\(Tiers.Surroundings.scratch)")
        judge = try CatalogueJudge(variants).judge
        let backEnds = try BackEnds(for: variants, folder: folder, given: given, interruption: interruption)
        self.backEnds = backEnds
        addresses = Dictionary(
            variants.compactMap { variant in backEnds.address(for: variant).map { (variant.name, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// What a variant's workers are told.
    func surroundings(of variant: Variant) -> Tiers.Surroundings {
        guard TierSettings.areMeant(by: variant.settings) else { return Tiers.Surroundings() }
        let backEnd = addresses[variant.name]
        return Tiers.Surroundings(
            backEnd: backEnd?.address,
            trust: backEnd?.trust ?? BackEndTrust(),
            folder: folder
        )
    }

    /// Ends the back ends, and removes what workers kept.
    func end() {
        backEnds.stop()
        try? FileManager.default.removeItem(atPath: "\(folder)/\(Tiers.Surroundings.scratch)")
    }
}
