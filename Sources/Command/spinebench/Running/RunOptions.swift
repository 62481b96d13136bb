import ArgumentParser
import Basics
import CommandSupport
import Composition
import Evaluation
import Foundation
import Harness
import SpineDatasets

struct RunOptions {
    private let command: RunCommand

    init(_ command: RunCommand) { self.command = command }

    /// Returns every setting of the run, not validated yet.
    func configuration(
        _ datasets: [Dataset],
        suite: Suite? = nil,
        over stored: RunConfiguration? = nil
    ) throws -> RunConfiguration {
        let scenarios = try command.scenarios.map(Scenario.parse)
        let hasSpines = datasets.contains { $0.subjects.contains(.spines) }
        let usual = hasSpines ? RunCommand.standardVariants : RunCommand.standardShelfVariants
        var skipped: [String: String] = [:]
        let composed = try composed(suite: suite, over: stored, usual: usual, skipped: &skipped)
        let variants = try records(of: composed, suite: suite, over: stored)
        var run = RunConfiguration(
            tool: ProgramVersion.tool,
            datasets: datasets.map(DatasetReference.init),
            variants: variants
        )
        run.codeDigest = Self.codeDigest
        run.suite = suite?.name ?? stored?.suite
        run.scenarios = scenarios.isEmpty ? suite?.scenarios ?? stored?.scenarios ?? run.scenarios : scenarios
        run.targets = suite?.targets ?? stored?.targets ?? run.targets
        // A limit of the figure that was taken until 28 November 2026 is one of the footprint now.
        for index in run.targets.indices where run.targets[index].metric == .peakMemory {
            run.targets[index].metric = .peakFootprint
        }
        run.repetitions = command.repetitions ?? suite?.repetitions ?? stored?.repetitions ?? run.repetitions
        run.warmUpReadings = command.warmup ?? suite?.warmUpReadings ?? stored?.warmUpReadings ?? run.warmUpReadings
        run.seeds = command.seeds?.numbers ?? suite?.seeds ?? stored?.seeds ?? run.seeds
        run.sampleTimeoutSeconds =
            command.timeout ?? suite?.sampleTimeoutSeconds ?? stored?.sampleTimeoutSeconds ?? run.sampleTimeoutSeconds
        run.startTimeoutSeconds = suite?.startTimeoutSeconds ?? stored?.startTimeoutSeconds ?? run.startTimeoutSeconds
        run.percentileMethod =
            command.percentile ?? suite?.percentileMethod ?? stored?.percentileMethod ?? run.percentileMethod
        run.decideBy = command.decideBy ?? suite?.decideBy ?? stored?.decideBy ?? run.decideBy
        run.limit = command.limit ?? suite?.limit ?? stored?.limit
        run.backEnds = BackEnds.references(for: composed, given: command.backEnd.talaria)
        run.devices = try devices(for: variants, over: stored)
        run.assertions = suite?.assertions ?? stored?.assertions
        if command.gate == nil {
            let asked = skipped.filter { name, _ in suite?.variants.contains { $0.name == name && $0.gates } == true }
            run.skipped = stored?.skipped ?? (asked.isEmpty ? nil : asked)
        }
        if run.scenarios.contains(where: { $0.kind == .live }),
            let reader = composed.first(where: { $0.settings.scanning == nil })
        {
            throw HarnessError.configuration(
                "scenario live with \(reader.name): it reads pictures, not frames; remove one of the two, or choose a scanning variant"
                    + ", such as on-device-only or hybrid"
            )
        }
        return run
    }

    /// Returns the requested devices; without a request those of the project documents, for variants with tiers.
    private func devices(for variants: [Variant], over stored: RunConfiguration?) throws -> DeviceSelection? {
        if let stored, command.devices == nil {
            var devices = stored.devices
            if let gating = command.gateDevices { devices?.gates = gating }
            return devices
        }
        if command.devices == nil {
            // They are modelled on the readings of one machine.
            if command.part != nil { return nil }
            guard variants.contains(where: { $0.tier != nil }) else { return nil }
            if DeviceOptions.folder == nil && command.profiles.folders.isEmpty {
                let reason = "device profiles not found; set SPINEBENCH_DEVICES to their folder"
                Console.standardError("warning: skipping device models: \(reason)")
                return nil
            }
        }
        let profiles = try command.profiles.named(command.devices?.names)
        return profiles.isEmpty ? nil : try DeviceSelection(profiles, gates: command.gateDevices ?? .latency)
    }

    private func composed(
        suite: Suite?,
        over stored: RunConfiguration?,
        usual: [String],
        skipped: inout [String: String]
    ) throws -> [ComposedVariant] {
        let readers = try command.readers.variants(timeout: command.timeout)
        let known = try (suite?.variants ?? stored?.variants)?.map { try ComposedVariant($0) }
        if let named = command.variants {
            let listed = try ComposedVariant.list(named.compactNames, known: readers + (known ?? []))
            // A reader of the user's runs also where other variants alone are named.
            return try checked(listed + readers.filter { !named.compactNames.contains($0.name) })
        }
        var chosen =
            try known
            ?? (readers.isEmpty ? usual : []).map { try ComposedVariant(base: $0) }
        for variant in chosen where suite?.optional.contains(variant.name) == true {
            guard let problem = variant.settings.problem else { continue }
            Console.standardError("warning: skipping \(variant.name): \(problem)")
            chosen.removeAll { $0.name == variant.name }
            skipped[variant.name] = problem
        }
        return try checked(chosen + readers)
    }

    private func records(
        of variants: [ComposedVariant],
        suite: Suite?,
        over stored: RunConfiguration?
    ) throws -> [Variant] {
        let known = command.variants == nil ? (suite?.variants ?? stored?.variants)?.filter(\.gates).map(\.name) : nil
        let gating = command.gate?.compactNames ?? known ?? RunCommand.gatingVariants
        let names = variants.map(\.name)
        let strangers = command.gate?.compactNames.filter { !names.contains($0) } ?? []
        guard strangers.isEmpty else {
            throw HarnessError.configuration(
                "unknown variants in --gate: \(strangers.joined(separator: ",")); the run has \(names.joined(separator: ","))"
            )
        }
        return try variants.map { variant in
            var record = try variant.record()
            record.gates = gating.contains(variant.name)
            return record
        }
    }

    /// Returns the variants, when none is missing: it is found out before the first reading.
    private func checked(_ variants: [ComposedVariant]) throws -> [ComposedVariant] {
        for variant in variants {
            guard let problem = variant.settings.problem else { continue }
            let others = variants.filter { $0.settings.problem == nil }.map(\.name)
            let without = others.isEmpty ? "" : "; or run without it: --variants \(others.joined(separator: ","))"
            throw HarnessError.unavailable(variant: variant.name, reason: problem + without)
        }
        return variants
    }

    /// SHA-256 of this program's file; a resumed run requires the same.
    static let codeDigest: String? = Bundle.main.executablePath.flatMap(digest(ofProgram:))

    static func digest(ofProgram path: String) -> String? {
        (try? SHA256.hex(ofFile: path)).map { "sha256:" + $0 }
    }
}
