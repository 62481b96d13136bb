import Foundation
package import Harness
package import SpineDatasets
import SpineReaders

/// The back ends, folders and judge of a measurement.
package final class ScanStage: Sendable {
    private let judge: BookScorer
    private let environments: [String: ScanEnvironment]
    private let folder: String
    private let backEnds: BackEnds
    private let interruption: Interruption

    /// Starts the back ends, unless one is given; `folder` is that of the run or the comparison.
    package init(
        for variants: [Variant],
        in folder: String,
        given: BackEnds.Given?,
        interruption: Interruption
    ) throws {
        self.folder = folder
        self.interruption = interruption
        if variants.contains(where: CompileCache.networks.holds), let notice = Installation.firstRunNotice {
            Console.standardError(notice)
        }
        let variants = try variants.map { try ComposedVariant($0) }
        // Remove leftovers of a killed run.
        try? FileManager.default.removeItem(atPath: "\(folder)/\(ScanEnvironment.scratch)")
        judge = try CatalogueScorer(variants).judge
        let backEnds = try BackEnds(for: variants, folder: folder, given: given, interruption: interruption)
        self.backEnds = backEnds
        environments = Dictionary(
            variants.filter { $0.settings.scanning != nil }.map { variant in
                (variant.name, ScanEnvironment(backEnd: backEnds.address(for: variant), folder: folder))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    package func setup(_ datasets: [Dataset], in folder: RunFolder, part: Part? = nil) -> RunSetup {
        let display = ProgressDisplay(isLogged: true)
        return RunSetup(
            datasets: datasets,
            folder: folder,
            cache: .networks,
            judge: judge,
            part: part,
            interruption: interruption,
            progress: { display.show($0) }
        )
    }

    package func environment(of variant: Variant) -> ScanEnvironment { environments[variant.name] ?? ScanEnvironment() }

    package func end() {
        backEnds.stop()
        try? FileManager.default.removeItem(atPath: "\(folder)/\(ScanEnvironment.scratch)")
    }
}
