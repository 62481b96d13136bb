import Basics
import CommandSupport
import Evaluation
import Foundation
import Harness
import SpineDatasets
import Systems

extension RunCommand {
    /// Returns every setting of the run, not validated yet: those of the suite or the stored run, and the options' over them.
    func configuration(
        _ datasets: [Dataset],
        suite: Suite? = nil,
        over stored: RunConfiguration? = nil
    ) throws -> RunConfiguration {
        var run = stored ?? RunConfiguration(tool: "", datasets: [], variants: [])
        if let suite { run.apply(suite) }
        (run.tool, run.codeDigest, run.scoringRule) = (ProgramVersion.tool, Self.codeDigest, ScoringRule.current)
        run.datasets = datasets.map(DatasetReference.init)
        if !scenarios.isEmpty { run.scenarios = try scenarios.map(Scenario.parse) }
        // A limit of the figure that was taken until 28 November 2026 is one of the footprint now.
        for index in run.targets.indices where run.targets[index].metric == .peakMemory {
            run.targets[index].metric = .peakFootprint
        }
        run.repetitions = repetitions ?? run.repetitions
        run.warmUpReadings = warmup ?? run.warmUpReadings
        run.seeds = seeds?.numbers ?? run.seeds
        run.sampleTimeoutSeconds = timeout ?? run.sampleTimeoutSeconds
        run.percentileMethod = percentile ?? run.percentileMethod
        run.decideBy = decideBy ?? run.decideBy
        run.limit = limit ?? run.limit
        var skipped: [String: String] = [:]
        let composed = try composed(over: run, leavingOut: suite?.optional ?? [], &skipped)
        if gate != nil {
            run.skipped = nil
        } else if stored == nil {
            skipped = skipped.filter { name, _ in run.variants.contains { $0.name == name && $0.gates } }
            run.skipped = skipped.isEmpty ? nil : skipped
        }
        run.variants = try records(of: composed, over: run)
        run.backEnds = MeasuringSite.backEnds(for: composed, given: backEnd.talaria)
        run.devices = try devices(for: run.variants, over: stored)
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
        if devices == nil {
            if let stored {
                var devices = stored.devices
                if let gateDevices { devices?.gates = gateDevices }
                return devices
            }
            // They are modelled on the readings of one machine.
            if part != nil { return nil }
            guard variants.contains(where: { $0.tier != nil }) else { return nil }
            if DeviceOptions.folder == nil && profiles.folders.isEmpty {
                let reason = "device profiles not found; set SPINEBENCH_DEVICES to their folder"
                Console.standardError("warning: skipping device models: \(reason)")
                return nil
            }
        }
        let profiles = try profiles.named(devices?.names)
        return profiles.isEmpty ? nil : try DeviceSelection(profiles, gates: gateDevices ?? .latency)
    }

    /// Returns the variants, none of which lacks anything: it is found out before the first reading.
    private func composed(
        over run: RunConfiguration,
        leavingOut optional: Set<String>,
        _ skipped: inout [String: String]
    ) throws -> [ComposedVariant] {
        let readers = try readers.variants(timeout: timeout)
        let known = try run.variants.map { try ComposedVariant($0) }
        var chosen: [ComposedVariant]
        if let names = variants?.compactNames {
            // A reader of the user's runs also where other variants alone are named.
            chosen = try ComposedVariant.list(names, known: readers + known)
            chosen += readers.filter { !names.contains($0.name) }
        } else {
            let isOfShelves = !run.datasets.contains { ($0.subjects ?? [.spines]).contains(.spines) }
            let usual = isOfShelves ? Self.standardShelfVariants : Self.standardVariants
            chosen = try known.isEmpty && readers.isEmpty ? usual.map { try ComposedVariant(base: $0) } : known
            for variant in chosen where optional.contains(variant.name) {
                guard let problem = variant.settings.problem else { continue }
                Console.standardError("warning: skipping \(variant.name): \(problem)")
                skipped[variant.name] = problem
            }
            chosen = chosen.filter { skipped[$0.name] == nil } + readers
        }
        for variant in chosen {
            guard let problem = variant.settings.problem else { continue }
            let others = chosen.filter { $0.settings.problem == nil }.map(\.name)
            let without = others.isEmpty ? "" : "; or run without it: --variants \(others.joined(separator: ","))"
            throw HarnessError.unavailable(variant: variant.name, reason: problem + without)
        }
        return chosen
    }

    private func records(of composed: [ComposedVariant], over run: RunConfiguration) throws -> [Variant] {
        let names = composed.map(\.name)
        // Names, or what '--variants' has: "fast,threads=1".
        let asked = try gate.map { try ComposedVariant.list($0.compactNames, known: composed).map(\.name) }
        let strangers = asked?.filter { !names.contains($0) } ?? []
        guard strangers.isEmpty else {
            throw HarnessError.configuration(
                "unknown variants in --gate: \(strangers.joined(separator: ",")); the run has \(names.joined(separator: ","))"
            )
        }
        let known = variants == nil && !run.variants.isEmpty ? run.variants.filter(\.gates).map(\.name) : nil
        let usual = names.filter(Self.gatingVariants.contains)
        // Without one of these, variants that are made of them: "fast.threads-1".
        let made = names.filter { Self.gatingVariants.contains(String($0.prefix { $0 != "." })) }
        let gating = asked ?? known ?? (usual.isEmpty ? made : usual)
        return try composed.map { variant in
            var record = try variant.record()
            record.gates = gating.contains(variant.name)
            return record
        }
    }

    /// SHA-256 of this program's file; a resumed run requires the same.
    static let codeDigest: String? = Bundle.main.executablePath.flatMap(digest(ofProgram:))

    static func digest(ofProgram path: String) -> String? {
        (try? SHA256.hex(ofFile: path)).map { "sha256:" + $0 }
    }
}

extension RunConfiguration {
    fileprivate mutating func apply(_ suite: Suite) {
        (self.suite, variants, scenarios, targets) = (suite.name, suite.variants, suite.scenarios, suite.targets)
        (assertions, limit, seeds, repetitions) = (suite.assertions, suite.limit, suite.seeds, suite.repetitions)
        (warmUpReadings, sampleTimeoutSeconds) = (suite.warmUpReadings, suite.sampleTimeoutSeconds)
        (startTimeoutSeconds, percentileMethod) = (suite.startTimeoutSeconds, suite.percentileMethod)
        decideBy = suite.decideBy
    }
}
