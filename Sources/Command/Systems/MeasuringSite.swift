import Basics
import CommandSupport
import Foundation
package import Harness
import ScanningPolicies
package import SpineDatasets
import SpineReaders

/// The back ends, folders and judge of a measurement.
package final class MeasuringSite: Sendable {
    private let folder: String
    private let interruption: Interruption
    private let judge: BookScorer
    /// A process for each way in which a back end is started.
    private let processes: [[String]: BackEndProcess]
    private let environments: [String: ScanEnvironment]

    /// Starts the back ends, unless one is given; `folder` is that of the run or the comparison.
    package init(
        for variants: [Variant],
        in folder: String,
        given: BackEndAddress?,
        interruption: Interruption
    ) throws {
        (self.folder, self.interruption) = (folder, interruption)
        if variants.contains(where: CompileCache.networks.holds), let notice = Installation.firstRunNotice {
            Console.standardError(notice)
        }
        let variants = try variants.map { try ComposedVariant($0) }
        // Remove leftovers of a killed run.
        try? FileManager.default.removeItem(atPath: "\(folder)/\(ScanEnvironment.scratch)")
        judge = try CatalogueScorer(variants).judge
        var processes: [[String]: BackEndProcess] = [:]
        var environments: [String: ScanEnvironment] = [:]
        do {
            for variant in variants {
                guard let scanning = variant.settings.scanning else { continue }
                let environment = environments[variant.name] ?? ScanEnvironment(folder: folder)
                environments[variant.name] = environment
                guard environment.backEnd == nil, let arguments = scanning.backEndArguments else { continue }
                if given == nil, processes[arguments] == nil {
                    processes[arguments] = try BackEndProcess(
                        of: variant.name,
                        arguments,
                        folder: folder,
                        name: "talaria" + (processes.isEmpty ? "" : "-\(processes.count + 1)"),
                        isStopped: { interruption.signal != nil }
                    )
                }
                let own = processes[arguments].map { BackEndAddress(address: $0.address, trust: BackEndTrust()) }
                environments[variant.name]?.backEnd = given ?? own
            }
        } catch {
            for process in processes.values { process.stop() }
            if let signal = interruption.signal { throw HarnessError.interrupted(signal: signal) }
            throw error
        }
        (self.processes, self.environments) = (processes, environments)
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
        for process in processes.values { process.stop() }
        try? FileManager.default.removeItem(atPath: "\(folder)/\(ScanEnvironment.scratch)")
    }

    /// Returns the back ends' entries in a run's configuration; nil if no variant needs one.
    package static func backEnds(for variants: [ComposedVariant], given: String?) -> [BackEndReference]? {
        var references: [BackEndReference] = []
        lazy var digest = given == nil ? BackEndProcess.program.flatMap { try? SHA256.hex(ofFile: $0) } : nil
        for variant in variants {
            guard let own = variant.settings.scanning?.backEndArguments else { continue }
            let arguments = given.map { [$0] } ?? own
            if let index = references.firstIndex(where: { $0.arguments == arguments }) {
                references[index].variants.append(variant.name)
            } else {
                references.append(
                    BackEndReference(
                        variants: [variant.name],
                        codeDigest: digest.map { "sha256:" + $0 },
                        arguments: arguments
                    )
                )
            }
        }
        return references.isEmpty ? nil : references
    }
}

/// The address of a back end, with its trust.
package struct BackEndAddress: Sendable {
    package var address: String
    package var trust: BackEndTrust
}

extension ScanSettings {
    /// Arguments with which the back end is started, without those for its place; nil if the strategy has none.
    var backEndArguments: [String]? {
        guard strategy.needsBackEnd else { return nil }
        return [
            "serve", "--rate-limit", "off", "--workers", "\(serverWorkers)", "--queue", "\(serverQueue)", "--log-level",
            "warning", "--catalogue", catalogue,
        ] + (faultsFile.map { ["--faults", $0] } ?? [])
    }
}
