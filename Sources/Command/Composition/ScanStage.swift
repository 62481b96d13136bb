import Foundation
package import Harness

/// The environment of variants that do more than read: back ends, folders, and a judge.
package final class ScanStage: Sendable {
    /// Judge of the named books.
    package let judge: BookScorer
    /// Environments by the names of the variants that scan.
    private let environments: [String: ScanEnvironment]
    private let folder: String
    private let backEnds: BackEnds

    /// - Parameters:
    ///   - variants: for the measurement.
    ///   - folder: of the run or the comparison.
    ///   - given: address of a running back end that is used instead of starting one.
    ///   - interruption: stops the start.
    /// - Throws: `HarnessError` when a back end cannot be started, the catalogue's error when it cannot be opened.
    package init(
        for variants: [ComposedVariant],
        in folder: String,
        given: BackEnds.Given?,
        interruption: Interruption
    ) throws {
        self.folder = folder
        // Remove leftovers of a killed run.
        try? FileManager.default.removeItem(atPath: "\(folder)/\(ScanEnvironment.scratch)")
        judge = try CatalogueScorer(variants).judge
        let backEnds = try BackEnds(for: variants, folder: folder, given: given, interruption: interruption)
        self.backEnds = backEnds
        environments = Dictionary(
            variants.filter { $0.settings.scanning != nil }.map { variant in
                let backEnd = backEnds.address(for: variant)
                let trust = backEnd?.trust ?? BackEndTrust()
                return (variant.name, ScanEnvironment(backEnd: backEnd?.address, trust: trust, folder: folder))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns the environment of a variant's workers.
    package func environment(of variant: Variant) -> ScanEnvironment { environments[variant.name] ?? ScanEnvironment() }

    /// Ends the back ends, and removes the workers' files.
    package func end() {
        backEnds.stop()
        try? FileManager.default.removeItem(atPath: "\(folder)/\(ScanEnvironment.scratch)")
    }
}
